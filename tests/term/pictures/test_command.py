"""Control data of kitty's protocol become a command, or nothing."""

from __future__ import annotations

import pytest

from orca_tui.term.pictures.command import PictureCommand, parse_command


def test_all_that_is_left_out_is_as_the_protocol_has_it() -> None:
    assert parse_command(b"") == PictureCommand(
        action="t", format=32, medium="d", deletes="a", quiet=0, more=False, chunk=False
    )


def test_every_key_has_its_place() -> None:
    command = parse_command(
        b"a=T,q=1,i=7,p=3,f=24,t=f,o=z,s=40,v=64,S=100,O=5,m=1,x=1,y=2,w=3,h=4,c=5,r=6,C=1,U=1,P=8,z=-1,d=I"
    )

    assert command == PictureCommand(
        action="T",
        quiet=1,
        image=7,
        placement=3,
        format=24,
        medium="f",
        compression="z",
        width=40,
        height=64,
        size=100,
        offset=5,
        more=True,
        source=(1, 2, 3, 4),
        cols=5,
        rows=6,
        keep_cursor=True,
        virtual=True,
        parent=8,
        z=-1,
        deletes="I",
        x=1,
        y=2,
    )


@pytest.mark.parametrize("control", [b"m=1", b"m=0", b"m=0,q=2", b"a=t,m=1"])
def test_what_has_only_a_chunks_keys_is_one(control: bytes) -> None:
    command = parse_command(control)

    assert command is not None
    assert command.chunk


@pytest.mark.parametrize("control", [b"q=2", b"m=1,i=7", b"a=d,d=a"])
def test_anything_else_is_none(control: bytes) -> None:
    command = parse_command(control)

    assert command is not None
    assert not command.chunk


@pytest.mark.parametrize(
    "control",
    [
        b"i",
        b"i=",
        b"=1",
        b"i=1=2",
        b"i=-1",
        b"i=4294967296",
        b"i=99999999999",
        b"a=tt",
        b"\xff=1",
        b"i=1;",
        b"i= 1",
    ],
)
def test_malformed_control_data_are_no_command(control: bytes) -> None:
    assert parse_command(control) is None
