"""A real OpenCode 1 whose user keeps its configuration in a folder of their own, by OPENCODE_CONFIG_DIR."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.e2e.opencode import OpenCode
from tests.e2e.sandbox import Sandbox, poll_until

PLUGIN = """
import fs from "node:fs"
import { words } from "../lib/words.js"
export const Mine = async () => {
  fs.writeFileSync(process.env.MARK + ".%s", words)
  return {}
}
"""
"""A plugin of the user's; it imports from where it really is, not from where its link is."""


def own_folder(sandbox: Sandbox, opencode: OpenCode) -> Path:
    """The user's folder: it alone has the model, and plugins in both folders that OpenCode reads."""
    mine = sandbox.root / "dotfiles" / "opencode"
    shutil.copytree(opencode.config_dir, mine)
    settings = json.loads((mine / "opencode.json").read_text())
    # OpenCode adds this to a file that lacks it, wherever that file is.
    settings = {"$schema": "https://opencode.ai/config.json", **settings}
    (mine / "opencode.json").write_text(json.dumps(settings))
    (opencode.config_dir / "opencode.json").write_text("{}")
    (mine / "lib").mkdir()
    (mine / "lib" / "words.js").write_text('export const words = "read"\n')
    for folder in ("plugin", "plugins"):
        (mine / folder).mkdir()
        (mine / folder / f"{folder}-mine.js").write_text(PLUGIN % folder)
    sandbox.env |= {"OPENCODE_CONFIG_DIR": str(mine), "MARK": str(sandbox.root / "mark")}
    return mine


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    """What is in a folder, by inode and mtime."""
    return {
        str(path.relative_to(folder)): (path.lstat().st_ino, path.lstat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }


def overlay_of(sandbox: Sandbox) -> Path:
    [overlay] = (Path(sandbox.env["XDG_STATE_HOME"]) / "orca-tui" / "opencode-overlays").iterdir()
    return overlay


def test_the_users_folder_still_counts_and_status_arrives(sandbox: Sandbox, opencode: OpenCode) -> None:
    mine = own_folder(sandbox, opencode)
    before = listing(mine)
    events = sandbox.follow()

    pane = opencode.open()
    opencode.prompt(pane, {"text": "finished"})
    done = sandbox.wait(pane, "done", timeout=90)

    assert done["turns"] == 1  # The model is configured in the user's folder alone.
    events.wait_for_statuses(pane, "idle>working", "working>done")
    for folder in ("plugin", "plugins"):
        mark = Path(f"{sandbox.env['MARK']}.{folder}")
        poll_until(mark.exists, f"the user's plugin in {folder} has run")
        assert mark.read_text() == "read"
    assert listing(mine) == before
    assert not opencode.plugin.exists()


def test_the_plugin_in_the_global_folder_as_well_counts_no_turn_twice(
    sandbox: Sandbox, opencode: OpenCode
) -> None:
    """OpenCode 1 reads both folders, so both copies run in its process."""
    own_folder(sandbox, opencode)
    sandbox.run("plugin", "install")
    events = sandbox.follow()

    pane = sandbox.open(
        "--agent", "opencode", "--cwd", str(sandbox.project), "--", "opencode", "run", "say something"
    )
    gone = sandbox.wait(pane, "exited", timeout=90)

    assert gone["turns"] == 1
    assert events.rings(pane) <= 1


def test_a_second_pane_touches_nothing_that_the_first_one_reads(sandbox: Sandbox, opencode: OpenCode) -> None:
    own_folder(sandbox, opencode)
    sandbox.wait(sandbox.open("--agent", "opencode", "--", "true"), "exited")
    overlay = overlay_of(sandbox)
    before = listing(overlay)

    environment = sandbox.root / "environment"
    shell = f"printenv OPENCODE_CONFIG_DIR > {environment}"
    sandbox.wait(sandbox.open("--agent", "opencode", "--", "/bin/sh", "-c", shell), "exited")

    assert listing(overlay) == before
    assert environment.read_text() == f"{overlay}\n"
    found = [json.loads(line) for line in sandbox.run("plugin", "status", "--json").splitlines()]
    assert [(line["place"], line["state"]) for line in found[2:]] == [("overlay", "up_to_date")] * 2
