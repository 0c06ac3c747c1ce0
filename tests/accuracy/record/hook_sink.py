"""What the agents' hooks run while they are recorded: hands `EVENT` and its payload to the recorder, unread."""

from __future__ import annotations

import os
import socket
import sys

LIMIT_S = 2.0


def main() -> None:
    payload = sys.stdin.buffer.read()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(LIMIT_S)
        connection.connect(os.environ["RECORDER_SOCKET"])
        connection.sendall(sys.argv[1].encode() + b"\n" + payload)
    if len(sys.argv) > 2:
        print(sys.argv[2])  # Gemini wants JSON on stdout.


if __name__ == "__main__":
    main()
