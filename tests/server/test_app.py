"""A server as a process of its own: one per name, clean ends, fresh starts after a crash, a silent log."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from orca_tui.base.errors import NotFound, ServerUnavailable
from orca_tui.client.blocking import Client
from orca_tui.commands.get import GET, GetRequest
from orca_tui.commands.list import LIST
from orca_tui.commands.open import OPEN, OpenRequest
from orca_tui.commands.paste import PASTE, PasteRequest
from orca_tui.commands.read import READ, ReadRequest
from orca_tui.commands.server_status import SERVER_STATUS
from orca_tui.commands.server_stop import SERVER_STOP, ServerStopRequest
from orca_tui.commands.spec import Empty
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.commands.wait import WAIT, WaitRequest
from orca_tui.config import Environment, Paths
from orca_tui.process import daemon
from orca_tui.status.record import Status
from tests.process.keepers import end_keeper

REPOSITORY = Path(__file__).parents[2]
GONE_S = 15.0


class Home:
    """A user of their own, who starts servers."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = {
            "HOME": str(root),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(REPOSITORY),
            "XDG_RUNTIME_DIR": str(root / "run"),
            **{f"XDG_{name}_HOME": str(root / name.lower()) for name in ("CONFIG", "STATE", "CACHE")},
        }
        (root / "run").mkdir(mode=0o700)
        self.pids: list[int] = []

    @property
    def paths(self) -> Paths:
        return Environment(self.environment).paths()

    @property
    def log(self) -> Path:
        return self.paths.log_file("default")

    def start(self) -> int:
        pid = daemon.start(
            [sys.executable, "-P", "-m", "orca_tui", "server", "run", "--server", "default"],
            log_file=self.log,
            environment=self.environment,
        )
        self.pids.append(pid)
        return pid

    def client(self) -> Client:
        return Client(self.paths.socket("default", "wire"))

    def sockets(self) -> set[str]:
        return {path.name for path in self.paths.runtime_dir.iterdir() if path.is_socket()}


@pytest.fixture
def home() -> Iterator[Home]:
    made = Home(Path(tempfile.mkdtemp(prefix="ot-")))
    yield made
    for pid in made.pids:
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            continue
    end_keeper(made.paths.socket("default", "keeper"))
    shutil.rmtree(made.root, ignore_errors=True)


def ended(pid: int) -> int:
    """Wait for a server's end; its exit code."""
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def open_(client: Client, *command: str, **options: object) -> str:
    request = OpenRequest(**{"command": command, "cwd": "/", **options})  # type: ignore[arg-type]
    return client.call(OPEN, request).pane


def test_a_started_server_answers_on_private_sockets(home: Home) -> None:
    pid = home.start()

    with home.client() as client:
        status = client.call(SERVER_STATUS, Empty())

    assert (status.pid, status.server, status.panes, status.uis) == (pid, "default", 0, 0)
    assert home.sockets() == {"default.wire", "default.http", "default.intake", "default.keeper"}
    for path in map(Path, status.sockets.values()):
        assert path.stat().st_mode & 0o777 == 0o600
    assert home.paths.runtime_dir.stat().st_mode & 0o777 == 0o700
    assert home.log.stat().st_mode & 0o777 == 0o600
    assert os.readlink(f"/proc/{pid}/cwd") == "/"


def test_a_second_server_of_the_name_is_refused_and_the_first_goes_on(home: Home) -> None:
    home.start()

    with pytest.raises(ServerUnavailable, match="runs already") as caught:
        home.start()

    assert caught.value.facts["exit_code"] == 3
    with home.client() as client:
        client.call(LIST, Empty())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_told_server_takes_its_sockets_away_and_leaves_its_programs_to_the_next(
    home: Home, number: int
) -> None:
    pid = home.start()
    with home.client() as client:
        pane = open_(client, "/bin/sleep", "1000")
        program = client.call(GET, GetRequest(pane=pane)).pid

        os.kill(pid, number)

        assert ended(pid) == 0
    assert home.sockets() == {"default.keeper"}
    home.start()
    with home.client() as client:
        assert client.call(GET, GetRequest(pane=pane)).pid == program


def test_a_lost_terminal_does_not_end_the_server(home: Home) -> None:
    pid = home.start()

    os.kill(pid, signal.SIGHUP)

    with home.client() as client:
        assert client.call(SERVER_STATUS, Empty()).pid == pid


def test_after_a_crash_the_next_server_takes_the_dead_ones_sockets(home: Home) -> None:
    pid = home.start()
    os.kill(pid, signal.SIGKILL)
    ended(pid)
    assert home.sockets() == {"default.wire", "default.http", "default.intake", "default.keeper"}

    home.start()

    with home.client() as client:
        assert client.call(LIST, Empty()).panes == ()


def test_stop_is_answered_before_the_server_goes(home: Home) -> None:
    pid = home.start()
    with home.client() as client:
        pane = open_(client, "/bin/sh", "-c", "read x")
        assert client.call(SERVER_STOP, ServerStopRequest()).closed == (pane,)

    assert ended(pid) == 0
    assert home.sockets() == set()


def test_a_client_that_follows_is_told_of_the_end(home: Home) -> None:
    pid = home.start()
    with home.client() as follower, home.client() as client:
        pane = open_(client, "/bin/sh", "-c", "read x")
        request = WaitRequest(pane=pane, status=(Status.DONE,))
        number = follower._begin(WAIT, request)
        client.call(LIST, Empty())
        client.call(SERVER_STOP, ServerStopRequest())

        with pytest.raises(Exception, match="was closed"):
            follower._expect(number)
    assert ended(pid) == 0


def test_a_http_client_that_never_reads_does_not_hold_up_the_end(home: Home) -> None:
    pid = home.start()
    with socket.socket(socket.AF_UNIX) as stuck:
        stuck.connect(str(home.paths.socket("default", "http")))
        stuck.sendall(b"GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
        stuck.recv(1)

        os.kill(pid, signal.SIGTERM)

        assert ended(pid) == 0


def test_neither_tokens_nor_what_is_typed_pasted_or_shown_reach_the_log(home: Home) -> None:
    pid = home.start()
    marks = {
        name: f"{name}-{secrets.token_hex(8)}"
        for name in ("typed", "pasted", "shown", "argument", "variable")
    }
    script = f'echo "$ORCA_TUI_TOKEN" >{home.root}/token; echo {marks["shown"]}; cat'
    with home.client() as client:
        pane = open_(
            client,
            *("/bin/sh", "-c", script, marks["argument"]),
            set_environment=(("SECRET", marks["variable"]),),
            agent="opencode",
        )
        client.call(TYPE, TypeRequest(pane=pane, text=marks["typed"] + "\r"))
        client.call(PASTE, PasteRequest(pane=pane, text=marks["pasted"] + "\n"))
        shown = marks["shown"], marks["pasted"]
        while not all(mark in client.call(READ, ReadRequest(pane=pane)).text for mark in shown):
            continue
        token = (home.root / "token").read_text().strip()
        for sent in (token, "wrong-" + marks["typed"]):
            curl(home, sent, marks["pasted"])
        with pytest.raises(NotFound):
            open_(client, marks["argument"])
        cannot_run = home.root / marks["argument"]
        cannot_run.write_text("#!/no/such/interpreter\n")
        cannot_run.chmod(0o755)
        open_(client, str(cannot_run))
        client.call(SERVER_STOP, ServerStopRequest(yes=True))
    assert ended(pid) == 0

    log = home.log.read_text()
    assert "pane opened" in log
    assert len(token) == 43
    for secret in (token, *marks.values()):
        assert secret not in log


def curl(home: Home, token: str, body: str) -> None:
    """A report that cannot be understood."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(home.paths.socket("default", "intake")))
        head = f"POST /v1/intake/opencode HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        assert client.recv(65536)


def test_an_idle_server_does_nothing(home: Home) -> None:
    """Its context switches are counted while it has quiet panes and an open client, and nobody asks anything."""
    pid = home.start()
    with home.client() as client:
        for _ in range(3):
            open_(client, "/bin/sh", "-c", "read x")
        client.call(LIST, Empty())
        before = psutil.Process(pid).num_ctx_switches().voluntary
        subprocess.run(["sleep", "1"], check=True)
        woken = psutil.Process(pid).num_ctx_switches().voluntary - before

        assert woken <= 3
        client.call(SERVER_STOP, ServerStopRequest())
    ended(pid)
