"""Whatever a user, an agent and a crash do in between: an overlay shows all there is, and destroys nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from status_plugin.manifest import MANIFEST_NAME
from status_plugin.mirror import PLUGIN_FOLDERS
from status_plugin.overlay import install_overlay, overlay_path
from status_plugin.overlays import remove_overlay, status_overlay
from tests.status_plugin.folders import everything_below
from tests.status_plugin.users import FILES, OURS

NAMES = ("a.js", "b.json", "plugin", "plugins")
FOLDERS = ("", *PLUGIN_FOLDERS)

places = st.tuples(st.sampled_from(FOLDERS), st.sampled_from(NAMES))
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(("user_file", "user_folder", "user_link", "user_removes")), places),
        st.tuples(st.sampled_from(("agent_file", "agent_folder")), places),
        st.tuples(st.sampled_from(("damage", "remove", "install")), st.just(("", ""))),
    ),
    max_size=14,
)


class World:
    """A user's folder, its overlay, and what an agent keeps in the overlay."""

    def __init__(self, root: Path) -> None:
        self.state = root / "state"
        self.source = root / "mine"
        self.source.mkdir()
        self.overlay = overlay_path(self.state, self.source)
        self.kept: dict[Path, str] = {}
        """The agent's own files."""
        self.has_lost_track = False
        """The list of links was damaged, so links may be left of what the user no longer has."""

    def take(self, verb: str, folder: str, name: str) -> None:
        who, _, what = verb.partition("_")
        match who:
            case "user":
                self.change(self.source / folder / name, what)
            case "agent":
                self.agent(self.overlay / folder / name, what)
            case "damage":
                if self.overlay.exists():
                    self.has_lost_track = True
                    (self.overlay / MANIFEST_NAME).write_text("{")
            case "remove":
                self.untouched(lambda: remove_overlay(self.overlay, FILES))
            case _:
                self.install()

    def change(self, path: Path, what: str) -> None:
        if not path.parent.is_dir():
            return
        if what == "removes":
            remove(path)
        elif not os.path.lexists(path):
            make(path, what)

    def agent(self, path: Path, what: str) -> None:
        """The agent works in the overlay; a file that it writes as a whole takes the place of a link."""
        parent = path.parent
        if not parent.is_dir() or parent.is_symlink() or path.name in PLUGIN_FOLDERS:
            return
        if what == "file" and path.is_symlink():
            path.unlink()
        if what != "removes" and not os.path.lexists(path):
            make(path, what)
            if what == "file":
                self.kept[path] = path.read_text()

    def install(self) -> None:
        result = self.untouched(lambda: install_overlay(self.state, self.source, FILES))
        assert result.outcome == "ready"
        assert {file.outcome for file in result.files} <= {"written", "unchanged"}
        shown = status_overlay(self.overlay, FILES)
        assert (shown.outdated, shown.hidden) == ((), tuple(result.hidden))
        for folder in FOLDERS:
            self.shows(folder, result.hidden)
            if not self.has_lost_track:
                self.shows_no_more(folder)
        before = everything_below(self.state)
        self.untouched(lambda: install_overlay(self.state, self.source, FILES))
        assert everything_below(self.state) == before

    def shows(self, folder: str, hidden: tuple[str, ...]) -> None:
        """Every entry of the user's is a link, or something of the agent's stands there and that is told."""
        if not (self.source / folder).is_dir():
            return
        for entry in os.listdir(self.source / folder):
            place = self.overlay / folder / entry
            if entry in OURS or (folder == "" and entry in PLUGIN_FOLDERS):
                assert not place.is_symlink()
            elif os.path.join(folder, entry) in hidden:
                assert os.path.lexists(place)
            else:
                assert os.readlink(place) == str(self.source / folder / entry)

    def shows_no_more(self, folder: str) -> None:
        """No link is left of what the user no longer has."""
        place = self.overlay / folder
        links = {path.name for path in place.iterdir() if path.is_symlink()} if place.is_dir() else set()
        has = self.source / folder
        assert links <= (set(os.listdir(has)) if has.is_dir() else set())

    def untouched(self, act: Callable[[], Any]) -> Any:
        """What is done changes nothing of the user's, and nothing that the agent made."""
        before = everything_below(self.source)
        result = act()
        assert everything_below(self.source) == before
        assert {path: path.read_text() for path in self.kept} == self.kept
        return result


def make(path: Path, what: str) -> None:
    if what == "folder":
        path.mkdir()
    elif what == "link":
        path.symlink_to(path.parent)
    else:
        path.write_text(str(path))


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@settings(max_examples=80, deadline=None)
@given(steps)
def test_an_overlay_shows_all_there_is_and_destroys_nothing(
    script: list[tuple[str, tuple[str, str]]],
) -> None:
    with TemporaryDirectory(prefix="orca") as folder:
        world = World(Path(folder))
        for verb, (place, name) in script:
            world.take(verb, place, name)
        world.install()
