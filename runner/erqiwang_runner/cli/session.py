"""`erqi play --session N`: deals one after another at one table."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Sequence

from erqiwang.rules import Record, Session
from erqiwang_runner.cli.play import say_live
from erqiwang_runner.entry_names import entry_names
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.local.faults_text import excerpt
from erqiwang_runner.local.interruption import interruptible
from erqiwang_runner.local.live_tables import LiveTables
from erqiwang_runner.local.session_log import SessionLog
from erqiwang_runner.local.session_play import NO_DUPLICATE, PlannedSession, play_session
from erqiwang_runner.played import FaultNote
from erqiwang_runner.results import Slot
from erqiwang_runner.tournament_spec import NO_SANDBOX_NOTE


def run_session(planned: PlannedSession, *, as_json: bool, show: bool) -> ExitCode:
    """Play a session, or what is left of it; every deal is printed as it ends."""
    log = SessionLog.open(planned.file, planned.spec)
    names = entry_names([str(entry.contestant) for entry in planned.spec.entries])
    try:
        with interruptible():
            _announce(planned, log, names)
            live = _live(names, planned) if show else None
            for played in play_session(planned.spec, log, None if live is None else live.take):
                record = played.tables[0].record
                if live is not None:
                    live.finish(played)
                if not as_json:
                    print(deal_line(log.session, record), flush=True)
                for fault in played.faults:
                    _say("\n".join(_fault_lines(names[fault.entry], fault)))
    except KeyboardInterrupt:
        _say(_how_to_continue(planned, log))
        return ExitCode.INTERRUPTED
    finally:
        log.close()
    if as_json:
        print(json.dumps(_to_object(planned, log, names), indent=2, ensure_ascii=False))
    else:
        print("\n".join(total_lines(log.session, names)))
    return ExitCode.YES


def _live(names: Sequence[str], planned: PlannedSession) -> LiveTables:
    def title(slot: Slot) -> str:
        return f"deal {slot.n + 1}"

    return LiveTables(say_live, dict(enumerate(names)), planned.spec.definition, title)


def deal_line(session: Session, record: Record) -> str:
    """Give a deal in a line, after it was counted: who opened and declared, the scores, the totals."""
    opener = record.redeals[0].opener if record.redeals else record.opener
    redeals = len(record.redeals)
    again = f", after {redeals} passed-out deal{'s' * (redeals > 1)}" if redeals else ""
    return (
        f"deal {session.tables}: seat {opener} opens{again}, {_contract(record)}; "
        f"scores {_numbers(record.scores)}; totals {_numbers(session.scores)}"
    )


def total_lines(session: Session, names: Sequence[str]) -> Iterator[str]:
    """Give the totals by seat, with the levels where the profile has some."""
    yield f"after {session.tables} deals ({NO_DUPLICATE}):"
    titles = session.titles
    for seat, name in enumerate(names):
        level = f", level {session.levels[seat]} {titles[seat].name}" if titles else ""
        yield f"  seat {seat} {name}: {session.scores[seat]:+d}{level}"


def _contract(record: Record) -> str:
    if record.declarer is None:
        return "everybody passes"
    trump = "?" if record.trump is None else record.trump.letter
    how = "surrenders" if record.surrender else f"{record.defender_points} points against it"
    return f"seat {record.declarer} declares at {record.bid} {trump}: {how}"


def _numbers(scores: Sequence[int]) -> str:
    return " ".join(f"{score:+d}" for score in scores)


def _announce(planned: PlannedSession, log: SessionLog, names: Sequence[str]) -> None:
    spec = planned.spec
    seats = ", ".join(f"seat {seat} {name}" for seat, name in enumerate(names))
    _say(f"a session of {spec.boards} deals, {spec.profile}: {seats}")
    _say(f"deals from the seed {spec.seed_text!r}: not verifiable")
    _say(NO_SANDBOX_NOTE)
    _say(NO_DUPLICATE)
    _say(f"it goes to {planned.file}")
    if log.session.tables:
        _say(f"{log.session.tables} deals are there already; totals {_numbers(log.session.scores)}")


def _fault_lines(name: str, fault: FaultNote) -> Iterator[str]:
    yield f"fault of {name}: {fault.cause.name.lower()} {fault.detail}".rstrip()
    yield from (f"    {line}" for line in excerpt(fault.log or ""))


def _how_to_continue(planned: PlannedSession, log: SessionLog) -> str:
    command = shlex.join(["erqi", *sys.argv[1:]])
    if "--out" not in command:
        command += f" --out {shlex.quote(str(planned.file.parent))}"
    stored = f"{log.session.tables} of {planned.spec.boards} deals are stored"
    return f"interrupted: {stored}; continue with\n  {command}"


def _to_object(planned: PlannedSession, log: SessionLog, names: Sequence[str]) -> dict[str, object]:
    session = log.session
    return {
        "session": planned.spec.name,
        "seed": planned.spec.seed_text,
        "profile": planned.spec.profile,
        "is_duplicate": False,
        "note": NO_DUPLICATE,
        "deals": [
            {
                "opener": record.redeals[0].opener if record.redeals else record.opener,
                "declarer": record.declarer,
                "bid": record.bid,
                "scores": record.scores,
            }
            for record in log.records
        ],
        "bots": list(names),
        "totals": session.scores,
        "levels": [
            {"number": number, "name": title.name}
            for number, title in zip(session.levels, session.titles, strict=False)
        ],
        "next_opener": session.opener,
        "file": str(planned.file),
    }


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
