"""A server that dies or leaves, and the next one: same programs, same screens, same statuses, same places."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable

import psutil
import pytest

from orca_tui.client.blocking import Client
from orca_tui.commands.authority import GRANT, GrantRequest
from orca_tui.commands.get import GET, GetRequest
from orca_tui.commands.inbox import INBOX_LIST, InboxListRequest
from orca_tui.commands.keys import KEYS, KeysRequest
from orca_tui.commands.list import LIST
from orca_tui.commands.open import OPEN, OpenRequest
from orca_tui.commands.read import READ, ReadRequest
from orca_tui.commands.send import SEND, SendRequest
from orca_tui.commands.server_status import SERVER_STATUS
from orca_tui.commands.spec import Empty
from orca_tui.commands.targets import CLOSE, RENAME, CloseRequest, RenameRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.wire import PaneInfo
from tests.process.programs import which
from tests.server.test_app import Home, ended, home  # noqa: F401 - the fixture

LIMIT_S = 20.0

COUNT = "n=0; while :; do n=$((n+1)); echo n$n; done"
MOUSE = r"printf '\033[?1049h\033[?1003h\033[?1006h\033[2J\033[5;10Hmouse here'; cat >/dev/null"
REPORT = (
    "import os, socket, sys, urllib.parse\n"
    "def post(payload):\n"
    " s = socket.socket(socket.AF_UNIX); s.connect(os.environ['ORCA_TUI_INTAKE'])\n"
    " head = 'POST /v1/report/claude HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer %s\\r\\n'\n"
)


def vim_with_a_file(home: Home) -> tuple[str, ...]:  # noqa: F811
    file = home.root / "file"
    file.write_text("".join(f"line {number}\n" for number in range(1, 1000)))
    return which("vim"), "-u", "NONE", "-N", "-n", str(file)


def until(holds: Callable[[], bool], what: str) -> None:
    rest = threading.Event()
    for _ in range(int(LIMIT_S / 0.02)):
        if holds():
            return
        rest.wait(0.02)
    raise AssertionError(f"not within {LIMIT_S} s: {what}")


def open_(client: Client, *command: str, **options: object) -> str:
    request = OpenRequest(
        **{  # type: ignore[arg-type]
            "command": command,
            "cwd": "/",
            "environment": {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "PS1": "$ "},
            **options,
        }
    )
    return client.call(OPEN, request).pane


def screen(client: Client, pane: str) -> str:
    return client.call(READ, ReadRequest(pane=pane)).text


def shows(client: Client, pane: str, text: str) -> None:
    until(lambda: text in screen(client, pane), f"{pane} shows {text!r}: {screen(client, pane)!r}")


def panes(client: Client) -> dict[str, PaneInfo]:
    return {info.pane: info for info in client.call(LIST, Empty()).panes}


def crash(home: Home, pid: int) -> None:  # noqa: F811
    os.kill(pid, signal.SIGKILL)
    ended(pid)


def leave(home: Home, pid: int) -> None:  # noqa: F811
    os.kill(pid, signal.SIGTERM)
    assert ended(pid) == 0


ENDS = pytest.mark.parametrize("end", [crash, leave])
End = Callable[[Home, int], None]


@ENDS
def test_programs_screens_and_places_are_the_same_after_the_server_ended_twice(home: Home, end: End) -> None:  # noqa: F811
    pid = home.start()
    with home.client() as client:
        shell = open_(client, "/bin/sh", name="my shell")
        mouse = open_(client, "/bin/sh", "-c", MOUSE, split="right", beside=shell, size=(60, 20))
        vim = open_(client, *vim_with_a_file(home))
        shows(client, shell, "$")
        client.call(TYPE, TypeRequest(pane=shell, text="echo half a li"))
        shows(client, shell, "half a li")
        shows(client, mouse, "mouse here")
        shows(client, vim, "line 20")
        client.call(RENAME, RenameRequest(target=vim, name="an editor"))
        before, screens = panes(client), {pane: screen(client, pane) for pane in (shell, mouse, vim)}

    for _ in range(2):
        end(home, pid)
        pid = home.start()

    with home.client() as client:
        after = panes(client)
        assert list(after) == list(before)
        for pane, info in before.items():
            assert (info.pid, info.name, info.tab, info.workspace, info.size) == (
                after[pane].pid,
                after[pane].name,
                after[pane].tab,
                after[pane].workspace,
                after[pane].size,
            )
            assert screen(client, pane) == screens[pane]
        client.call(TYPE, TypeRequest(pane=shell, text="ne; stty size\r"))
        shows(client, shell, "half a line\n")
        client.call(KEYS, KeysRequest(pane=vim, keys=("G", "o")))
        client.call(TYPE, TypeRequest(pane=vim, text="after the crash"))
        shows(client, vim, "after the crash")
        again = open_(client, "/bin/cat")
        assert again not in before


def newest(client: Client, pane: str) -> int:
    """The number that was counted last."""
    return max((int(line[1:]) for line in screen(client, pane).split()[:-1]), default=0)


def test_no_byte_of_a_flood_is_lost_when_the_server_is_killed(home: Home) -> None:  # noqa: F811
    pid = home.start()
    with home.client() as client:
        pane = open_(client, "/bin/sh", "-c", COUNT)
        until(lambda: newest(client, pane) > 20_000, "it counts")
    for _ in range(3):
        crash(home, pid)
        pid = home.start()
        with home.client() as client:
            last = newest(client, pane)
            until(lambda last=last: newest(client, pane) > last + 5_000, "it counts on")  # type: ignore[misc]
    with home.client() as client:
        text = client.call(READ, ReadRequest(pane=pane, source="all")).text
        client.call(CLOSE, CloseRequest(target=pane, force=True))

    numbers = [int(line[1:]) for line in text.split()[1:-1]]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_a_program_that_ends_while_there_is_no_server_is_told_to_the_next(home: Home) -> None:  # noqa: F811
    pid = home.start()
    fifo = home.root / "fifo"
    os.mkfifo(fifo)
    with home.client() as client:
        pane = open_(client, "/bin/sh", "-c", f"read x <{fifo}; echo last words; exit 7")
        program = client.call(GET, GetRequest(pane=pane)).pid
        assert program is not None
    crash(home, pid)
    fifo.write_text("\n")
    until(lambda: not psutil.pid_exists(program), "the program ends")

    home.start()

    with home.client() as client:
        until(lambda: client.call(GET, GetRequest(pane=pane)).exit_code == 7, "the end is told")
        shows(client, pane, "last words")


def test_an_exited_pane_keeps_its_screen_and_code_over_two_servers(home: Home) -> None:  # noqa: F811
    pid = home.start()
    with home.client() as client:
        pane = open_(client, "/bin/sh", "-c", "echo the end; exit 3")
        until(lambda: client.call(GET, GetRequest(pane=pane)).exit_code == 3, "it ends")
    for _ in range(2):
        crash(home, pid)
        pid = home.start()

    with home.client() as client:
        assert client.call(GET, GetRequest(pane=pane)).exit_code == 3
        assert "the end" in screen(client, pane)


def test_what_a_program_has_not_read_when_the_server_leaves_reaches_it_in_order_and_once(home: Home) -> None:  # noqa: F811
    pid = home.start()
    go, got = home.root / "go", home.root / "got"
    waits = f"while [ ! -e {go} ]; do sleep 0.05; done"
    script = f"stty raw -echo; echo ready; {waits}; head -c 600000 >{got}; echo all; cat"
    text = "".join(f"{number:06d}" for number in range(100_000))
    with home.client() as client:
        pane = open_(client, "/bin/sh", "-c", script)
        shows(client, pane, "ready")
        client.call(TYPE, TypeRequest(pane=pane, text=text[:500_000]))
    leave(home, pid)
    pid = home.start()
    leave(home, pid)
    home.start()

    with home.client() as client:
        client.call(TYPE, TypeRequest(pane=pane, text=text[500_000:]))
        go.touch()
        shows(client, pane, "all")
    assert got.read_text() == text


@ENDS
def test_what_waits_for_a_pane_waits_for_it_still(home: Home, end: End) -> None:  # noqa: F811
    pid = home.start()
    with home.client() as client:
        pane = open_(client, "/bin/cat", agent="amp")
        sent = client.call(SEND, SendRequest(pane=pane, text="look"))
    end(home, pid)

    home.start()

    with home.client() as client:
        waiting = client.call(INBOX_LIST, InboxListRequest(pane=pane)).notices
        assert [(one.id, one.session, one.pane) for one in waiting] == [(sent.id, sent.session, pane)]
        assert panes(client)[pane].pending_notices == 1


@ENDS
def test_what_a_pane_was_granted_and_opened_and_where_its_programs_belong_is_known_still(
    home: Home,  # noqa: F811
    end: End,
) -> None:
    pid = home.start()
    answers = home.root / "answers"
    answers.mkdir()
    ask = f"{sys.executable} -m orca_tui"
    with home.client() as client:
        other = open_(client, "/bin/cat")
        own = open_(client, "/bin/sh", environment={**home.environment, "PS1": "$ "})
        client.call(GRANT, GrantRequest(pane=own, over=(other,)))
        client.call(TYPE, TypeRequest(pane=own, text=f"{ask} open --json -- cat >{answers}/opened\r"))
        until(lambda: (answers / "opened").exists() and (answers / "opened").read_text() != "", "it opens")
    opened = json.loads((answers / "opened").read_text())["pane"]
    end(home, pid)

    home.start()

    with home.client() as client:
        whoami = f"env -u ORCA_TUI_TOKEN {ask} whoami --json >{answers}/who\r"
        client.call(TYPE, TypeRequest(pane=own, text=whoami))
        until(lambda: (answers / "who").exists() and (answers / "who").read_text() != "", "it is told")
        told = json.loads((answers / "who").read_text())
        assert (told["pane"], set(told["drives"])) == (own, {own, other, opened})
        assert panes(client)[own].granted == (other,)

        left = (
            f"trap '' HUP; : >{answers}/up; until [ -e {answers}/go ]; do sleep 0.05; done; "
            f"env -u ORCA_TUI_TOKEN {ask} whoami --json >{answers}/left"
        )
        client.call(TYPE, TypeRequest(pane=own, text=f"({left}) &\r"))
        until((answers / "up").exists, "it is left running")
        client.call(CLOSE, CloseRequest(target=own, force=True))
        (answers / "go").touch()
        until(lambda: (answers / "left").exists() and (answers / "left").read_text() != "", "it is told")
        told = json.loads((answers / "left").read_text())
        assert (told["pane"], told["drives"]) == (own, [])


NAMES_A_SESSION = """
import json, os, socket, time
for line in iter(input, "end"):
    facts = {"hook_event_name": "SessionStart", "session_id": "ses_1", "at": time.time()}
    body = json.dumps(facts)
    s = socket.socket(socket.AF_UNIX)
    s.connect(os.environ["ORCA_TUI_INTAKE"])
    head = "POST /v1/intake/claude HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nAuthorization: Bearer "
    head += os.environ["ORCA_TUI_TOKEN"] + f"\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n"
    s.sendall((head + body).encode())
    print("answer", s.recv(100).split()[1].decode(), flush=True)
"""
"""A program that says it is in a session whenever it is given a line."""


def test_a_session_that_two_panes_name_stays_in_its_pane(home: Home) -> None:  # noqa: F811
    pid = home.start()
    with home.client() as client:
        older, newer = (open_(client, sys.executable, "-c", NAMES_A_SESSION, agent="claude") for _ in "12")
        for pane in (newer, older):
            client.call(TYPE, TypeRequest(pane=pane, text="\r"))
            shows(client, pane, "answer 20")
        sent = client.call(SEND, SendRequest(pane=newer, text="look"))
    leave(home, pid)

    home.start()

    with home.client() as client:
        [waits] = client.call(INBOX_LIST, InboxListRequest(pane="ses_1")).notices
        assert (waits.id, waits.pane) == (sent.id, newer)


def test_a_closed_pane_does_not_come_back(home: Home) -> None:  # noqa: F811
    pid = home.start()
    with home.client() as client:
        kept, closed = open_(client, "/bin/cat"), open_(client, "/bin/cat")
        client.call(CLOSE, CloseRequest(target=closed))
    crash(home, pid)

    home.start()

    with home.client() as client:
        assert list(panes(client)) == [kept]


def test_a_program_can_name_itself_to_the_next_server_and_nothing_rings(home: Home) -> None:  # noqa: F811
    pid = home.start()
    code = (
        "import os, socket\n"
        "for line in iter(input, 'end'):\n"
        " s = socket.socket(socket.AF_UNIX); s.connect(os.environ['ORCA_TUI_INTAKE'])\n"
        " s.sendall(('GET /v1/work HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nAuthorization: Bearer '\n"
        "  + os.environ['ORCA_TUI_TOKEN'] + '\\r\\n\\r\\n').encode())\n"
        " print('answer', s.recv(100).split()[1].decode(), flush=True)"
    )
    with home.client() as client:
        pane = open_(client, sys.executable, "-c", code)
        client.call(TYPE, TypeRequest(pane=pane, text="1\r"))
        shows(client, pane, "answer 4")
        before = screen(client, pane).split("answer")[1].split()[0]
    crash(home, pid)
    home.start()

    with home.client() as client:
        client.call(TYPE, TypeRequest(pane=pane, text="2\r"))
        until(lambda: screen(client, pane).count("answer") == 2, "the next server answers")
        assert screen(client, pane).split("answer")[2].split()[0] == before != "401"


def test_a_killed_keeper_ends_the_panes_and_everything_says_so(home: Home) -> None:  # noqa: F811
    home.start()
    keeper = keeper_of(home)
    with home.client() as client:
        pane = open_(client, "/bin/cat")
        program = client.call(GET, GetRequest(pane=pane)).pid
        assert program is not None

        os.kill(keeper, signal.SIGKILL)

        until(lambda: client.call(GET, GetRequest(pane=pane)).exit_code == -1, "the pane ends")
        until(lambda: not psutil.pid_exists(program), "the program ends")
        status = client.call(SERVER_STATUS, Empty())
        (note,) = status.notes
        assert "keeper was killed" in note
        assert status.server_notes == (note,)
        again = open_(client, "/bin/cat")
        assert client.call(GET, GetRequest(pane=again)).pid is not None


def keeper_of(home: Home) -> int:  # noqa: F811
    (keeper,) = (
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if str(home.paths.socket("default", "keeper")) in (process.info["cmdline"] or [])
    )
    return int(keeper)


def test_stop_ends_the_keeper_too(home: Home) -> None:  # noqa: F811
    from orca_tui.commands.server_stop import SERVER_STOP, ServerStopRequest

    pid = home.start()
    keeper = keeper_of(home)
    with home.client() as client:
        open_(client, "/bin/cat")
        client.call(SERVER_STOP, ServerStopRequest())
    assert ended(pid) == 0

    until(lambda: not psutil.pid_exists(keeper), "the keeper ends")
    assert home.sockets() == set()


def test_screens_stay_off_the_disk_when_the_settings_say_so(home: Home) -> None:  # noqa: F811
    home.paths.config_file.parent.mkdir(parents=True)
    home.paths.config_file.write_text("[persistence]\nscreens = false\n")
    pid = home.start()
    with home.client() as client:
        pane = open_(client, *vim_with_a_file(home))
        shows(client, pane, "line 20")
        drawn = screen(client, pane)
    crash(home, pid)
    assert not (home.paths.session_dir("default") / "screens").exists()
    assert not home.paths.inflight_file("default").exists()

    home.start()

    with home.client() as client:  # The program is asked to draw itself anew.
        until(lambda: screen(client, pane).split("\n")[:10] == drawn.split("\n")[:10], "vim redraws")


def test_everything_that_is_kept_is_private(home: Home) -> None:  # noqa: F811
    pid = home.start()
    with home.client() as client:
        pane = open_(client, "/bin/cat", set_environment=(("SECRET", "x"),))
        client.call(TYPE, TypeRequest(pane=pane, text="words"))
        shows(client, pane, "words")
    leave(home, pid)

    kept = list(home.paths.session_dir("default").rglob("*"))
    assert {path.stat().st_mode & 0o777 for path in kept if path.is_dir()} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in kept if path.is_file()} == {0o600}
    assert {path.name for path in kept} >= {"session.json", "screens", "lock", "keeper.lock"}
