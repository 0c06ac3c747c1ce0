"""Everything a person can have done, in one table: keys, the palette, help, hints and settings read it.

An action names the method that does it, as `part.method` of `operations/`. A key without the prefix is the
child's unless the settings say otherwise.
"""

from __future__ import annotations

from orca_tui.ui.action import Action, Needs, Topic
from orca_tui.ui.session_actions import SESSION

SIDES = {"left": "left of", "right": "right of", "up": "above", "down": "below"}


def _focus(direction: str, side: str) -> Action:
    return Action(
        id=f"focus_{direction}",
        title=f"Focus the pane {side.removesuffix(' of')}",
        description=f"Give the keyboard to the pane {side} this one.",
        keys=(f"prefix {direction}",),
        handler="panes.focus_direction",
        argument=direction,
        needs=Needs.SEVERAL_PANES,
    )


def _resize(direction: str) -> Action:
    return Action(
        id=f"resize_{direction}",
        title=f"Move the border {direction}",
        description=f"Move the focused pane's border {direction}.",
        keys=(f"prefix ctrl+{direction}", f"prefix alt+{direction}"),
        handler="panes.resize",
        argument=direction,
        needs=Needs.SEVERAL_PANES,
        repeats=True,
    )


PANES: tuple[Action, ...] = (
    Action(
        id="split_right",
        title="Split right",
        description="Open a shell beside the focused pane.",
        keys=("prefix %",),
        handler="panes.split",
        argument="right",
        needs=Needs.PANE,
        hint="split",
    ),
    Action(
        id="split_down",
        title="Split down",
        description="Open a shell below the focused pane.",
        keys=('prefix "',),
        handler="panes.split",
        argument="down",
        needs=Needs.PANE,
    ),
    *(_focus(direction, side) for direction, side in SIDES.items()),
    *(_resize(direction) for direction in SIDES),
    Action(
        id="zoom",
        title="Zoom",
        description="Show the focused pane alone, or all panes again.",
        keys=("prefix z",),
        handler="panes.zoom",
        needs=Needs.PANE,
        hint="zoom",
    ),
    Action(
        id="other_pane",
        title="Next pane",
        description="Give the keyboard to the next pane of the tab.",
        keys=("prefix o",),
        handler="panes.other_pane",
        needs=Needs.SEVERAL_PANES,
    ),
    Action(
        id="swap_previous",
        title="Swap with the pane before",
        description="Change places with the pane left of this one or above it.",
        keys=("prefix {",),
        handler="panes.swap",
        argument="previous",
        needs=Needs.SEVERAL_PANES,
    ),
    Action(
        id="swap_next",
        title="Swap with the pane after",
        description="Change places with the pane right of this one or below it.",
        keys=("prefix }",),
        handler="panes.swap",
        argument="next",
        needs=Needs.SEVERAL_PANES,
    ),
    Action(
        id="next_arrangement",
        title="Next arrangement",
        description="Arrange the tab's panes in the next of the presets.",
        keys=("prefix space",),
        handler="panes.next_arrangement",
        needs=Needs.SEVERAL_PANES,
    ),
    Action(
        id="move_to_new_tab",
        title="Move to a new tab",
        description="Take the focused pane out into a tab of its own.",
        keys=("prefix !",),
        handler="panes.move_to_new_tab",
        needs=Needs.SEVERAL_PANES,
    ),
    Action(
        id="rename_pane",
        title="Rename the pane",
        description="Give the focused pane a name; an empty one brings its title back.",
        keys=("prefix .",),
        handler="panes.rename",
        needs=Needs.PANE,
    ),
    Action(
        id="newline",
        title="New line",
        description="Shift+Enter for the pane's agent, where your terminal has none: a new line in its prompt.",
        keys=("prefix enter",),
        handler="panes.newline",
        needs=Needs.PANE,
    ),
    Action(
        id="close_pane",
        title="Close the pane",
        description="End the focused pane and its program, after asking.",
        keys=("prefix x",),
        handler="panes.close",
        needs=Needs.PANE,
    ),
)

TABS: tuple[Action, ...] = (
    Action(
        id="new_tab",
        title="New tab",
        description="Open a shell in a new tab.",
        keys=("prefix c",),
        handler="tabs.new",
        hint="new",
    ),
    Action(
        id="open_agent",
        title="Open an agent",
        description="Choose an agent and open it in a new tab or beside this pane.",
        keys=("prefix a",),
        handler="tabs.open_agent",
        hint="agent",
    ),
    Action(
        id="next_tab",
        title="Next tab",
        description="Show the tab after this one.",
        keys=("prefix N", "prefix tab"),
        handler="tabs.step",
        argument="next",
        needs=Needs.PANE,
        repeats=True,
    ),
    Action(
        id="previous_tab",
        title="Previous tab",
        description="Show the tab before this one.",
        keys=("prefix p",),
        handler="tabs.step",
        argument="previous",
        needs=Needs.PANE,
        repeats=True,
    ),
    *(
        Action(
            id=f"tab_{number}",
            title=f"Tab {number}",
            description=f"Show tab {number} of the workspace.",
            keys=(f"prefix {number}",),
            handler="tabs.show",
            argument=str(number),
            needs=Needs.PANE,
        )
        for number in range(10)
    ),
    Action(
        id="rename_tab",
        title="Rename the tab",
        description="Give the tab a name; an empty one takes it away.",
        keys=("prefix ,",),
        handler="tabs.rename",
        needs=Needs.PANE,
    ),
    Action(
        id="close_tab",
        title="Close the tab",
        description="End all panes of the tab, after asking.",
        keys=("prefix &",),
        handler="tabs.close",
        needs=Needs.PANE,
    ),
    Action(
        id="workspaces",
        title="Workspaces",
        description="List workspaces and their tabs: go to one, make one.",
        keys=("prefix w",),
        handler="tabs.workspaces",
    ),
    Action(
        id="rename_workspace",
        title="Rename the workspace",
        description="Give the workspace a name.",
        keys=("prefix $",),
        handler="tabs.rename_workspace",
        needs=Needs.PANE,
    ),
)

ATTENTION: tuple[Action, ...] = (
    Action(
        id="next_needing_you",
        title="Next that needs you",
        description="Go to the pane that has waited longest, then to errors and unread results.",
        keys=("prefix n",),
        handler="attention.next_needing_you",
        hint="next needing you",
    ),
    Action(
        id="inbox",
        title="Inbox",
        description="List what waits for you: asks, errors and unread results.",
        keys=("prefix i",),
        handler="attention.inbox",
    ),
    Action(
        id="dashboard",
        title="Dashboard",
        description="A table of all agents: status, time, turns, processor and memory.",
        keys=("prefix D",),
        handler="attention.dashboard",
    ),
)

NOTICES: tuple[Action, ...] = (
    Action(
        id="send_notice",
        title="Send a notice",
        description="Leave words for the focused pane's agent; they can be taken back until it has them.",
        keys=("prefix m",),
        handler="notices.send",
        needs=Needs.PANE,
    ),
    Action(
        id="notices",
        title="Notices of the pane",
        description="List what waits for the focused pane's agent, to cancel or hurry it, and what it got.",
        keys=("prefix M",),
        handler="notices.show",
        needs=Needs.PANE,
    ),
    Action(
        id="grant",
        title="What the pane may drive",
        description="Let the focused pane's agent drive another pane, its tab or everything, or take that back.",
        keys=("prefix g",),
        handler="authority.grant",
        needs=Needs.PANE,
    ),
)

VIEW: tuple[Action, ...] = (
    Action(
        id="sidebar",
        title="Sidebar",
        description="Show or hide the sidebar.",
        keys=("prefix s",),
        handler="view.toggle_sidebar",
    ),
    Action(
        id="sidebar_side",
        title="Move the sidebar",
        description="Put the sidebar on the other side.",
        keys=("prefix S",),
        handler="view.move_sidebar",
    ),
    Action(
        id="sidebar_narrower",
        title="Narrower sidebar",
        description="Make the sidebar two columns narrower.",
        keys=("prefix <",),
        handler="view.widen_sidebar",
        argument="-2",
        repeats=True,
    ),
    Action(
        id="sidebar_wider",
        title="Wider sidebar",
        description="Make the sidebar two columns wider.",
        keys=("prefix >",),
        handler="view.widen_sidebar",
        argument="2",
        repeats=True,
    ),
    Action(
        id="scroll_up",
        title="Scroll up",
        description="Show older lines of the focused pane.",
        keys=("prefix pageup",),
        handler="view.scroll",
        argument="up",
        needs=Needs.PANE,
        repeats=True,
    ),
    Action(
        id="scroll_down",
        title="Scroll down",
        description="Show newer lines of the focused pane.",
        keys=("prefix pagedown",),
        handler="view.scroll",
        argument="down",
        needs=Needs.PANE,
        repeats=True,
    ),
    Action(
        id="copy_mode",
        title="Copy mode",
        description="Hold the focused pane still, to read, search, select and copy with the keys of vi.",
        keys=("prefix [",),
        handler="copying.enter",
        needs=Needs.PANE,
    ),
    Action(
        id="search_history",
        title="Search the history",
        description="Find text in all that the focused pane has shown.",
        keys=("prefix /",),
        handler="copying.search",
        needs=Needs.PANE,
        hint="search",
    ),
    Action(
        id="palette",
        title="Command palette",
        description="Search all of these.",
        keys=("prefix :",),
        handler="view.palette",
        hint="palette",
    ),
    Action(
        id="help",
        title="Help",
        description="Show all keys.",
        keys=("prefix ?",),
        handler="view.help",
        hint="help",
    ),
)

TOPICS: dict[Topic, tuple[Action, ...]] = {
    Topic.PANES: PANES,
    Topic.TABS: TABS,
    Topic.ATTENTION: ATTENTION,
    Topic.NOTICES: NOTICES,
    Topic.VIEW: VIEW,
    Topic.SESSION: SESSION,
}
ACTIONS: tuple[Action, ...] = tuple(action for actions in TOPICS.values() for action in actions)
ACTIONS_BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}

HINTS: tuple[str, ...] = (
    "help",
    "detach",
    "palette",
    "next_needing_you",
    "open_agent",
    "new_tab",
    "split_right",
    "zoom",
    "search_history",
)
"""Which actions stay longest in the hint line where there is no room for all: the ways to every other first."""
