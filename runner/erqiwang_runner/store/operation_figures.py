"""What runs beside the play, in numbers, for the exporter."""

from sqlalchemy import Connection, func, select

from erqiwang_runner.competition.calendar import Phase
from erqiwang_runner.exporter import OperationFigure
from erqiwang_runner.store import retention, schema, usage, webhooks


def operation_figures(connection: Connection) -> OperationFigure:
    """Count events, competitions and what is kept; the latter is what was measured last."""
    found = retention.current(connection)
    table, pruned = schema.competitions, schema.prunings
    phases = connection.execute(select(table.c.phase, func.count()).group_by(table.c.phase))
    held_up = select(func.count()).select_from(table).where(table.c.problem.is_not(None))
    return OperationFigure(
        kept={each.kind: each.bytes for each in usage.kept(connection)},
        retention_since=(found.ran_at or 0.0) if found.policy.is_bounded else None,
        records_pruned=connection.scalar(select(func.coalesce(func.sum(pruned.c.records), 0))) or 0,
        events=webhooks.counts(connection),
        competitions={phase.value: 0 for phase in Phase} | {row[0]: int(row[1]) for row in phases},
        held_up=connection.scalar(held_up) or 0,
    )
