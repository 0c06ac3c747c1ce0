"""When the plugin host breaks a limit, who is to blame, and how long to wait: pure rules."""

from __future__ import annotations

import pytest

from orca_tui.server.plugin_limits import CPU_WINDOW_S, LONGEST_DELAY_S, Look, blame, breach, delay_s, leaking

MIB = 1 << 20
CI, BOT = "/p/ci.py", "/p/é/bot.py"

LOOP_THREAD = """Current thread 0x01 (most recent call first):
  File "/p/ci.py", line 12 in wait
  File "/usr/lib/python3.11/asyncio/base_events.py", line 608 in run_forever
"""
WORKER = """Thread 0x02 (most recent call first):
  File "/p/\\xe9/bot.py", line 7 in crunch
  File "/usr/lib/python3.11/threading.py", line 982 in run
"""


def look(at: float, *, silent_s: float = 0.0, cpu_s: float = 0.0, rss_bytes: int = 0) -> Look:
    return Look(at=at, silent_s=silent_s, cpu_s=cpu_s, rss_bytes=rss_bytes)


def found(*looks: Look) -> str | None:
    broken = breach(looks, blocked_after_s=5.0, memory_bytes=100 * MIB)
    return broken.kind if broken is not None else None


def test_a_host_that_answers_and_uses_little_breaks_nothing() -> None:
    assert found(look(0), look(20, silent_s=4.9, cpu_s=1.0, rss_bytes=100 * MIB)) is None


def test_no_answer_for_too_long_is_blocked_whatever_else_there_is() -> None:
    assert found(look(0, silent_s=5.0, rss_bytes=200 * MIB)) == "blocked"


def test_too_much_memory_is_told() -> None:
    assert found(look(0, rss_bytes=101 * MIB)) == "memory"


def test_a_busy_processor_counts_only_over_the_whole_window() -> None:
    half = CPU_WINDOW_S / 2

    assert found(look(0), look(half, cpu_s=half)) is None
    assert found(look(0), look(CPU_WINDOW_S, cpu_s=CPU_WINDOW_S * 0.49)) is None
    assert found(look(0), look(CPU_WINDOW_S, cpu_s=CPU_WINDOW_S * 0.51)) == "cpu"
    # What was before the window does not count.
    assert found(look(0), look(half, cpu_s=half), look(half + CPU_WINDOW_S, cpu_s=half)) is None


def test_of_a_blocked_host_the_event_loops_thread_tells_who_it_was() -> None:
    one = blame([f"{WORKER}\n{LOOP_THREAD}"], [CI, BOT], loop_only=True)

    assert one is not None
    assert (one.file, one.place) == (CI, "ci.py:12 in wait")


def test_a_loop_so_deep_in_calls_that_the_dump_ends_before_it_is_found_all_the_same() -> None:
    deep = 'Thread 0x01 (most recent call first):\n  File "/p/ci.py", line 3 in fall\n  ...\n'

    one = blame([deep], [CI], loop_only=True)

    assert one is not None
    assert one.place == "ci.py:3 in fall"


def test_of_a_busy_host_the_plugin_in_most_dumps_is_to_blame_in_any_thread() -> None:
    one = blame([WORKER, LOOP_THREAD, WORKER, "garbage"], [CI, BOT], loop_only=False)

    assert one is not None
    assert (one.file, one.place) == (BOT, "bot.py:7 in crunch")


@pytest.mark.parametrize("dumps", [[], [""], ["no frames"], [LOOP_THREAD.replace("/p/ci.py", "/lib/x.py")]])
def test_without_a_plugin_on_a_stack_nobody_is_to_blame(dumps: list[str]) -> None:
    assert blame(dumps, [CI, BOT], loop_only=False) is None


def test_of_memory_the_one_who_took_most_of_it_is_to_blame() -> None:
    one = leaking({"ci.py": 90 * MIB, "bot.py": 10 * MIB}, [CI, BOT])

    assert one is not None
    assert (one.file, one.place) == (CI, "")
    assert leaking({"ci.py": 40, "bot.py": 35, "other.py": 30}, [CI, BOT]) is None
    assert leaking({}, [CI, BOT]) is None


def test_the_delay_doubles_up_to_a_minute() -> None:
    assert [delay_s(crashes) for crashes in (1, 2, 3, 4)] == [0.5, 1.0, 2.0, 4.0]
    assert delay_s(100) == LONGEST_DELAY_S
