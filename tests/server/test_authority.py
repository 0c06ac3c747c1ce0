"""What programs in panes may do: the rules, and that no command escapes them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from orca_tui.commands.spec import Command, Reach
from orca_tui.commands.table import COMMANDS
from orca_tui.server.authority import ELSEWHERE, Rights, decide

OWN = Rights(pane="p1", drives=frozenset({"p1", "p3"}))
IN_TAB = Rights(pane="p1", level="tab", drives=frozenset({"p1"}), reads=frozenset({"p1", "p2"}))
ALL = Rights(pane="p1", level="all", drives=frozenset({"p1"}))
GONE = Rights(pane="p1")

FURTHER_THAN_NAMES = (Reach.WORDS, Reach.HANDS, Reach.SERVER)
OPEN_TO_ALL = {
    "server status",
    "list",
    "get",
    "events",
    "active",
    "grants",
    "whoami",
    "agents list",
    "sessions list",
}
"""What everybody may ask, told without what was said in other panes."""
NAMES_PLACES = {"open": {"tab", "workspace"}, "move": {"workspace"}, "events": {"pane"}, "get": {"pane"}}
"""Fields that name where something goes, or something whose names and statuses everybody may know."""


@pytest.mark.parametrize("reach", Reach)
def test_who_is_outside_may_do_everything(reach: Reach) -> None:
    assert decide(None, reach, ("p1", "p2", ELSEWHERE)).allowed


@pytest.mark.parametrize("rights", [OWN, IN_TAB, ALL, GONE])
def test_everybody_is_told_names_and_nobody_in_a_pane_grants(rights: Rights) -> None:
    assert decide(rights, Reach.NAMES, ("p2",)).allowed
    assert not decide(rights, Reach.GRANTS, ("p1",)).allowed


@pytest.mark.parametrize("reach", FURTHER_THAN_NAMES)
def test_a_pane_that_is_gone_has_nothing_left(reach: Reach) -> None:
    verdict = decide(GONE, reach, ("p1",))

    assert (verdict.allowed, verdict.rule, verdict.grant) == (False, 4, ())


@pytest.mark.parametrize("reach", FURTHER_THAN_NAMES)
def test_with_all_everything_else_is_allowed(reach: Reach) -> None:
    assert decide(ALL, reach, ("p9", ELSEWHERE)).allowed


@pytest.mark.parametrize("reach", [Reach.WORDS, Reach.HANDS])
def test_a_pane_drives_itself_and_what_it_opened_and_no_other(reach: Reach) -> None:
    assert decide(OWN, reach, ()).allowed
    assert decide(OWN, reach, ("p1", "p3")).allowed
    assert not decide(OWN, reach, ("p2",)).allowed


def test_a_tab_is_talked_with_and_not_driven() -> None:
    assert decide(IN_TAB, Reach.WORDS, ("p1", "p2")).allowed
    assert not decide(IN_TAB, Reach.WORDS, ("p2", "p4")).allowed
    assert not decide(IN_TAB, Reach.HANDS, ("p2",)).allowed


def test_of_several_panes_all_must_be_allowed_and_the_rest_is_what_can_be_granted() -> None:
    verdict = decide(OWN, Reach.HANDS, ("p4", "p1", "p2"))

    assert (verdict.allowed, verdict.beyond, verdict.grant) == (False, ("p2", "p4"), ("p2", "p4"))


@pytest.mark.parametrize("rights", [OWN, IN_TAB])
def test_the_server_and_sessions_without_a_pane_need_all(rights: Rights) -> None:
    assert decide(rights, Reach.SERVER, ()).grant == ("all",)
    assert decide(rights, Reach.WORDS, ("p1", ELSEWHERE)).grant == ("all",)


@pytest.mark.parametrize("command", COMMANDS, ids=[command.name for command in COMMANDS])
def test_no_command_escapes_the_rules(command: Command[Any, Any]) -> None:
    """What is not open to all is refused for another pane, and names that pane where the rules look for it."""
    touches = command.touches
    fields = {field.name for field in msgspec.structs.fields(command.request)}

    assert (touches.reach is Reach.NAMES) == (command.name in OPEN_TO_ALL)
    assert set(touches.targets) | set(touches.server_if) <= fields
    if touches.reach in (Reach.WORDS, Reach.HANDS):
        assert touches.targets
        assert not decide(OWN, touches.reach, ("p2",)).allowed
    if touches.reach is not Reach.SERVER and touches.reach is not Reach.GRANTS:
        naming = fields & {"pane", "target", "beside", "tab", "workspace", "session"}
        assert naming - NAMES_PLACES.get(command.name, set()) <= set(touches.targets)
