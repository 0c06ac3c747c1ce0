"""Where agents are recorded: homes whose paths are as long as the one that stands for them in recordings."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.accuracy.record.log import HOME

ROOT = Path("/tmp")


@contextmanager
def short_home() -> Iterator[Path]:
    """A new directory directly below `/tmp`, removed at the end."""
    made = Path(tempfile.mkdtemp(prefix="", dir=ROOT))
    home = ROOT / made.name[: len(HOME) - len(f"{ROOT}/")]
    made.rename(home)
    try:
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)
