"""After a reboot: the places are back, and programs go on where they can."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import psutil
import pytest

from orca_tui.agents.registry import Agents
from orca_tui.base.errors import NotFound
from orca_tui.base.ids import PaneId
from orca_tui.client.blocking import Client
from orca_tui.commands.keys import KEYS, KeysRequest
from orca_tui.commands.server_stop import SERVER_STOP, ServerStopRequest
from orca_tui.commands.sessions import (
    FORGET,
    RESTORE,
    SESSIONS,
    ForgetRequest,
    RestoreReply,
    RestoreRequest,
    SessionRow,
)
from orca_tui.commands.spec import Empty
from orca_tui.server.opening import Opener
from orca_tui.server.preparing import Preparer
from orca_tui.server.restoring import How, Restorer, Return, returning
from orca_tui.server.saved_session import SavedPane, SavedSession, decoded
from orca_tui.status.events import SessionChanged
from orca_tui.status.record import Source
from tests.server.rooms import Rooms
from tests.server.test_app import Home, ended, home  # noqa: F401 - the fixture
from tests.server.test_reviving import crash, keeper_of, open_, panes, screen, shows, until

CLAUDE = ("claude", "11111111-2222-3333-4444-555555555555")


def saved(**changes: object) -> SavedPane:
    fields = {"id": "p1", "command": (), "asked": (), "directory": "/srv", "size": (80, 24)}
    return SavedPane(**(fields | changes))  # type: ignore[arg-type]


SHELL = {"closes_on_clean_exit": True, "asked": ("/bin/bash",)}
AGENT = {"agent": "claude", "asked": ("claude", "--model", "opus"), "resumes": CLAUDE}


@pytest.mark.parametrize(
    ("pane", "expected"),
    [
        (saved(**SHELL), Return(how=How.STARTED, command=(), agent=None)),
        (
            saved(**SHELL, resumes=CLAUDE, prompted=True, runs_agent=True),
            Return(how=How.STARTED, command=(), agent=None, typed=f"claude --resume {CLAUDE[1]}"),
        ),
        (
            saved(**SHELL, resumes=CLAUDE, prompted=True),
            Return(how=How.STARTED, command=(), agent=None),
        ),
        (
            saved(**AGENT, prompted=True),
            Return(
                how=How.RESUMED,
                command=("claude", "--resume", CLAUDE[1], "--model", "opus"),
                agent="claude",
            ),
        ),
        (
            saved(**AGENT),
            Return(how=How.STARTED, command=("claude", "--model", "opus"), agent="claude"),
        ),
        (
            saved(**(AGENT | {"asked": ("/opt/bin/claude",)}), prompted=True),
            Return(how=How.RESUMED, command=("/opt/bin/claude", "--resume", CLAUDE[1]), agent="claude"),
        ),
        (
            saved(**(AGENT | {"asked": ("npx", "claude")}), prompted=True),
            Return(how=How.RESUMED, command=("npx", "claude", "--resume", CLAUDE[1]), agent="claude"),
        ),
        (
            saved(**AGENT, prompted=True, exit_code=0),
            Return(
                how=How.ENDED,
                command=("claude", "--resume", CLAUDE[1], "--model", "opus"),
                agent="claude",
            ),
        ),
        (
            saved(**AGENT, exit_code=1, held=True),
            Return(how=How.ENDED, command=("claude", "--model", "opus"), agent="claude"),
        ),
        (
            saved(**AGENT, held=True),
            Return(how=How.HELD, command=("claude", "--model", "opus"), agent="claude"),
        ),
        (
            saved(**SHELL, exit_code=1, resumes=CLAUDE, prompted=True),
            Return(how=How.ENDED, command=(), agent=None),
        ),
        (
            saved(asked=("npm", "run", "dev"), relaunch=True, exit_code=1),
            Return(how=How.ENDED, command=("npm", "run", "dev"), agent=None),
        ),
        (
            saved(agent="codex", asked=("codex",), resumes=("codex", "x"), prompted=True),
            Return(how=How.RESUMED, command=("codex", "resume", "x"), agent="codex"),
        ),
        (
            saved(asked=("npm", "run", "dev")),
            Return(how=How.HELD, command=("npm", "run", "dev"), agent=None),
        ),
        (
            saved(asked=("npm", "run", "dev"), relaunch=True),
            Return(how=How.STARTED, command=("npm", "run", "dev"), agent=None),
        ),
    ],
)
def test_each_pane_comes_back_as_it_can(pane: SavedPane, expected: Return) -> None:
    assert returning(pane, Agents(), run=False) == expected


def test_other_commands_run_at_once_when_somebody_says_so_and_what_had_ended_does_not() -> None:
    assert returning(saved(asked=("make",)), Agents(), run=True).how is How.STARTED
    assert returning(saved(asked=("make",), exit_code=2), Agents(), run=True).how is How.ENDED


@pytest.mark.anyio
async def test_a_session_restored_twice_makes_no_two_panes_of_one_inbox(inside: Rooms) -> None:
    session = inside.session
    pane = inside.pane()
    held = saved(id=pane.id, asked=("npm", "run", "dev"), inbox="pane:kept")
    before = SavedSession(server="default", saved_at=1.0, layout=session.layout, panes=(held,))
    preparer = Preparer(
        versions=session.versions,
        consent=session.consent,
        plugin=(),
        agents=session.parts.agents,
        state_dir=session.parts.paths.state_dir,
    )
    restorer = Restorer(session, Opener(session, inside.observer, preparer))

    [first] = (await restorer.restore("s1", before, run=False, environment=None)).panes
    claude = SessionChanged(at=1.0, source=Source.HOOK, session_id="ses_1", agent="claude")
    session.observe(PaneId(first), [claude])
    [second] = (await restorer.restore("s1", before, run=False, environment=None)).panes

    inboxes = [session.panes[PaneId(one)].facts.inbox for one in (first, second)]
    assert inboxes[0] == "pane:kept" != inboxes[1]
    assert session.notices.home("pane:kept") is None, "it is in a session now"


def reboot(home: Home, pid: int) -> None:  # noqa: F811
    """Everything is killed at once, and the runtime directory is empty."""
    keeper = keeper_of(home)
    children = psutil.Process(keeper).children()
    os.kill(pid, signal.SIGKILL)
    os.kill(keeper, signal.SIGKILL)
    ended(pid)
    for child in children:
        child.kill()
    shutil.rmtree(home.paths.runtime_dir)
    home.start()


def sessions(client: Client) -> tuple[SessionRow, ...]:
    return client.call(SESSIONS, Empty()).sessions


def restore(client: Client, **options: object) -> RestoreReply:
    environment = {"PATH": os.environ["PATH"], "PS1": "$ ", "SHELL": "/bin/sh"}
    return client.call(RESTORE, RestoreRequest(**{"environment": environment, **options}))  # type: ignore[arg-type]


def test_layout_shells_and_commands_are_back_after_a_reboot(home: Home, tmp_path: Path) -> None:  # noqa: F811
    pid = home.start()
    with home.client() as client:
        shell = open_(client, cwd=str(tmp_path), name="mine")
        command = open_(
            client, "/bin/sh", "-c", "echo run $WHAT; cat", split="right", beside=shell,
            set_environment=(("WHAT", "again"),),
        )  # fmt: skip
        done = open_(client, "/bin/sh", "-c", "echo ended; exit 3")
        until(lambda: panes(client)[done].exit_code == 3, "it ends")
        before = panes(client)
    reboot(home, pid)

    with home.client() as client:
        assert panes(client) == {}
        (row,) = sessions(client)
        assert (row.session, row.panes, row.workspaces) == ("s1", 3, 1)
        reply = restore(client)
        assert (reply.panes, set(reply.held)) == ((shell, command, done), {command, done})
        after = panes(client)
        for pane, info in before.items():
            assert (info.tab, info.workspace, info.name, info.cwd) == (
                after[pane].tab,
                after[pane].workspace,
                after[pane].name,
                after[pane].cwd,
            )
        assert after[shell].pid is not None
        assert after[command].pid is None
        shows(client, command, "Enter runs it again")
        client.call(KEYS, KeysRequest(pane=command, keys=("x", "enter")))
        shows(client, command, "run again")
        assert sessions(client) == ()


def test_held_commands_are_held_by_the_next_server_too(home: Home) -> None:  # noqa: F811
    pid = home.start()
    with home.client() as client:
        command = open_(client, "/bin/sh", "-c", "echo started; cat")
        shows(client, command, "started")
    reboot(home, pid)
    with home.client() as client:
        restore(client)
    pid = home.pids[-1]
    crash(home, pid)
    home.start()

    with home.client() as client:
        assert panes(client)[command].pid is None
        assert "Enter runs it again" in screen(client, command)
        client.call(KEYS, KeysRequest(pane=command, keys=("enter",)))
        shows(client, command, "started")


def test_what_had_ended_comes_back_as_ended_after_a_stop_and_a_reboot_and_starts_by_enter_alone(
    home: Home,  # noqa: F811
) -> None:
    program = home.root / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && exit\necho run >>$HOME/runs; echo last words; exit 3\n'
    )
    program.chmod(0o755)
    path, own = f"{program.parent}:{os.environ['PATH']}", str(home.root)
    pid = home.start()
    with home.client() as client:
        pane = open_(
            client,
            agent="claude",
            environment={"PATH": path},
            set_environment=(("PATH", path), ("HOME", own)),
        )
        until(lambda: panes(client)[pane].exit_code == 3, "it ends")
        shell = open_(client)
    for stopped in (True, False):
        if stopped:
            with home.client() as client:
                client.call(SERVER_STOP, ServerStopRequest(yes=True))
            ended(pid)
            home.start()
        else:
            reboot(home, pid)
        pid = home.pids[-1]
        with home.client() as client:
            reply = restore(client)
            after = panes(client)[pane]
            assert (after.status, after.exit_code, after.pid) == ("exited", 3, None)
            assert (set(reply.panes), reply.held, reply.resumed) == ({pane, shell}, (pane,), ())
            text = screen(client, pane)
            assert text.count("last words") == text.count("Enter runs it again") == 1
    assert (home.root / "runs").read_text() == "run\n"

    crash(home, pid)
    home.start()
    with home.client() as client:
        assert panes(client)[pane].exit_code == 3
        client.call(KEYS, KeysRequest(pane=pane, keys=("x", "enter")))
        until(
            lambda: screen(client, pane).count("last words") == 2, "it runs again, below what it said before"
        )
        until(lambda: panes(client)[pane].exit_code == 3, "and ends again")
    assert (home.root / "runs").read_text() == "run\nrun\n"


def test_a_session_restored_beside_others_gets_new_ids(home: Home) -> None:  # noqa: F811
    pid = home.start()
    with home.client() as client:
        old = [open_(client), open_(client)]
    reboot(home, pid)
    with home.client() as client:
        new = open_(client)

        reply = restore(client)

        assert new == old[0]
        assert set(reply.panes).isdisjoint({new})
        assert len(panes(client)) == 3
        assert len({info.workspace for info in panes(client).values()}) == 2


def test_a_stopped_server_leaves_its_session_to_be_restored_or_forgotten(home: Home) -> None:  # noqa: F811
    pid = home.start()
    with home.client() as client:
        open_(client)
        client.call(SERVER_STOP, ServerStopRequest())
    ended(pid)
    home.start()

    with home.client() as client:
        assert [row.session for row in sessions(client)] == ["s1"]
        client.call(FORGET, ForgetRequest(session="s1"))
        assert sessions(client) == ()
        with pytest.raises(NotFound, match="no session is saved"):
            restore(client)
        with pytest.raises(NotFound, match="no saved session 's1'"):
            client.call(FORGET, ForgetRequest(session="s1"))


def test_an_agent_is_resumed_by_its_own_option(home: Home) -> None:  # noqa: F811
    """A stand-in that prints its arguments; its prompt is what its hook would have posted."""
    program = home.root / "bin" / "claude"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "args $@"\nprintf "\\033]0;⠂ task\\007"; cat\n')
    program.chmod(0o755)
    environment = {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(home.root)}
    pid = home.start()
    with home.client() as client:
        pane = open_(client, agent="claude", environment=environment)
        shows(client, pane, "args")
        session_id = panes(client)[pane].session_id
        file = home.paths.session_dir("default") / "session.json"
        until(lambda: decoded(file.read_bytes()).panes[0].prompted, "it is written down that a turn began")
    reboot(home, pid)

    with home.client() as client:
        reply = restore(client, environment=environment)
        assert reply.resumed == (pane,)
        shows(client, pane, f"--resume {session_id}")
