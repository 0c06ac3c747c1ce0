"""What the user has agreed to, agent by agent: one small file of this user alone."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from orca_tui.base.errors import Refused
from orca_tui.server.agent_files import replace_file
from orca_tui.server.sockets import private_directory

FILE = "consent.json"
VERSION = 1

Answer: TypeAlias = Literal["allowed", "denied"]

logger = logging.getLogger(__name__)


class _File(msgspec.Struct, frozen=True, kw_only=True):
    version: int = VERSION
    answers: dict[str, Answer] = {}


class Consent:
    """Reads the file at every question: another server of this user may have written it."""

    def __init__(self, state_dir: Path) -> None:
        self._path = state_dir / FILE
        self._asked: set[str] = set()

    def answer(self, agent: str) -> Answer | None:
        """What the user has answered; None when nobody has, and when the file cannot be used."""
        return self._read().answers.get(agent)

    def allows(self, agent: str) -> bool:
        return self.answer(agent) == "allowed"

    def is_to_be_asked(self, agent: str) -> bool:
        """Whether to ask now: once in this server's life, and never again after an answer. Counts as asked."""
        if agent in self._asked or self.answer(agent) is not None:
            return False
        self._asked.add(agent)
        return True

    def store(self, agent: str, answer: Answer) -> None:
        """Keep an answer; raises `Refused` when it cannot be written."""
        file = _File(answers={**self._read().answers, agent: answer})
        private_directory(self._path.parent)
        try:
            replace_file(self._path, msgspec.json.format(msgspec.json.encode(file)) + b"\n")
        except OSError as error:
            raise Refused(
                f"{self._path} cannot be written: {error.strerror}", path=str(self._path)
            ) from error
        logger.info("consent for %s: %s", agent, answer)

    def _read(self) -> _File:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=_File)
        except FileNotFoundError:
            return _File()
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            logger.warning("%s cannot be used: nothing counts as allowed", self._path)
            return _File()
