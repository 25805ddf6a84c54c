"""What the commands of `erqi bot` do."""

from __future__ import annotations

import io
import json
import tarfile
import time
from contextlib import closing
from pathlib import Path

from erqiwang_runner.artefact import Artefact, pack
from erqiwang_runner.bot_folder import bot_files, check_portable, portable_command
from erqiwang_runner.cli.tournaments import open_database
from erqiwang_runner.contestants import STARTERS, Contestant
from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.local.bot_toml import BotToml, read_bot_toml
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import contestants, player_logs
from erqiwang_runner.store.contestants import ContestantRow
from erqiwang_runner.store.player_logs import PlayerLog


def add(data: Path | None, folder: Path) -> ExitCode:
    """Store the bot of a folder; storing it again changes nothing."""
    described = read_bot_toml(folder)
    if described.name in STARTERS:
        raise BadInputError(f"{folder}: {described.name} is the name of a bundled bot; choose another")
    files = bot_files(folder, described)
    check_portable(folder, described, files)
    artefact = pack(files)
    contestant = Contestant(
        described.name,
        described.version or artefact.digest[:12],
        portable_command(described, files),
        artefact.digest,
    )
    with closing(open_database(Settings.from_environment(data))) as database, database.write() as connection:
        contestants.find_or_add(connection, contestant, _traits(described))
        if contestants.find(connection, str(contestant)).retired_at is not None:
            raise UsageError(f"{contestant} is retired; give the bot a new version")
        contestants.keep_artefact(connection, artefact)
    size = sum(file.size for file in files)
    print(f"{contestant}: {len(files)} files, {size} bytes, hash {artefact.digest[:12]}")
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
    """Show what players of a bot wrote and what went wrong, the newest first."""
    with closing(open_database(_settings(data))) as database, database.read() as connection:
        contestant = contestants.find(connection, text).contestant
        logs = player_logs.of(connection, contestant, limit)
    if as_json:
        print(json.dumps([_log_object(each) for each in logs], ensure_ascii=False))
    else:
        print(
            "\n\n".join(_log_text(each) for each in logs)
            or f"{contestant} wrote nothing and did nothing wrong"
        )
    return ExitCode.YES


def _settings(data: Path | None) -> Settings:
    settings = Settings.from_environment(data)
    settings.find_data()
    return settings


def _read_rows(data: Path | None, *, with_retired: bool) -> list[ContestantRow]:
    with closing(open_database(_settings(data))) as database, database.read() as connection:
        return contestants.every(connection, with_retired=with_retired)


def _traits(described: BotToml) -> dict[str, object]:
    traits: dict[str, object] = {
        "language": described.language,
        "profiles": list(described.profiles),
        "stateless": described.stateless,
        "options": dict(described.options),
    }
    return {name: value for name, value in traits.items() if value}


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
