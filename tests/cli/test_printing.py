"""Replies as text for people."""

from __future__ import annotations

import io
import sys

import pytest

from orca_tui.__main__ import Program
from orca_tui.cli.printing import FOR_PEOPLE, print_item, print_reply
from orca_tui.cli.session import Session
from orca_tui.commands.agents import AGENTS, ALLOW, AgentRow, AgentsReply, ConsentReply
from orca_tui.commands.authority import GRANTS, REVOKE, WHOAMI, Grants, GrantsReply, WhoamiReply
from orca_tui.commands.events import EVENTS, ClosedEvent, EventItem
from orca_tui.commands.explain import EXPLAIN, ExplainReply, MissingSource, Observed
from orca_tui.commands.get import GET
from orca_tui.commands.index import PLACES, load
from orca_tui.commands.list import LIST, ListReply
from orca_tui.commands.open import OPEN, OpenReply
from orca_tui.commands.spec import Empty
from orca_tui.config import Environment
from orca_tui.status.record import Kind, Status
from orca_tui.wire import PaneInfo

NOW = 1_700_000_000.0


class FixedClock:
    def now(self) -> float:
        return NOW

    def monotonic(self) -> float:
        return 0.0


@pytest.fixture
def session() -> Session:
    program = Program(Environment({"HOME": "/home/u", "XDG_RUNTIME_DIR": "/run/u"}))
    program.clock = FixedClock()
    return Session(program)


def listed(session: Session, capsys: pytest.CaptureFixture[str], *panes: PaneInfo) -> list[str]:
    print_reply(session, LIST, ListReply(panes=panes))
    return capsys.readouterr().out.splitlines()


def test_no_panes_are_told_with_what_to_do(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(session, capsys) == ["no panes; `orca-tui open -- CMD` opens one"]


def test_a_row_tells_glyph_word_time_place_and_the_ask(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    waiting = PaneInfo(
        pane="p4", agent="opencode", status=Status.WAITING, kind=Kind.PERMISSION, message='run "git push"',
        since=NOW - 130, unread=True, tab="t2", cwd="/home/u/src/api", title="ignored",
    )  # fmt: skip
    working = PaneInfo(
        pane="p11", agent="claude", status=Status.WORKING, prompt="fix the tests", since=NOW - 5, tab="t1",
        cwd="/home/u",
    )  # fmt: skip

    assert listed(session, capsys, waiting, working) == [
        "   PANE  STATUS                SINCE  AGENT     TAB  DIRECTORY  WHAT",
        '▲  p4 ◆  waiting (permission)  2m     opencode  t2   ~/src/api  run "git push"',
        "●  p11   working               5s     claude    t1   ~          fix the tests",
    ]


@pytest.mark.parametrize(
    ("pane", "what"),
    [
        (PaneInfo(pane="p1", command=("htop", "-d", "5")), "htop -d 5"),
        (PaneInfo(pane="p1", command=("vim",), title="notes.md"), "notes.md"),
        (PaneInfo(pane="p1", command=("vim",), title="notes.md", name="mine"), "mine"),
        (PaneInfo(pane="p1", status=Status.WORKING, prompt="do it", tool="bash"), "bash"),
        (PaneInfo(pane="p1", status=Status.DONE, prompt="do it", title="t"), "t"),
        (PaneInfo(pane="p1", status=Status.ERROR, message="429 slow down", title="t"), "429 slow down"),
        (PaneInfo(pane="p1", status=Status.EXITED, exit_code=3, command=("make",)), "exit 3: make"),
        (PaneInfo(pane="p1", status=Status.EXITED, exit_code=-9, command=("make",)), "signal 9: make"),
        (PaneInfo(pane="p1", title="a\x1b[31mb\u202ec"), "a [31mb c"),
    ],
)
def test_the_last_column_tells_the_one_thing_worth_knowing(
    session: Session, capsys: pytest.CaptureFixture[str], pane: PaneInfo, what: str
) -> None:
    assert listed(session, capsys, pane)[1].endswith(f"  {what}")


@pytest.mark.parametrize("status", [Status.UNKNOWN, Status.IDLE])
def test_a_plain_shell_has_no_status_and_its_json_keeps_the_field(
    session: Session, capsys: pytest.CaptureFixture[str], status: Status
) -> None:
    shell = PaneInfo(pane="p1", status=status, since=NOW - 5, tab="t1", command=("bash",))
    assert listed(session, capsys, shell)[1].split() == ["›", "p1", "shell", "t1", "bash"]

    print_reply(session, GET, shell)
    assert ["status", "shell"] in [line.split() for line in capsys.readouterr().out.splitlines()]

    explained = ExplainReply(
        pane=shell, verdict="no status", source=None, rule=None, missing=(), observations=()
    )
    print_reply(session, EXPLAIN, explained)
    assert capsys.readouterr().out.startswith("› p1: no status")

    session.json = True
    print_reply(session, GET, shell)
    assert f'"status":"{status}"' in capsys.readouterr().out


def test_a_status_that_is_no_longer_confirmed_is_marked(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        "working?" in listed(session, capsys, PaneInfo(pane="p1", status=Status.WORKING, confirmed=False))[1]
    )


def test_a_stdout_that_has_no_glyphs_gets_ascii(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", errors="strict"))
    panes = tuple(
        PaneInfo(pane=f"p{at}", agent="pi", status=status, unread=True) for at, status in enumerate(Status)
    )

    print_reply(session, LIST, ListReply(panes=panes))

    marks = [line[:1] for line in raw.getvalue().decode().splitlines()[1:]]
    assert marks == ["?", "o", "*", "!", "+", "x", "#"]


def test_a_record_is_told_field_by_field_without_what_is_unknown(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    print_reply(session, GET, PaneInfo(pane="p1", status=Status.DONE, turns=2, size=(80, 24)))

    fields = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert (fields["status"], fields["turns"], fields["size"]) == ("done", "2", "[80,24]")
    assert "agent" not in fields


def test_an_explanation_tells_the_verdict_and_what_became_of_each_observation(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = (
        Observed(at=NOW - 60, source="plugin", what="busy", taken=True, why="rule 1", status="working"),
        Observed(at=NOW - 1, source="title", what="idle", taken=False, why="weaker", status="working"),
    )

    print_reply(
        session,
        EXPLAIN,
        ExplainReply(
            pane=PaneInfo(pane="p1", status=Status.WORKING),
            verdict="working, because ...",
            source="plugin",
            rule="rule 1",
            missing=(MissingSource(source="hook", why="hooks are off", since=1.0, fix="`do it`"),),
            observations=seen,
        ),
    )

    assert capsys.readouterr().out.splitlines() == [
        "● p1: working, because ...",
        "  by rule 1",
        "  missing: hooks are off",
        "  -> `do it`",
        "1m ago  plugin  busy  taken: rule 1    -> working",
        "1s ago  title   idle  ignored: weaker  -> working",
    ]


def test_how_to_go_on_with_a_session_is_told_as_a_shell_reads_it(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    pane = PaneInfo(pane="p1", agent="claude", resume=("claude", "--resume", "a b"))

    print_reply(session, GET, pane)
    assert "claude --resume 'a b'" in capsys.readouterr().out

    print_reply(
        session,
        EXPLAIN,
        ExplainReply(pane=pane, verdict="idle", source=None, rule=None, missing=(), observations=()),
    )
    assert "  resume with: claude --resume 'a b'" in capsys.readouterr().out.splitlines()


def test_agents_are_told_with_what_they_ask_for(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    codex = AgentRow(
        name="codex",
        title="Codex",
        path="/bin/codex",
        version="1.0",
        evidence=("hook",),
        consent="not asked",
        asks="May it?",
    )
    amp = AgentRow(name="amp", title="Amp")

    print_reply(session, AGENTS, AgentsReply(agents=(codex, amp)))

    assert capsys.readouterr().out.splitlines() == [
        "AGENT  VERSION  FOUND AT    EVIDENCE  CONSENT",
        "codex  1.0      /bin/codex  hook      not asked",
        "amp             not found             not needed",
        "`orca-tui agents allow codex`: May it?",
    ]

    print_reply(session, ALLOW, ConsentReply(agent="codex", consent="allowed", done="from now on"))
    assert capsys.readouterr().out == "codex: allowed; from now on\n"


def test_json_is_the_whole_record(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.json = True

    print_reply(session, LIST, ListReply(panes=(PaneInfo(pane="p1"), PaneInfo(pane="p2"))))

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all(line.startswith('{"pane":"p') for line in lines)


@pytest.mark.parametrize(
    ("caller", "told"),
    [
        (WhoamiReply(pane=None, authority="all"), "outside of all panes: everything is allowed"),
        (WhoamiReply(pane="p1", authority="own"), "in a pane that is gone: names and statuses are told"),
        (WhoamiReply(pane="p1", authority="own", drives=("p1", "p3")), "in p1: may drive p1, p3"),
        (
            WhoamiReply(pane="p1", authority="tab", drives=("p1",), reads=("p2",)),
            "in p1: may drive p1; may read p2",
        ),
        (
            WhoamiReply(pane="p1", authority="all", drives=("p1",)),
            "in p1: everything but grants is allowed",
        ),
    ],
)
def test_a_caller_is_told_where_it_is_and_what_it_may_do(
    session: Session, capsys: pytest.CaptureFixture[str], caller: WhoamiReply, told: str
) -> None:
    print_reply(session, WHOAMI, caller)

    assert capsys.readouterr().out == f"{told}\n"


def test_grants_are_told_pane_by_pane(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    print_reply(session, GRANTS, GrantsReply(grants=(Grants(pane="p1", granted=("p2", "tab")),)))
    print_reply(session, GRANTS, GrantsReply(grants=()))
    print_reply(session, REVOKE, Grants(pane="p1", granted=()))

    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:2]] == [["PANE", "MAY", "DRIVE"], ["p1", "p2", "tab"]]
    assert lines[2:] == ["nothing was granted", "p1: nothing granted"]


def test_every_reply_has_words_for_people() -> None:
    replies = {
        name
        for name in PLACES
        if (spec := load(name)).typed and not spec.internal and not spec.stream and spec.reply is not Empty
    }

    assert replies == set(FOR_PEOPLE)


def test_an_opened_pane_is_told_by_its_id_alone(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    print_reply(session, OPEN, OpenReply(pane="p3", tab="t1", workspace="w1"))

    assert capsys.readouterr().out == "p3\n"


@pytest.mark.parametrize(("terminal", "line"), [(True, "p1 closed\n"), (False, '{"type":"closed",')])
def test_events_are_words_on_a_terminal_and_json_elsewhere(
    session: Session, monkeypatch: pytest.MonkeyPatch, terminal: bool, line: str
) -> None:
    class Output(io.StringIO):
        def isatty(self) -> bool:
            return terminal

    output = Output()
    monkeypatch.setattr(sys, "stdout", output)

    print_item(session, EVENTS, EventItem(event=ClosedEvent(pane="p1", at=1.0)))

    assert output.getvalue().startswith(line)
