"""The plugin's file: the same bytes every time, in the one form that every OpenCode loads."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import status_plugin
from status_plugin.generate import (
    PLUGIN_FILE_NAME,
    SCREEN_FILE_NAME,
    PluginFile,
    plugin_bytes,
    plugin_files,
    plugin_revision,
    revision_of,
)

PINNED_REVISION = 9
PINNED_SHA256 = {
    "orca-tui-status.js": "dfa215aaa68d641584702ff97bbf6f28b42babb86909f6d7f97a178a155cb4ef",
    "orca-tui-status/tui.js": "282fa724b69f46317e9f419e1f258b12341ecda3a4f3dc915a87b8de63d4621c",
}
"""Whoever changes the bytes raises the revision and pins them anew: every installed copy is then rewritten once."""

SOURCES = Path(status_plugin.__file__).parent


@pytest.fixture
def other_sources(tmp_path: Path) -> Path:
    """A copy of the package, for sources that cannot be joined."""
    shutil.copytree(SOURCES, tmp_path / "status_plugin", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "status_plugin" / "src"


def generate(root: Path, *targets: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "status_plugin.generate", *map(str, targets)]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)


def run_node(node_path: str, script: str) -> str:
    command = [node_path, "--input-type=module", "--eval", script]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_bytes_change_only_together_with_the_revision() -> None:
    digests = {file.name: hashlib.sha256(file.content).hexdigest() for file in plugin_files()}

    assert (plugin_revision(), digests) == (PINNED_REVISION, PINNED_SHA256)


def test_the_same_sources_give_the_same_bytes_in_another_process(other_sources: Path, tmp_path: Path) -> None:
    generate(other_sources.parents[1], tmp_path / "file", tmp_path / "screen")

    server, screen = plugin_files()
    assert (tmp_path / "file").read_bytes() == server.content == plugin_bytes()
    assert (tmp_path / "screen").read_bytes() == screen.content == plugin_files()[1].content


@pytest.mark.parametrize("file", plugin_files(), ids=lambda file: file.name)
def test_the_first_line_names_the_plugin_and_its_revision(file: PluginFile) -> None:
    first = file.content.splitlines()[0]

    assert first == f"// orca-tui status plugin, revision {plugin_revision()}".encode()
    assert revision_of(file.content) == plugin_revision()


@pytest.mark.parametrize(
    ("content", "revision"),
    [
        (b"// orca-tui status plugin, revision 12\n", 12),
        (b"// orca-tui status plugin, revision 12\r\nexport", 12),
        (b"// orca-tui status plugin, revision 12", None),
        (b"// orca-tui status plugin, revision x\n", None),
        (b"\n// orca-tui status plugin, revision 12\n", None),
        (b"// another plugin\n", None),
        (b"", None),
    ],
)
def test_a_revision_is_read_from_a_first_line_that_is_ours(content: bytes, revision: int | None) -> None:
    assert revision_of(content) == revision


@pytest.mark.parametrize(
    ("file", "entries"),
    [*zip(plugin_files(), (["server", "setup"], ["setup"]), strict=True)],
    ids=["server", "screen"],
)
def test_it_is_a_module_that_exports_its_definition_and_nothing_else(
    node_path: str, tmp_path: Path, file: PluginFile, entries: list[str]
) -> None:
    module = tmp_path / "plugin.mjs"
    module.write_bytes(file.content)
    said = run_node(
        node_path,
        f"""
        const module = await import({json.dumps(module.as_uri())})
        const kinds = Object.entries(module.default).map(([key, value]) => [key, typeof value])
        console.log(JSON.stringify({{ exports: Object.keys(module), id: module.default.id, kinds }}))
        """,
    )

    assert json.loads(said) == {
        "exports": ["default"],
        "id": "orca-tui-status",
        "kinds": [["id", "string"], *([entry, "function"] for entry in entries)],
    }


@pytest.mark.parametrize("file", plugin_files(), ids=lambda file: file.name)
def test_it_imports_built_ins_of_node_alone(file: PluginFile) -> None:
    text = file.content.decode()

    modules = set(re.findall(r'^import .* from "(.*)"$', text, re.MULTILINE))
    assert {"node:fs", "node:http"} <= modules <= {"node:crypto", "node:fs", "node:http"}
    assert "import(" not in text
    assert "require(" not in text


def test_every_source_is_part_of_a_file() -> None:
    text = "".join(file.content.decode() for file in plugin_files())
    names = {source.stem for source in (SOURCES / "src").glob("*.js")}

    assert set(re.findall(r"^// ---- (\w+) ----$", text, re.MULTILINE)) == names


def test_the_files_are_named_as_opencode_expects() -> None:
    assert [file.name for file in plugin_files()] == [PLUGIN_FILE_NAME, SCREEN_FILE_NAME]
    assert (PLUGIN_FILE_NAME, SCREEN_FILE_NAME) == ("orca-tui-status.js", "orca-tui-status/tui.js")


def test_a_source_that_imports_what_the_file_lacks_is_refused(other_sources: Path, tmp_path: Path) -> None:
    source = other_sources / "values.js"
    source.write_text('import left from "left-pad"\n' + source.read_text())

    result = generate(other_sources.parents[1], tmp_path / "file")

    assert "values.js imports 'left-pad', which is not part of the file" in result.stderr
    assert not (tmp_path / "file").exists()


def test_two_sources_that_declare_the_same_name_are_refused(other_sources: Path, tmp_path: Path) -> None:
    source = other_sources / "entry.js"
    source.write_text(source.read_text() + "\nfunction clip() {}\n")

    result = generate(other_sources.parents[1], tmp_path / "file")

    assert "entry.js declares 'clip' again" in result.stderr


def test_the_command_wants_a_file_for_each_part_at_most(other_sources: Path) -> None:
    command = [sys.executable, "-m", "status_plugin.generate"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert result.returncode == 2
    assert result.stderr.startswith("usage:")
