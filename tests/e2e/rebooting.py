"""The end of everything at once: what a reboot, or the loss of power, leaves of a sandbox."""

from __future__ import annotations

import contextlib
import json
import shutil

import psutil

from tests.e2e.sandbox import Sandbox


def server_pid(sandbox: Sandbox) -> int:
    return int(json.loads(sandbox.run("server", "status", "--json"))["pid"])


def kill_server(sandbox: Sandbox) -> None:
    server = psutil.Process(server_pid(sandbox))
    server.kill()
    server.wait(timeout=10)


def reboot(sandbox: Sandbox) -> None:
    """Kill server, keeper and every program; the runtime directory is empty afterwards."""
    server = psutil.Process(server_pid(sandbox))
    socket = str(sandbox.root / "run" / "orca-tui" / "default.keeper")
    (keeper,) = [
        process for process in psutil.process_iter(["cmdline"]) if socket in (process.info["cmdline"] or [])
    ]
    programs = keeper.children(recursive=True)
    for process in (server, keeper, *programs):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
            process.wait(timeout=10)
    shutil.rmtree(sandbox.root / "run" / "orca-tui")
