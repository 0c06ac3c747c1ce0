"""Exceptions of plugins as one line for people."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import Invalid
from orca_tui.commands.plugins import Fault
from orca_tui.plugins.faults import LONGEST_MESSAGE, NoPlugin, fault_of, one_line, too_slow

FILE = "/home/me/plugins/ci.py"


def raised(source: str) -> BaseException:
    with pytest.raises(BaseException) as caught:  # noqa: PT011 - whatever the source throws
        exec(compile(source, FILE, "exec"), {})
    return caught.value


def test_the_place_is_the_last_one_in_the_plugins_own_file() -> None:
    error = raised("import json\ndef read():\n    json.loads('{')\nread()")

    fault = fault_of("setup", error, FILE)

    assert (fault.kind, fault.place) == ("JSONDecodeError", "ci.py:3 in read")
    assert fault.sentence().startswith("setup: JSONDecodeError: Expecting")
    assert fault.sentence().endswith("(ci.py:3 in read)")


def test_a_mistake_in_the_language_has_its_line() -> None:
    fault = fault_of("load", raised("x = 1\ndef broken(:\n"), FILE)

    assert (fault.kind, fault.place) == ("SyntaxError", "ci.py:2")


def test_an_error_of_ours_says_its_message_and_what_is_no_plugin_needs_no_place() -> None:
    assert fault_of("task", Invalid("no such pane"), FILE) == Fault(
        doing="task", kind="Invalid", message="no such pane"
    )
    assert fault_of("load", NoPlugin("it has no id"), FILE).sentence() == "load: no plugin: it has no id"


def test_a_message_is_one_line_of_bounded_length() -> None:
    assert one_line("a\n  b\tc") == "a b c"
    assert len(one_line("x" * 1000)) == LONGEST_MESSAGE


def test_what_takes_too_long_says_how_long_it_might() -> None:
    assert too_slow("dispose", 10.0).sentence() == "dispose: timeout: it did not end within 10 s"
