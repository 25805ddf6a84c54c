"""What the commands of `erqi bot` do."""

from __future__ import annotations

import io
import json
import tarfile
import time
from contextlib import closing
from pathlib import Path

from erqiwang_runner.artefact import Artefact
from erqiwang_runner.cli.tournaments import open_database
from erqiwang_runner.errors import UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import contestants, notices, player_logs
from erqiwang_runner.store.contestants import ContestantRow
from erqiwang_runner.store.intake import take_in
from erqiwang_runner.store.player_logs import PlayerLog


def add(data: Path | None, folder: Path) -> ExitCode:
    """Store the bot of a folder; storing it again changes nothing."""
    with closing(open_database(Settings.from_environment(data))) as database:
        contestant, files = take_in(database, folder)
    size = sum(file.size for file in files)
    print(f"{contestant}: {len(files)} files, {size} bytes, hash {contestant.artefact_hash[:12]}")
    return ExitCode.YES


def list_all(data: Path | None, *, with_retired: bool, as_json: bool) -> ExitCode:
    """List the bots that are stored."""
    rows = _read_rows(data, with_retired=with_retired)
    if as_json:
        print(json.dumps([_to_object(row) for row in rows]))
    else:
        print(
            "\n".join(_line(row) for row in rows) or "there is no bot yet; `erqi bot add FOLDER` stores one"
        )
    return ExitCode.YES


def show(data: Path | None, text: str, *, as_json: bool) -> ExitCode:
    """Show one bot and the files of its artefact."""
    with closing(open_database(_settings(data))) as database, database.read() as connection:
        row = contestants.find(connection, text)
        archive = contestants.archive_of(connection, row.contestant.artefact_hash)
    files = _files_of(Artefact(archive)) if archive is not None else {}
    if as_json:
        print(json.dumps(_to_object(row) | {"files": files}))
        return ExitCode.YES
    print(_line(row))
    print(f"command: {' '.join(row.contestant.command)}")
    print(f"hash:    {row.contestant.artefact_hash}")
    for name, value in row.traits.items():
        print(f"{name + ':':<8} {json.dumps(value, ensure_ascii=False)}")
    for name, size in files.items():
        print(f"{size:>12}  {name}")
    return ExitCode.YES


def retire(data: Path | None, text: str) -> ExitCode:
    """Retire one version of a bot."""
    with closing(open_database(_settings(data))) as database, database.write() as connection:
        contestant = contestants.find(connection, text).contestant
        if contestant.bundled:
            raise UsageError(f"{contestant} is a bundled bot: it stays")
        contestants.retire(connection, contestant)
    print(f"{contestant} is retired; its results stay")
    return ExitCode.YES


def log(data: Path | None, text: str, limit: int, *, as_json: bool) -> ExitCode:
    """Show what a bot was told, what its players wrote and what went wrong, the newest first."""
    with closing(open_database(_settings(data))) as database, database.read() as connection:
        contestant = contestants.find(connection, text).contestant
        logs = player_logs.of(connection, contestant, limit)
        told = notices.of(connection, contestant, limit)
    if as_json:
        notes = [{"notice": each.text, "at": each.written_at} for each in told]
        print(json.dumps([*notes, *(_log_object(each) for each in logs)], ensure_ascii=False))
    else:
        news = [f"{_second(each.written_at)}  {each.text}" for each in told]
        lines = ["\n".join(news)] * bool(news) + [_log_text(each) for each in logs]
        print("\n\n".join(lines) or f"{contestant} wrote nothing and did nothing wrong")
    return ExitCode.YES


def _settings(data: Path | None) -> Settings:
    settings = Settings.from_environment(data)
    settings.find_data()
    return settings


def _read_rows(data: Path | None, *, with_retired: bool) -> list[ContestantRow]:
    with closing(open_database(_settings(data))) as database, database.read() as connection:
        return contestants.every(connection, with_retired=with_retired)


def _files_of(artefact: Artefact) -> dict[str, int]:
    with tarfile.open(fileobj=io.BytesIO(artefact.archive)) as archive:
        return {entry.name: entry.size for entry in archive}


def _line(row: ContestantRow) -> str:
    state = "bundled" if row.contestant.bundled else "retired" if row.retired_at is not None else "active"
    return (
        f"{row.contestant!s:<32} {state:<8} {row.size:>10} bytes  "
        f"{row.tournaments} tournaments, {row.faults} faults, added {_day(row.added_at)}"
    )


def _to_object(row: ContestantRow) -> dict[str, object]:
    return {
        "name": row.contestant.name,
        "version": row.contestant.version,
        "hash": row.contestant.artefact_hash,
        "command": list(row.contestant.command),
        "bundled": row.contestant.bundled,
        "traits": dict(row.traits),
        "bytes": row.size,
        "tournaments": row.tournaments,
        "faults": row.faults,
        "added_at": row.added_at,
        "retired_at": row.retired_at,
    }


def _log_text(each: PlayerLog) -> str:
    what = f"{each.fault}: {each.detail}" if each.fault else "wrote"
    head = f"{_second(each.stored_at)}  {each.tournament}, attempt {each.attempt_id}: {what}"
    return "\n".join([head, *(f"  | {line}" for line in each.text.splitlines())])


def _log_object(each: PlayerLog) -> dict[str, object]:
    return {
        "tournament": each.tournament,
        "attempt": each.attempt_id,
        "at": each.stored_at,
        "fault": each.fault,
        "detail": each.detail,
        "text": each.text,
    }


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def _second(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(seconds))
