"""What the commands of `erqi retention` do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from erqiwang_runner.cli.tournaments import open_existing
from erqiwang_runner.competition.calendar import iso, say
from erqiwang_runner.errors import UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.store import retention, usage
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.retention import Policy, Pruned, Retention
from erqiwang_runner.store.usage import Usage

_NEVER: Final = "never"
_SIZE: Final = re.compile(r"(\d+)([KMGT]?)")
_UNITS: Final = " KMGT"
_SHOWN: Final = 20


def show(data: Path | None, *, as_json: bool) -> ExitCode:
    """Show the policy and what there is, measured now."""
    with closing(open_existing(data)) as database:
        return _show(database, as_json=as_json)


def set_policy(
    data: Path | None,
    *,
    log_days: str | None,
    record_days: str | None,
    max_bytes: str | None,
    as_json: bool,
) -> ExitCode:
    """Change the policy."""
    with closing(open_existing(data)) as database:
        with database.write() as connection:
            policy = retention.current(connection).policy
            if log_days is not None:
                policy = replace(policy, log_days=_days(log_days))
            if record_days is not None:
                policy = replace(policy, record_days=_days(record_days))
            if max_bytes is not None:
                policy = replace(policy, max_bytes=_bytes(max_bytes))
            retention.set_policy(connection, policy)
        return _show(database, as_json=as_json)


def run(data: Path | None, *, as_json: bool) -> ExitCode:
    """Carry the policy out."""
    with closing(open_existing(data)) as database:
        gone = retention.run(database)
    if as_json:
        print(json.dumps([_pruned_object(each) for each in gone]))
    else:
        print("\n".join(_pruned_line(each) for each in gone) or "there is nothing to throw away")
    return ExitCode.YES


def _show(database: Database, *, as_json: bool) -> ExitCode:
    with database.read() as connection:
        found = retention.current(connection)
        sizes = usage.measure(connection)
        pruned = retention.prunings(connection)
    if as_json:
        fields = {
            "policy": asdict(found.policy),
            "ran_at": iso(found.ran_at),
            "error": found.error or None,
            "usage": {each.kind: {"items": each.items, "bytes": each.bytes} for each in sizes},
            "pruned": [_pruned_object(each) for each in pruned],
        }
        print(json.dumps(fields))
    else:
        print("\n".join(_lines(found, sizes, pruned)))
    return ExitCode.YES


def _lines(found: Retention, sizes: tuple[Usage, ...], pruned: tuple[Pruned, ...]) -> Iterator[str]:
    yield from _policy_lines(found.policy)
    ran = "it was never carried out" if found.ran_at is None else f"carried out last at {say(found.ran_at)}"
    yield f"{ran}; the latest error: {found.error}" if found.error else ran
    for each in sizes:
        yield f"{each.kind:<12} {each.items:>10} {each.bytes:>15,} bytes"
    yield from (_pruned_line(each) for each in pruned[-_SHOWN:])


def _policy_lines(policy: Policy) -> Iterator[str]:
    if not policy.is_bounded:
        yield "records and logs are kept for ever: erqi retention set bounds them"
        return
    for what, days in (("logs", policy.log_days), ("records", policy.record_days)):
        kept = "are kept for ever" if days is None else f"are kept for {days:g} days after the end"
        yield f"{what} {kept}"
    if policy.max_bytes is not None:
        yield f"beyond {policy.max_bytes:,} bytes of both together the oldest go"


def _pruned_line(each: Pruned) -> str:
    return (
        f"{each.tournament}: {each.records} records and {each.logs} logs, {each.bytes:,} bytes, "
        f"were thrown away, the last at {say(each.pruned_at)}"
    )


def _pruned_object(each: Pruned) -> dict[str, object]:
    return {
        "tournament": each.tournament,
        "records": each.records,
        "logs": each.logs,
        "bytes": each.bytes,
        "pruned_at": iso(each.pruned_at),
    }


def _days(text: str) -> float | None:
    if text == _NEVER:
        return None
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not 0 <= days < 1e6:
        raise UsageError(f"{text!r} is no number of days, such as 30 or 0.5, nor {_NEVER}")
    return days


def _bytes(text: str) -> int | None:
    if text == _NEVER:
        return None
    found = _SIZE.fullmatch(text)
    if found is None or len(found[1]) > 15:
        raise UsageError(f"{text!r} is no number of bytes, such as 500M or 20G, nor {_NEVER}")
    return int(found[1]) << 10 * _UNITS.index(found[2] or " ")
