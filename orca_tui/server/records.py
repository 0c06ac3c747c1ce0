"""A pane as it is told to everybody: its status and the facts of its terminal and process, in one record."""

from __future__ import annotations

import msgspec

from orca_tui.layout import Layout, find_pane
from orca_tui.process.metrics import Load
from orca_tui.server.panes import Pane
from orca_tui.status.record import StatusRecord
from orca_tui.wire import PaneInfo


def pane_info(pane: Pane, record: StatusRecord, layout: Layout, resume: tuple[str, ...] = ()) -> PaneInfo:
    """The record without CPU and memory, which cost a look at the process table."""
    workspace, tab = find_pane(layout, pane.id)
    return PaneInfo(
        **{field: getattr(record, field) for field in record.__struct_fields__},
        title=pane.facts.title,
        name=pane.facts.name,
        cwd=pane.facts.directory,
        pid=pane.pid,
        command=pane.facts.command,
        resume=resume,
        size=(pane.engine.cols, pane.engine.rows),
        tab=tab.id,
        workspace=workspace.id,
        granted=pane.facts.granted,
    )


def with_load(info: PaneInfo, load: Load | None) -> PaneInfo:
    """The same record with what its programs use."""
    if load is None:
        return info
    return msgspec.structs.replace(info, cpu_percent=load.cpu_percent, rss_bytes=load.rss_bytes)
