"""Gemini CLI: what its title says, and how it is launched."""

from __future__ import annotations

from orca_tui.agents.gemini import Gemini
from orca_tui.agents.launching import LaunchContext

CONTEXT = LaunchContext(version="2.0.0", session_id="NEW", folder="", hook="post")


def test_it_is_launched_as_it_was_given() -> None:
    assert Gemini().launch(["gemini", "-x", "y"], CONTEXT).argv == ("gemini", "-x", "y")


def test_nothing_is_proven_by_its_first_rest() -> None:
    assert Gemini().profile.first_rest_proves_nothing
