"""The keeper's socket: private, and there again when something took its file away. Standard library only."""

from __future__ import annotations

import os
import socket
import struct
from contextlib import suppress

BACKLOG = 16
PRIVATE_DIRECTORY = 0o700
ALL_BUT_OURS = 0o177  # What the mask takes away: the socket's file is 0600.
PEER_CREDENTIALS = struct.Struct("3i")  # struct ucred: pid, uid, gid.


class Door:
    """Listens at a path while it is entered. The caller holds the lock that makes it the only one."""

    listener: socket.socket

    def __init__(self, path: str) -> None:
        self._path = path
        self._inode = 0

    def __enter__(self) -> Door:
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self.listener.close()
        if self._is_there():
            os.unlink(self._path)

    def reopened(self) -> socket.socket | None:
        """Listen anew when the socket's file is gone; the listener from before, which is the caller's to close.

        None when there is nothing to do, or nothing can be done for now.
        """
        if self._is_there():
            return None
        before = self.listener
        try:
            self._open()
        except OSError:
            return None
        return before

    def accept(self) -> socket.socket | None:
        """The next connection of this user; None for anybody else's, or one that is gone again."""
        try:
            guest, _ = self.listener.accept()
        except OSError:
            return None
        if _user_of(guest) not in (os.geteuid(), None):
            guest.close()
            return None
        return guest

    def _open(self) -> None:
        os.makedirs(os.path.dirname(self._path), mode=PRIVATE_DIRECTORY, exist_ok=True)
        with suppress(FileNotFoundError):
            os.unlink(self._path)  # A dead keeper's: the lock is ours.
        listener = socket.socket(socket.AF_UNIX)
        try:
            self._listen(listener)
        except BaseException:
            listener.close()
            raise
        self.listener = listener

    def _listen(self, listener: socket.socket) -> None:
        listener.setblocking(False)
        mask = os.umask(ALL_BUT_OURS)
        try:
            listener.bind(self._path)
        finally:
            os.umask(mask)
        listener.listen(BACKLOG)
        self._inode = os.lstat(self._path).st_ino

    def _is_there(self) -> bool:
        try:
            return os.lstat(self._path).st_ino == self._inode
        except OSError:
            return False


def _user_of(guest: socket.socket) -> int | None:
    """The kernel's word for who connected; None where it gives none, and the file's mode must do."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    _, uid, _ = PEER_CREDENTIALS.unpack(guest.getsockopt(socket.SOL_SOCKET, option, PEER_CREDENTIALS.size))
    return int(uid)
