"""All agents that a server knows. The composer builds one of these and hands it on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from orca_tui.agents.adapter import AgentAdapter, NeedsConsent, ReportReader
from orca_tui.agents.aider import Aider
from orca_tui.agents.claude import Claude
from orca_tui.agents.codex import Codex
from orca_tui.agents.copilot import Copilot
from orca_tui.agents.custom import AgentSettings, custom_agent
from orca_tui.agents.declared import DeclaredAgent
from orca_tui.agents.gemini import Gemini
from orca_tui.agents.invocation import program_of
from orca_tui.agents.notice_hooks import NoticeHooks, TakesNotices
from orca_tui.agents.opencode import OpenCode
from orca_tui.agents.pi import Pi
from orca_tui.agents.qwen import Qwen
from orca_tui.agents.rules import NO_RULES, RuleSet
from orca_tui.agents.rules_file import built_in_rules
from orca_tui.status.profile import NO_PROFILE, Profile
from orca_tui.status.record import Source

BUILT_IN: tuple[AgentAdapter, ...] = (
    OpenCode(),
    Claude(),
    Codex(),
    Gemini(),
    Copilot(),
    Pi(),
    Qwen(),
    DeclaredAgent(
        name="amp",
        title="Amp",
        commands=frozenset({"amp"}),
        packages=frozenset({"@sourcegraph/amp"}),
        install="npm install -g @sourcegraph/amp",
        profile=Profile(expects=(Source.TITLE,)),
    ),
    DeclaredAgent(
        name="droid",
        title="Droid",
        commands=frozenset({"droid"}),
        install="curl -fsSL https://app.factory.ai/cli | sh",
        resume_with=("--resume", "{session}"),
    ),
    Aider(),
    DeclaredAgent(
        name="cursor",
        title="Cursor Agent",
        commands=frozenset({"cursor-agent"}),
        command=("cursor-agent",),
        install="curl -fsS https://cursor.com/install | bash",
        resume_with=("--resume", "{session}"),
    ),
)
"""In the order in which they are listed."""


class Agents:
    """The adapters by what they are found by, with their rules."""

    def __init__(
        self, adapters: Sequence[AgentAdapter] = BUILT_IN, rules: Mapping[str, RuleSet] | None = None
    ) -> None:
        """Where two adapters have a name or a command in common, the first one is found.

        `rules` hold for the agents that they name; all others have those that come with us.
        """
        self._adapters = tuple(adapters)
        self._rules = dict(rules or {})

    @classmethod
    def configured(cls, settings: Mapping[str, AgentSettings], read: Callable[[str], str]) -> Agents:
        """The built-in agents, with those of the settings, which may extend them.

        Raises `Invalid` with the place of a setting that cannot be used, or `ConfigError` for a rule file;
        `read` gives the text of one by its path in the settings.
        """
        adapters = {adapter.name: adapter for adapter in BUILT_IN}
        rules: dict[str, RuleSet] = {}
        for name, told in settings.items():
            custom = custom_agent(name, told, tuple(adapters.values()), read)
            adapters[name], rules[name] = custom.adapter, custom.rules
        return cls(tuple(adapters.values()), rules)

    def adapters(self) -> tuple[AgentAdapter, ...]:
        """All of them, in the order in which they are listed."""
        return self._adapters

    def names(self) -> tuple[str, ...]:
        return tuple(adapter.name for adapter in self._adapters)

    def by_name(self, name: str | None) -> AgentAdapter | None:
        """The adapter of an agent's name."""
        return next((adapter for adapter in self._adapters if adapter.name == name), None)

    def command(self, name: str) -> tuple[str, ...]:
        """What an agent is started by: the program of its name, unless another one is declared."""
        adapter = self.by_name(name)
        return adapter.command if isinstance(adapter, DeclaredAgent) and adapter.command else (name,)

    def rules(self, name: str | None) -> RuleSet:
        """How the states of an agent are read from its terminal; none for one that is not known."""
        if name is None:
            return NO_RULES
        if name not in self._rules:  # A file is read when its agent is first seen.
            known = self.by_name(name) is not None
            self._rules[name] = (built_in_rules(name) if known else None) or NO_RULES
        return self._rules[name]

    def profile(self, name: str | None) -> Profile:
        """What is known beforehand of an agent's evidence."""
        adapter = self.by_name(name)
        return adapter.profile if adapter else NO_PROFILE

    def takes_reports(self, name: str | None) -> bool:
        """Whether OSC 9999 and 26 can be an agent's own. One of ours that speaks OSC 7501 has no need of them, and
        what came by them would be taken for its root record.
        """
        ours = any(adapter.name == name for adapter in BUILT_IN)
        return not (ours and self.profile(name).emits_program_status)

    def sources(self, name: str, *, allowed: bool) -> tuple[Source, ...]:
        """Where the state of an agent can be read from, strongest first; without what every pane has.

        `allowed`: the user has agreed to what it asks for. Without that its hooks are not there.
        """
        profile = self.profile(name)
        found = {*profile.expects, *(rule.source for rule in self.rules(name).rules)}
        if profile.emits_program_status:
            found.add(Source.PROGRAM_STATUS)
        if isinstance(self.by_name(name), NeedsConsent) and not allowed:
            found.discard(Source.HOOK)
        return tuple(source for source in Source if source in found)

    def reader(self, name: str) -> ReportReader | None:
        """Who reads what is posted to the intake under that name; None for agents that post nothing."""
        adapter = self.by_name(name)
        return adapter if isinstance(adapter, ReportReader) else None

    def notice_hooks(self, name: str | None) -> NoticeHooks | None:
        """How the agent of that name takes notices along; None for one that has no hooks for that."""
        adapter = self.by_name(name)
        return adapter.notice_hooks if isinstance(adapter, TakesNotices) else None

    def recognise(self, argv: Sequence[str]) -> AgentAdapter | None:
        """The agent that a command line runs, seen through wrappers such as `npx`, `node` and `sh -c`."""
        program = program_of(argv)
        if program is None:
            return None
        return next(
            (
                adapter
                for adapter in self._adapters
                if program.name in adapter.commands or program.package in adapter.packages
            ),
            None,
        )

    def profiles(self) -> Mapping[str, Profile]:
        """What is known beforehand of each agent's evidence, for `Board`."""
        return {adapter.name: adapter.profile for adapter in self._adapters}
