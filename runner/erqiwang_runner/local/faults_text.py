"""The faults of a play, as its author wants to read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from erqiwang.rules import FaultCause
from erqiwang_runner.played import FaultNote
from erqiwang_runner.results import Entry

_LOG_LINES: Final = 8
"""So many of a log's first and of its last lines are shown; the games file keeps the rest."""


def fault_lines(
    entries: Sequence[Entry], counts: Mapping[int, Mapping[FaultCause, int]], notes: Iterable[FaultNote]
) -> Iterator[str]:
    """Give for each entry with faults how many of which there were, and what is known of the first."""
    first: dict[int, FaultNote] = {}
    for note in notes:
        kept = first.get(note.entry)
        if kept is None or (kept.log is None and note.log is not None):
            first[note.entry] = note
    for entry in entries:
        if not counts.get(entry.id):
            continue
        counted = ", ".join(f"{count} {cause.name.lower()}" for cause, count in counts[entry.id].items())
        yield f"{entry.bot}: {counted}"
        yield from (f"    {line}" for line in _about(first[entry.id]))


def write_words(
    folder: Path, said: Mapping[tuple[int, int, int], str], entries: Sequence[Entry]
) -> Path | None:
    """Write what players said to standard error into files of a folder; gives it, if there was anything."""
    if not said:
        return None
    folder.mkdir(exist_ok=True)
    for (entry, table, column), words in sorted(said.items()):
        name = entries[entry].bot.partition(" ")[0].replace("/", "-")
        file = folder / f"{entry}-{name}-table{table}-column{column}.log"
        with file.open("a", encoding="utf-8") as log:
            log.write(words if words.endswith("\n") else words + "\n")
    return folder


def _about(note: FaultNote) -> Iterator[str]:
    where = ""
    if note.place is not None:
        table = "" if note.table is None else f", table {note.table}"
        where = f" (board {note.place[0].n}{table})"
    reason = "" if note.reason is None else f" {note.reason.name.lower()}"
    yield f"{note.cause.name.lower()}{reason}{where}: {note.detail or 'no detail'}"
    if note.log:
        yield from excerpt(note.log)


def excerpt(log: str) -> Iterator[str]:
    """Give the first and the last lines of a log: some languages say the cause first, others last."""
    lines = [line for line in log.splitlines() if line.strip()]
    hidden = len(lines) - 2 * _LOG_LINES
    if hidden <= 1:
        yield from lines
        return
    yield from lines[:_LOG_LINES]
    yield f"... {hidden} lines ..."
    yield from lines[-_LOG_LINES:]
