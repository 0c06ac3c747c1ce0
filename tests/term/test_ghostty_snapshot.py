"""A terminal taken apart and put together again at any byte is the same terminal."""

from __future__ import annotations

import random

import pytest

from orca_tui.base.errors import EngineMismatch
from orca_tui.term.engine import PromptMark
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.term.ghostty_snapshot import CONTINUATION_MAX_BYTES, READY_TAG, RECORD_HEADER, ReadyPart
from tests.term.terminals import PROBES, Recording, recordings, screen, state

CASES = {
    "primary under alternate": (b"one\r\ntwo \x1b[31mred\x1b[m\x1b[5;10H\x1b7\x1b[?1049h\x1b[2Jalt", b"\x1b[?1049lX"),
    "scroll region": (b"a\r\nb\r\nc\x1b[5;15r\x1b[15;1H", b"\n\n\nq\x1b[1;1H\x1bM\x1bMz"),
    "side margins": (b"\x1b[?69h\x1b[10;40s\x1b[3;12H", b"x" * 50),
    "origin mode": (b"\x1b[5;15r\x1b[?6h\x1b[2;3H", b"x\x1b[Hy\x1b[6n"),
    "keyboard flag stack": (b"\x1b[>1u\x1b[>5u\x1b[>15u", b"\x1b[<u\x1b[?u\x1b[<u\x1b[?u"),
    "modify other keys": (b"\x1b[>4;2m", b"x"),
    "mouse and paste": (b"\x1b[?1003;1006;2004;1004h", b"\x1b[?1003l"),
    "held screen": (b"\x1b[?2026hheld", b"more\x1b[?2026l"),
    "cursor style": (b"\x1b[5 q", b"\x1bP$q q\x1b\\"),
    "charsets": (b"\x1b(0lqqk\x1b7\x1b(B", b"\x1b8lqk"),
    "tab stops": (b"\x1b[3g\x1b[1;5H\x1bH\x1b[1;1H", b"\tx"),
    "open link": (b"\x1b]8;;http://example.org\x1b\\link", b"more\x1b]8;;\x1b\\plain"),
    "pending wrap": (b"x" * 80, b"Y"),
    "title and directory": (b"\x1b]2;my title\x07\x1b]7;file:///srv\x07", b"x"),
    "colors": (b"\x1b]4;1;#112233\x07\x1b]10;#aabbcc\x07", b"\x1b]4;1;?\x07\x1b]10;?\x07\x1b]110\x07\x1b]10;?\x07"),
    "protected text": (b'\x1b[1"qkept\x1b[0"qlost', b"\x1b[?2J"),
    "saved modes": (b"\x1b[?2004h\x1b[?2004s\x1b[?2004l", b"\x1b[?2004r"),
    "soft wraps": ((b"word " * 60 + b"\r\nshort\r\n") * 20, b"end"),
    "open grapheme": ("👨\u200d".encode(), "👩x".encode()),
    "backgrounds": (b"\x1b[42m\x1b[2J\x1b[5;5Hhi\x1b[m", b"\x1b[K"),
    "blank rows below": (b"top\x1b[20;1H", b"\r\n" * 10),
    "repeat": (b"abc", b"\x1b[5b"),
    "half a CSI": (b"ab\x1b[3", b"1mred"),
    "half an OSC": (b"ab\x1b]2;ti", b"tle\x07x"),
    "half a DCS": (b"ab\x1bP$q", b"m\x1b\\"),
    "half a character": (b"ab\xe7\xab", b"\xafz"),
    "an escape": (b"ab\x1b", b"[31mz"),
    "scrollback": (b"".join(b"line %d \x1b[3%dmc\x1b[m\r\n" % (n, n % 8) for n in range(500)), b"\x1b[3J"),
}  # fmt: skip


def twin(factory: GhosttyFactory, engine: GhosttyEngine) -> GhosttyEngine:
    snapshot = engine.snapshot(with_history=True)
    assert snapshot is not None
    return factory.restore(snapshot)


def assert_equal_and_stay_equal(first: GhosttyEngine, second: GhosttyEngine, *then: bytes) -> None:
    assert state(second) == state(first)
    for data in then:
        told, told_again = first.feed(data), second.feed(data)

        assert told_again == told
        assert state(second) == state(first)


def cuts(data: bytes, random_: random.Random) -> list[int]:
    """Places anywhere, inside escape sequences, and inside characters."""
    escapes = [at for at, byte in enumerate(data) if byte == 0x1B]
    wide = [at for at, byte in enumerate(data) if byte >= 0xE0]
    found = [random_.randrange(len(data)) for _ in range(3)]
    found += [min(random_.choice(escapes) + random_.randrange(1, 6), len(data) - 1) for _ in range(3)]
    return found + ([random_.choice(wide) + 1 for _ in range(2)] if wide else [])


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.name)
def test_a_restored_terminal_goes_on_as_if_nothing_had_happened(
    factory: GhosttyFactory, recording: Recording
) -> None:
    random_ = random.Random(recording.name)
    for cut in cuts(recording.data, random_):
        engine = factory.new(recording.cols, recording.rows, scrollback_lines=1000)
        engine.feed(recording.data[:cut])
        restored = twin(factory, engine)

        assert_equal_and_stay_equal(engine, restored, recording.data[cut:], PROBES)


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES.keys())
def test_no_part_of_the_state_is_lost(factory: GhosttyFactory, before: bytes, after: bytes) -> None:
    engine = factory.new(80, 24, scrollback_lines=1000)
    engine.feed(before)
    restored = twin(factory, engine)
    again = twin(factory, restored)

    assert_equal_and_stay_equal(engine, restored, after, PROBES)
    engine.resize(67, 20)
    restored.resize(67, 20)
    assert_equal_and_stay_equal(engine, restored, b"\x1bc" + PROBES)
    assert again.feed(after).applied == after


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.name)
def test_the_ready_part_shows_the_same_screen_and_goes_on(
    factory: GhosttyFactory, recording: Recording
) -> None:
    cut = len(recording.data) // 2
    engine = factory.new(recording.cols, recording.rows, scrollback_lines=1000)
    engine.feed(recording.data[:cut])
    ready, whole = engine.snapshot(with_history=False), engine.snapshot(with_history=True)
    assert ready is not None
    assert whole is not None
    restored = factory.restore(ready)

    assert whole.startswith(ready)
    assert screen(restored) == screen(engine)
    assert restored.feed(recording.data[cut:]) == engine.feed(recording.data[cut:])
    assert screen(restored) == screen(engine)


def test_the_ready_part_is_small_beside_a_long_history(factory: GhosttyFactory) -> None:
    engine = factory.new(120, 40, scrollback_lines=10_000)
    engine.feed(b"".join(b"line %d\r\n" % number for number in range(10_000)))
    ready, whole = engine.snapshot(with_history=False), engine.snapshot(with_history=True)
    assert ready is not None
    assert whole is not None

    assert len(ready) * 10 < len(whole)
    assert factory.restore(ready).scrollback_rows() < 500
    assert factory.restore(whole).scrollback_rows() == engine.scrollback_rows()


def test_a_viewer_restored_from_the_ready_part_can_be_taken_apart_again(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=1000)
    engine.feed(b"line\r\n" * 500 + b"\x1b[3")
    ready = engine.snapshot(with_history=False)
    assert ready is not None
    viewer = factory.restore(ready)

    assert_equal_and_stay_equal(viewer, twin(factory, viewer), b"1mred" + PROBES)


def test_a_restored_terminal_knows_the_fact_that_was_half_told(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=0)
    engine.feed(b"$ \x1b]133;D;")

    assert twin(factory, engine).feed(b"7\x07").facts == (PromptMark(kind="D", exit_code=7),)


def test_a_restored_terminal_keeps_as_many_lines(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=3000)
    restored = twin(factory, engine)
    restored.resize(120, 24)
    restored.feed(b"line\r\n" * 20_000)

    assert 3000 <= restored.scrollback_rows() < 7500


def test_there_is_no_snapshot_inside_an_over_long_sequence_and_one_after_it(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=100)
    engine.feed(b"text\x1b]52;c;")
    for _ in range(CONTINUATION_MAX_BYTES // 65536 + 1):
        engine.feed(b"x" * 65536)
    assert engine.snapshot(with_history=True) is None
    assert engine.snapshot(with_history=False) is None

    engine.feed(b"\x07more")
    assert_equal_and_stay_equal(engine, twin(factory, engine), PROBES)


def test_a_snapshot_with_a_wrong_bit_is_refused(factory: GhosttyFactory) -> None:
    random_ = random.Random(19)
    engine = factory.new(80, 24, scrollback_lines=1000)
    engine.feed(b"".join(b"\x1b[3%dmline %d\r\n" % (number % 8, number) for number in range(300)))
    whole, ready = engine.snapshot(with_history=True), engine.snapshot(with_history=False)
    assert whole is not None
    assert ready is not None
    for snapshot in (whole, ready):
        for _ in range(50):
            wrong = bytearray(snapshot)
            wrong[random_.randrange(len(wrong))] ^= 1 << random_.randrange(8)
            with pytest.raises(EngineMismatch) as caught:
                factory.restore(bytes(wrong))
            assert caught.value.facts == {"size_bytes": len(snapshot)}


@pytest.mark.parametrize("snapshot", [b"", b"GHOSTSNP", b"not a snapshot", bytes(5000)])
def test_what_is_no_snapshot_is_refused(factory: GhosttyFactory, snapshot: bytes) -> None:
    with pytest.raises(EngineMismatch):
        factory.restore(snapshot)


def test_a_snapshot_that_is_cut_short_is_refused(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=5000)
    engine.feed(b"line\r\n" * 5000)
    whole, ready = engine.snapshot(with_history=True), engine.snapshot(with_history=False)
    assert whole is not None
    assert ready is not None
    for wrong in (whole[:-1], whole[:-10], whole[: len(ready) + 50], ready[:-1], ready + b"x"):
        with pytest.raises(EngineMismatch):
            factory.restore(wrong)


def test_the_ready_part_is_found_in_pieces_of_any_size() -> None:
    records = b"GHOSTSNP\x01\x00" + RECORD_HEADER.pack(1, 3, 0) + b"abc" + RECORD_HEADER.pack(READY_TAG, 0, 0)
    for size in (1, 7, 1000):
        part = ReadyPart()
        data = records + RECORD_HEADER.pack(4, 2, 0) + b"de"
        for at in range(0, len(data), size):
            if not part.take(data[at : at + size]):
                break

        assert part.complete
        assert bytes(part.data) == records
