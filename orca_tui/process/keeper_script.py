"""How the keeper's process begins: `python -I -S keeper_script.py SOCKET LOCK --ready-fd N`. Imported by nobody.

Isolated and without site packages, so that it is small and nothing that is installed later can reach it.
"""

from __future__ import annotations

import os
import sys

LOCKED = 3  # The exit code of a conflict, as of a server whose name is taken.


def main(socket_path: str, lock_path: str, ready_fd: int) -> int:
    """Be the keeper, unless there is one."""
    from orca_tui.base.clock import SystemClock
    from orca_tui.process.keeper import Keeper
    from orca_tui.process.keeper_door import Door
    from orca_tui.process.lock import LockFile

    os.set_inheritable(ready_fd, False)
    lock = LockFile.acquire(lock_path)
    if lock is None:
        return LOCKED
    os.chdir("/")
    keeper = Keeper(Door(socket_path), SystemClock(), keeper_id=os.urandom(8).hex())

    def ready() -> None:
        os.write(ready_fd, b"ready\n")
        os.close(ready_fd)

    keeper.run(ready)
    lock.release()
    return 0


if __name__ == "__main__":
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[4])))
