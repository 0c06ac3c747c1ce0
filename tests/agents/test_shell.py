"""A plain shell's marks."""

from __future__ import annotations

import pytest

from orca_tui.agents import shell
from orca_tui.status.events import Mark, PromptMarked


@pytest.mark.parametrize(("kind", "mark"), [("A", Mark.PROMPT), ("C", Mark.COMMAND), ("D", Mark.FINISHED)])
def test_marks_of_a_shell_are_read(kind: str, mark: Mark) -> None:
    assert shell.prompt_marked(kind, 3, 1.0) == [PromptMarked(at=1.0, mark=mark, exit_code=3)]


def test_other_marks_say_nothing() -> None:
    assert shell.prompt_marked("P", None, 1.0) == []
