"""A program in a pane that runs what a test asks for, in the ways in which programs leave their parents. Unix only.

    python insider.py SOCKET

A request is a line of JSON, `{"argv", "env", "way"}`, answered by `{"code", "out", "err"}`. Ways: `child`; `setsid`,
with a session of its own; `orphan`, whose parents have ended; `daemon`, both.
"""

from __future__ import annotations

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading

LEFT_ALONE = """
import os, subprocess, sys
if os.fork():
    os._exit(0)
done = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=open(sys.argv[1] + ".out", "wb"),
                      stderr=open(sys.argv[1] + ".err", "wb"))
open(sys.argv[1] + ".code", "w").write(str(done.returncode))
open(sys.argv[1] + ".done", "w").close()
"""
LIMIT_S = 30.0


def run(argv: list[str], env: dict[str, str], way: str) -> dict[str, object]:
    own_session = way in ("setsid", "daemon")
    if way in ("child", "setsid"):
        done = subprocess.run(
            argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, start_new_session=own_session
        )
        return {"code": done.returncode, "out": done.stdout.decode(), "err": done.stderr.decode()}
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "left")
        subprocess.run(
            [sys.executable, "-c", LEFT_ALONE, place, *argv],
            env=env,
            start_new_session=own_session,
            check=True,
        )
        rest = threading.Event()
        for _ in range(int(LIMIT_S / 0.01)):
            if os.path.exists(f"{place}.done"):
                break
            rest.wait(0.01)
        out, err, code = (pathlib.Path(f"{place}.{part}").read_text() for part in ("out", "err", "code"))
        return {"code": int(code), "out": out, "err": err}


def main(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        print("inside", flush=True)
        while True:
            connection, _ = listener.accept()
            with connection, connection.makefile("rw") as stream:
                asked = json.loads(stream.readline())
                stream.write(json.dumps(run(**asked)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
