"""The agents of the user's settings (`[agents.NAME]`). A mistake names the setting that it is in."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from orca_tui.agents.adapter import AgentAdapter
from orca_tui.agents.declared import SESSION, DeclaredAgent
from orca_tui.agents.resuming import Kept, written
from orca_tui.agents.rules import NO_RULES, RuleSet, ordered
from orca_tui.agents.rules_file import built_in_rules, parse_rules, rules_of
from orca_tui.agents.shell import COMMANDS
from orca_tui.base.errors import Invalid
from orca_tui.base.reasons import reason_of
from orca_tui.status.profile import Profile

NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")
EXTENDING = frozenset({"extends", "match", "rules"})
"""What may be said of an agent that we know already."""


class AgentSettings(Protocol):
    """`[agents.NAME]`, as `config.py` has it."""

    @property
    def extends(self) -> str | None: ...
    @property
    def title(self) -> str: ...
    @property
    def command(self) -> Sequence[str]: ...
    @property
    def match(self) -> Sequence[str]: ...
    @property
    def interrupt(self) -> Sequence[str]: ...
    @property
    def program_status(self) -> bool: ...
    @property
    def prompt(self) -> str: ...
    @property
    def prompt_flag(self) -> str: ...
    @property
    def resume(self) -> Sequence[str]: ...
    @property
    def keep(self) -> Sequence[str]: ...
    @property
    def rules(self) -> str | Sequence[Mapping[str, Any]]: ...

    def given(self) -> frozenset[str]:
        """The fields that are not as they are by default."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class CustomAgent:
    """An adapter with its rules."""

    adapter: AgentAdapter
    rules: RuleSet


def custom_agent(
    name: str, settings: AgentSettings, others: Sequence[AgentAdapter], read: Callable[[str], str]
) -> CustomAgent:
    """The agent of that name beside `others`; `read` gives the text of a rule file by the path in the settings.

    Raises `Invalid`, with the place of the setting, or `ConfigError` for a rule file with a mistake in it.
    """
    place = f"$.agents.{name}"
    _check_name(name, place)
    known = next((adapter for adapter in others if adapter.name == name), None)
    rules = _rules(settings, place, read)
    _check_programs(settings, [adapter for adapter in others if adapter is not known], place)
    if known is None:
        _check(settings, others, place)
        return CustomAgent(adapter=_declared(name, settings, place), rules=rules)
    return CustomAgent(adapter=_extended(known, settings, place), rules=_joined(rules, name))


def _check_name(name: str, place: str) -> None:
    if not NAME.fullmatch(name):
        raise Invalid(
            f"{name!r} is no name of an agent: a small letter, then letters, digits, - and _ - at `{place}`"
        )
    if name == "shell" or name in COMMANDS:
        raise Invalid(f"{name!r} is a shell, which is no agent - at `{place}`")


def _check(settings: AgentSettings, others: Sequence[AgentAdapter], place: str) -> None:
    if settings.extends is not None:
        names = ", ".join(adapter.name for adapter in others)
        raise Invalid(
            f"only an agent of the same name can be extended; there are {names} - at `{place}.extends`"
        )
    if not settings.command and not settings.match:
        raise Invalid(f"it needs a command to run, or programs to match - at `{place}`")
    if settings.resume and not any(SESSION in word for word in settings.resume):
        raise Invalid(f"no word of it holds {SESSION} - at `{place}.resume`")
    if settings.prompt_flag and settings.prompt != "argument":
        raise Invalid(f'it is for prompts as an argument; add prompt = "argument" - at `{place}.prompt_flag`')


def _check_programs(settings: AgentSettings, others: Sequence[AgentAdapter], place: str) -> None:
    taken = {command: adapter.name for adapter in others for command in adapter.commands}
    for command in _programs(settings):
        if command in taken:
            field = "match" if settings.match else "command"
            raise Invalid(f"{command!r} is a program of {taken[command]} already - at `{place}.{field}`")


def _programs(settings: AgentSettings) -> frozenset[str]:
    """The programs by which it is recognised; those that are named, else the one that is run."""
    named = settings.match or settings.command[:1]
    return frozenset(word.rpartition("/")[2] if word.startswith(("/", "~", ".")) else word for word in named)


def _declared(name: str, settings: AgentSettings, place: str) -> DeclaredAgent:
    programs = _programs(settings)
    argument = (settings.prompt_flag,) if settings.prompt_flag else ()
    return DeclaredAgent(
        name=name,
        title=settings.title or name,
        commands=programs,
        packages=programs,
        command=tuple(settings.command),
        interrupt_keys=frozenset(settings.interrupt),
        profile=Profile(emits_program_status=settings.program_status),
        kept_options=_kept(settings, place),
        prompt_as=argument if settings.prompt == "argument" else None,
        resume_with=tuple(settings.resume),
    )


def _kept(settings: AgentSettings, place: str) -> Kept:
    try:
        return written(settings.keep)
    except ValueError as error:
        raise Invalid(
            f'"{error}" is no option; write "--yolo", "--model NAME" or "--add-dir DIR..." - at `{place}.keep`'
        ) from error


def _extended(known: AgentAdapter, settings: AgentSettings, place: str) -> AgentAdapter:
    """A built-in agent that is found by more programs."""
    if settings.extends != known.name:
        raise Invalid(
            f'there is such an agent already; to add to it, say extends = "{known.name}" - at `{place}`'
        )
    if others := settings.given() - EXTENDING:
        other = min(others)
        raise Invalid(f"an agent can only be extended by match and rules - at `{place}.{other}`")
    programs = _programs(settings)
    value: Any = known  # Every adapter is a dataclass, which its protocol does not tell.
    extended: AgentAdapter = dataclasses.replace(
        value, commands=known.commands | programs, packages=known.packages | programs
    )
    return extended


def _rules(settings: AgentSettings, place: str, read: Callable[[str], str]) -> RuleSet:
    if not isinstance(settings.rules, str):
        return RuleSet(rules=rules_of(settings.rules, f"{place}.rules"))
    try:
        text = read(settings.rules)
    except (OSError, UnicodeDecodeError) as error:
        raise Invalid(f"{settings.rules}: {reason_of(error)} - at `{place}.rules`") from error
    return parse_rules(text, settings.rules)


def _joined(own: RuleSet, name: str) -> RuleSet:
    """The user's rules go before ours of the same priority."""
    ours = built_in_rules(name) or NO_RULES
    return RuleSet(rules=ordered((*own.rules, *ours.rules)), verified=own.verified or ours.verified)
