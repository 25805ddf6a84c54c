"""What the commands of `erqi quarantine` do."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from erqiwang_runner.cli.tournaments import open_existing
from erqiwang_runner.competition.calendar import iso, say
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.store import quarantine
from erqiwang_runner.store.quarantine import Quarantine


def list_all(data: Path | None, *, as_json: bool) -> ExitCode:
    """List the hosts that are quarantined now."""
    with closing(open_existing(data)) as database, database.read() as connection:
        found = quarantine.of(connection)
    if as_json:
        print(json.dumps([_to_object(each) for each in found]))
    else:
        lines = [f"{each.host}: until {say(each.until)}, {each.reason}" for each in found]
        print("\n".join(lines) or "no host is quarantined")
    return ExitCode.YES


def lift(data: Path | None, host: str, *, as_json: bool) -> ExitCode:
    """Let a host take matches again."""
    with closing(open_existing(data)) as database, database.write() as connection:
        found = quarantine.lift(connection, host)
    print(json.dumps(_to_object(found)) if as_json else f"host {host} takes matches again")
    return ExitCode.YES


def _to_object(each: Quarantine) -> dict[str, object]:
    return {"host": each.host, "until": iso(each.until), "reason": each.reason}
