"""For the tests of overlays: a user who keeps OpenCode's configuration in a folder of their own."""

from __future__ import annotations

from pathlib import Path

from status_plugin.generate import PLUGIN_FILE_NAME, SCREEN_FILE_NAME, plugin_files
from status_plugin.manifest import MANIFEST_NAME
from status_plugin.overlay import OverlayResult, install_overlay, overlay_path
from tests.status_plugin.folders import names_in

FILES = plugin_files()
OURS = [SCREEN_FILE_NAME.partition("/")[0], PLUGIN_FILE_NAME]
FOREIGN = "// my own plugin\nexport default {}\n"


class User:
    """A user's folder and the state directory that its overlay is made in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.source = root / "mine"
        self.state = root / "state"

    def has(self, **files: str) -> User:
        """Files by their path, with `__` for `/` and `_` for `.`: `plugins__a_js`."""
        for name, content in files.items():
            path = self.source / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return self

    def install(self) -> OverlayResult:
        return install_overlay(self.state, self.source, FILES)

    @property
    def overlay(self) -> Path:
        return overlay_path(self.state, self.source)

    def shown(self, folder: str = "") -> list[str]:
        """What the overlay's folder has, without what is ours."""
        return [name for name in names_in(self.overlay / folder) if name not in (*OURS, MANIFEST_NAME)]
