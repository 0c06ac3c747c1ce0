"""Who is at the other end of a Unix socket, by the kernel's word."""

from __future__ import annotations

import asyncio.trsock
import os
import select
import socket
import struct
import sys
from dataclasses import dataclass
from typing import TypeAlias

from orca_tui.base.errors import Refused

Connection: TypeAlias = socket.socket | asyncio.trsock.TransportSocket

LINUX_UCRED = struct.Struct("3i")  # pid, uid, gid: unix(7), SO_PEERCRED.
MACOS_LOCAL_PEERCRED = 1
MACOS_LOCAL_PEERPID = 2
MACOS_SOL_LOCAL = 0
MACOS_XUCRED = struct.Struct("2Ih16I")  # version, uid, number of groups, groups: <sys/ucred.h>.


@dataclass(frozen=True, kw_only=True, slots=True)
class Peer:
    uid: int
    pid: int | None
    """None where the kernel does not tell, or the process has another pid namespace."""


def peer_of(connection: Connection) -> Peer:
    """The process that connected; raises `OSError` for a connection that is gone."""
    if sys.platform == "darwin":
        cred = connection.getsockopt(MACOS_SOL_LOCAL, MACOS_LOCAL_PEERCRED, MACOS_XUCRED.size)
        pid = connection.getsockopt(MACOS_SOL_LOCAL, MACOS_LOCAL_PEERPID)
        return Peer(uid=MACOS_XUCRED.unpack(cred)[1], pid=pid or None)
    pid, uid, _ = LINUX_UCRED.unpack(
        connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, LINUX_UCRED.size)
    )
    return Peer(uid=uid, pid=pid or None)


def own_peer(connection: Connection) -> Peer:
    """The same, for a peer of our own user; raises `Refused` for anybody else, and for who is gone already."""
    try:
        peer = peer_of(connection)
    except OSError as error:
        raise Refused("the kernel does not tell who is asking") from error
    if peer.uid != os.geteuid():
        raise Refused("this server belongs to another user", uid=peer.uid)
    return peer


def hung_up(connection: Connection) -> bool:
    """Whether the other end is closed, also when what it sent before is still to be read."""
    if connection.fileno() < 0:
        return True
    poll = select.poll()
    poll.register(connection, 0)  # A hang-up is told unasked.
    return bool(poll.poll(0))
