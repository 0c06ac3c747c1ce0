"""From looks at the process table: who is in front, and whether the agent is gone."""

from __future__ import annotations

from orca_tui.status.events import AgentGone, AgentRecognised
from orca_tui.status.reconcile import CONSISTENT_S, Look, Member, Watch, look_again_in, looked

SHELL = Member(pid=10, started=1.0)
CLAUDE = Member(pid=20, started=2.0, agent="claude")
CODEX = Member(pid=30, started=3.0, agent="codex")
HELPER = Member(pid=40, started=4.0)


def look(at: float, *members: Member, shell: bool = False, alive: bool = False) -> Look:
    return Look(at=at, shell_in_front=shell, members=members, agent_alive=alive)


def shell_alone(at: float, *, alive: bool = False) -> Look:
    return look(at, SHELL, shell=True, alive=alive)


def after(*looks: Look, watch: Watch | None = None) -> tuple[Watch, list[AgentRecognised | AgentGone]]:
    watch, events = watch or Watch(agent=CLAUDE), []
    for one in looks:
        watch, found = looked(watch, one)
        events += found
    return watch, events


def test_an_agent_in_the_foreground_is_recognised_at_once_and_only_once() -> None:
    watch, events = after(look(1, CLAUDE, alive=True), look(2, CLAUDE, alive=True), watch=Watch())

    assert [event.agent for event in events if isinstance(event, AgentRecognised)] == ["claude"]
    assert watch.agent == CLAUDE


def test_two_looks_apart_that_see_the_shell_alone_mean_gone() -> None:
    _, early = after(shell_alone(1), shell_alone(1 + CONSISTENT_S / 2))
    watch, events = after(shell_alone(1), shell_alone(1 + CONSISTENT_S))

    assert early == []
    assert events == [AgentGone(at=1 + CONSISTENT_S)]
    assert watch == Watch()


def test_one_look_proves_nothing() -> None:
    watch, events = after(shell_alone(1))

    assert events == []
    assert look_again_in(watch, 1) == CONSISTENT_S
    assert look_again_in(watch, 9) == 0
    assert look_again_in(Watch(), 9) is None


def test_the_agent_or_a_helper_of_its_between_the_looks_breaks_the_row() -> None:
    for between in (look(1.1, CLAUDE, alive=True), look(1.1, HELPER, alive=True)):
        _, events = after(shell_alone(1), between, shell_alone(1.3))
        assert events == []


def test_a_look_that_could_not_be_made_proves_nothing_and_breaks_nothing() -> None:
    blind = Look(at=1.1, shell_in_front=False, members=None, agent_alive=False)

    _, events = after(shell_alone(1), blind, shell_alone(1.3))

    assert events == [AgentGone(at=1.3)]


def test_an_agent_that_was_stopped_is_not_gone() -> None:
    _, events = after(shell_alone(1, alive=True), shell_alone(5, alive=True))

    assert events == []


def test_another_agent_inside_a_living_one_is_nested() -> None:
    watch, events = after(look(1, CODEX, alive=True))

    assert events == []
    assert watch.agent == CLAUDE


def test_another_agent_takes_the_place_of_a_dead_one() -> None:
    watch, events = after(look(1, CODEX, alive=False))

    assert [event.agent for event in events if isinstance(event, AgentRecognised)] == ["codex"]
    assert watch.agent == CODEX


def test_a_wrapper_that_hands_over_to_its_own_agent_is_followed() -> None:
    child = Member(pid=21, started=2.5, agent="claude")

    watch, _ = after(look(1, child, alive=True))

    assert watch.agent == child


def test_an_agent_that_only_reported_itself_leaves_as_well() -> None:
    _, events = after(shell_alone(1), shell_alone(2), watch=Watch())

    assert events == [AgentGone(at=2)]
