"""What an overlay writes down of its links, and how little of it is believed."""

from __future__ import annotations

import json

import pytest

from status_plugin.manifest import MANIFEST_NAME
from tests.status_plugin.folders import (
    everything_below,
)
from tests.status_plugin.users import User


class TestManifest:
    def listed(self, user: User) -> dict[str, list[str]]:
        links: dict[str, list[str]] = json.loads((user.overlay / MANIFEST_NAME).read_text())["links"]
        return links

    def test_it_lists_what_is_shown_and_of_which_folder(self, user: User) -> None:
        user.install()

        assert json.loads((user.overlay / MANIFEST_NAME).read_text()) == {
            "version": 1,
            "source": str(user.source),
            "links": {"": ["agent", "opencode.json"], "plugins": ["a.js"]},
        }

    @pytest.mark.parametrize(
        "text", ["", "{", "[]", "{}", '{"version": 1, "source": 1, "links": {}}', "\0" * 99]
    )
    def test_a_damaged_one_costs_nothing_but_leftovers(self, user: User, text: str) -> None:
        user.install()
        (user.overlay / MANIFEST_NAME).write_text(text)
        (user.source / "opencode.json").unlink()

        assert user.install().outcome == "ready"
        assert user.shown() == ["agent", "opencode.json", "plugins"]
        assert self.listed(user)[""] == ["agent"]

    def test_names_that_lead_out_of_the_overlay_are_not_believed(self, user: User) -> None:
        user.install()
        manifest = json.loads((user.overlay / MANIFEST_NAME).read_text())
        manifest["links"][""] += ["..", "../../../mine/opencode.json", "/etc/passwd"]
        (user.overlay / MANIFEST_NAME).write_text(json.dumps(manifest))

        user.install()

        assert (user.source / "opencode.json").exists()

    def test_links_that_a_crash_left_behind_are_known_and_taken_back(self, user: User) -> None:
        user.install()
        manifest = json.loads((user.overlay / MANIFEST_NAME).read_text())
        manifest["links"][""].append("gone.json")  # As it is written before a link is made.
        (user.overlay / MANIFEST_NAME).write_text(json.dumps(manifest))
        (user.overlay / "gone.json").symlink_to(user.source / "gone.json")

        user.install()

        assert user.shown() == ["agent", "opencode.json", "plugins"]

    def test_an_overlay_of_a_newer_orca_tui_is_used_as_it_is(self, user: User) -> None:
        user.install()
        manifest = json.loads((user.overlay / MANIFEST_NAME).read_text())
        (user.overlay / MANIFEST_NAME).write_text(json.dumps(manifest | {"version": 2}))
        (user.source / "opencode.json").unlink()
        before = everything_below(user.state)

        result = user.install()

        assert (result.outcome, [file.outcome for file in result.files]) == ("ready", ["newer", "newer"])
        assert everything_below(user.state) == before
