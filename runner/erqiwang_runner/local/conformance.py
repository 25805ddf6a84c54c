"""What `erqi check` finds out about a bot, and what it would mean on a ladder."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from erqiwang.rules import FaultCause, get_profile
from erqiwang_runner.clocks import CLOCK_CLASSES, START_LIMIT_MS
from erqiwang_runner.contestants import Contestant, starter
from erqiwang_runner.errors import RunnerError
from erqiwang_runner.local import observed
from erqiwang_runner.local.faults_text import excerpt
from erqiwang_runner.local.findings import BOT, Finding, Level, Played
from erqiwang_runner.local.ladder_forecast import Forecast, forecast_of
from erqiwang_runner.local.local_claims import open_claims
from erqiwang_runner.local.pool import LocalPool
from erqiwang_runner.local.pool_messages import MatchFailed, MatchPlayed, PoolMessage, SetPlayed
from erqiwang_runner.local.rejecting_referee import play_with_rejection
from erqiwang_runner.match_claim import MatchClaim
from erqiwang_runner.played import FaultNote
from erqiwang_runner.seating import default_set_type
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec

OPPONENT: Final = "cautious"
OTHERS_SHARE: Final = 4
"""Of the profiles after the first so many times fewer boards are played."""

_NO_FAULT_OF_ITS: Final = FaultCause.PLATFORM


@dataclass(frozen=True, slots=True)
class Report:
    """How one process of the bot ended, as `observed` wrote it."""

    code: int
    stdout_bytes: int
    stdout: str
    peak_kib: int


class Checks:
    """Plays the matches that the findings come from."""

    def __init__(self, entry: EntrySpec, clock: str, folder: Path, pool: LocalPool) -> None:
        self._entry = entry
        self._pool = pool
        self._folder = folder
        self._clock = clock

    def play(self, profile: str, boards: int, *, backwards: bool = False) -> Played:
        """Play some boards in one match, on request the last first; raises RunnerError."""
        claim = self._claim(profile, boards)
        if backwards:
            claim = replace(claim, slots=claim.slots[::-1])
        played = Played()
        self._pool.submit(claim)
        while not self._pool.is_idle:
            for message in self._pool.receive():
                _take(message, played)
        return played

    def reports(self) -> list[Report]:
        """Read how the processes of the bot ended."""
        return [Report(**json.loads(file.read_text())) for file in sorted(self._folder.glob("*.json"))]

    def _claim(self, profile: str, boards: int) -> MatchClaim:
        spec = TournamentSpec(
            name="check",
            seed_text="check",
            entries=(replace(self._entry, contestant=self._watched()), EntrySpec(starter(OPPONENT))),
            boards=boards,
            boards_per_match=boards,
            profile=profile,
            set_type=default_set_type(get_profile(profile).seats, 2).name,
            clock_class=self._clock,
        )
        (claim,) = open_claims(spec, frozenset())
        return claim

    def _watched(self) -> Contestant:
        bot = self._entry.contestant
        command = (
            sys.executable,
            "-I",
            "-S",
            observed.__file__,
            str(self._folder),
            *bot.argv(self._entry.options),
        )
        return replace(bot, command=command, bundled=False)


def _take(message: PoolMessage, played: Played) -> None:
    match message:
        case SetPlayed(played=each):
            played.sets.append(each)
            played.faults += each.faults
        case MatchPlayed(faults=faults, start_times_s=times):
            played.faults += faults
            played.start_times_s = times.get(BOT, ())
        case MatchFailed(reason=reason):
            raise RunnerError(reason)
        case _:
            pass


def faults_found(profile: str, played: Played) -> Iterator[Finding]:
    """Judge whether the bot starts, plays by the rules and in time."""
    own = [fault for fault in played.faults if fault.entry == BOT and fault.cause is not _NO_FAULT_OF_ITS]
    tables = sum(len(each.tables) for each in played.sets)
    if not own:
        yield Finding(f"plays {profile}", Level.OK, f"{tables} tables without a fault")
    by_cause: dict[FaultCause, list[FaultNote]] = {}
    for fault in own:
        by_cause.setdefault(fault.cause, []).append(fault)
    for cause, notes in by_cause.items():
        seen = f"{len(notes)} × {cause.name.lower()}: {notes[0].detail}"
        log = next((note.log for note in notes if note.log), None)
        if log is not None:
            seen += "\n" + "\n".join(excerpt(log.partition("\n")[2]))
        is_cheap = cause is FaultCause.TIMED_OUT_MOVE
        cost = (
            "the fallback is played for it; the fourth at a table forfeits the table"
            if is_cheap
            else "the table is forfeited: it counts as a heavy loss, and bots with many are suspended"
        )
        yield Finding(f"plays {profile}", Level.WARN if is_cheap else Level.FAIL, seen, cost)


def speed(decision_ms: Sequence[float]) -> Iterator[Finding]:
    """Judge the time that decisions took against the clock classes."""
    if not decision_ms:
        yield Finding("speed", Level.FAIL, "it made no decision", "it forfeits everything")
        return
    middle, most, high, longest = (_percentile(decision_ms, share) for share in (0.5, 0.9, 0.99, 1.0))
    mean = sum(decision_ms) / len(decision_ms)
    seen = (
        f"{len(decision_ms)} decisions: median {middle:.1f} ms, 90 % {most:.1f} ms, "
        f"99 % {high:.1f} ms, longest {longest:.0f} ms"
    )
    suits = [
        each.name
        for each in CLOCK_CLASSES.values()
        if longest < each.move_ms / 2 and mean < each.decision_bank_ms / 2
    ]
    if "fast" in suits:
        yield Finding("speed", Level.OK, seen)
        return
    cost = f"safe only in: {', '.join(suits)}" if suits else "too slow for every clock class"
    yield Finding("speed", Level.WARN if suits else Level.FAIL, seen, cost)


def start_time(times_s: Sequence[float]) -> Iterator[Finding]:
    """Judge how long the bot takes to join."""
    if not times_s:
        yield Finding("start", Level.FAIL, "it never joined", "it forfeits every table")
        return
    limit_s = START_LIMIT_MS / 1000
    seen = f"{times_s[0]:.1f} to {times_s[-1]:.1f} s, {len(times_s)} started at once"
    is_slow = times_s[-1] > limit_s / 3
    cost = f"after {limit_s:g} s it counts as never joined" if is_slow else ""
    yield Finding("start", Level.WARN if is_slow else Level.OK, seen, cost)


def ends(reports: Sequence[Report], processes: int) -> Iterator[Finding]:
    """Judge memory, output and the end of the processes."""
    if not reports:
        cost = "it is killed; nothing it wanted to write at the end is written"
        yield Finding("goodbye", Level.WARN, "no process ended by itself", cost)
        return
    peak = max(report.peak_kib for report in reports) / 1024
    yield Finding("memory", Level.OK, f"at most {peak:.0f} MiB in a process")
    noisy = next((report for report in reports if report.stdout_bytes), None)
    if noisy is None:
        yield Finding("output", Level.OK, "nothing on standard output")
    else:
        first = (noisy.stdout.splitlines() or [""])[0]
        yield Finding("output", Level.WARN, f"writes to standard output: {first!r}", "it is thrown away")
    wrong = sum(report.code != 0 for report in reports)
    if wrong:
        yield Finding("goodbye", Level.WARN, f"{wrong} of {processes} processes ended with an error code")
    elif len(reports) < processes:
        seen = f"{processes - len(reports)} of {processes} processes were still there a second later"
        yield Finding("goodbye", Level.WARN, seen, "they are killed")
    else:
        yield Finding("goodbye", Level.OK, "ends by itself")


def same_again(
    check: str, first: Mapping[tuple[int, int], str], second: Mapping[tuple[int, int], str], cost: str
) -> Finding:
    """Judge whether two plays of the same boards were the same."""
    differing = sum(second.get(place) != moves for place, moves in first.items())
    if not differing:
        return Finding(check, Level.OK, f"{len(first)} tables, the same plays")
    return Finding(check, Level.WARN, f"{differing} of {len(first)} tables were played differently", cost)


def _percentile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


Say: TypeAlias = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Checked:
    """All that was found, and what would become of the bot on a ladder."""

    findings: tuple[Finding, ...]
    forecast: Forecast


def check_bot(
    entry: EntrySpec, profiles: Sequence[str], *, stateless: bool, boards: int, clock: str, say: Say
) -> Checked:
    """Look at all of it, most closely at the first of the profiles; `say` hears what is being done."""
    with tempfile.TemporaryDirectory(prefix="erqi-check-") as folder, LocalPool(1) as pool:
        checks = Checks(entry, clock, Path(folder), pool)
        return _check(checks, entry, profiles, stateless=stateless, boards=boards, say=say)


def _check(
    checks: Checks, entry: EntrySpec, profiles: Sequence[str], *, stateless: bool, boards: int, say: Say
) -> Checked:
    found: list[Finding] = []
    say(f"playing {boards} boards of {profiles[0]}")
    first = checks.play(profiles[0], boards)
    found += start_time(first.start_times_s)
    found += faults_found(profiles[0], first)
    if not first.start_times_s:
        return Checked(tuple(found), forecast_of(first))
    found += speed(first.decision_ms)
    found += ends(checks.reports(), len(first.start_times_s))
    few = -(-boards // OTHERS_SHARE)
    for profile in profiles[1:]:
        say(f"playing {few} boards of {profile}")
        found += faults_found(profile, checks.play(profile, few))
    found.append(_repeat(checks, first, profiles[0], boards, stateless=stateless, say=say))
    say("rejecting an answer")
    found.append(_rejection(entry, profiles[0]))
    return Checked(tuple(found), forecast_of(first))


def _repeat(
    checks: Checks, first: Played, profile: str, boards: int, *, stateless: bool, say: Say
) -> Finding:
    say("playing the same boards again, the last first")
    again = checks.play(profile, boards, backwards=True)
    cost = "no replay can be trusted; its results differ from run to run"
    same = same_again("same again", first.moves, again.moves, cost)
    if same.level is Level.OK:
        return replace(same, seen=f"{same.seen}, also with the boards in another order")
    say("playing them once more")
    return _why_not_same(same, first, checks.play(profile, boards), stateless=stateless)


def _rejection(entry: EntrySpec, profile: str) -> Finding:
    wrong = play_with_rejection(entry.contestant.argv(entry.options), entry.options, get_profile(profile))
    if wrong is None:
        return Finding("rejection", Level.OK, "plays on after an answer that was not applied")
    return Finding("rejection", Level.FAIL, wrong, "after one late answer the rest of the table is lost")


def _why_not_same(same: Finding, first: Played, third: Played, *, stateless: bool) -> Finding:
    """Tell a bot that remembers boards from one that decides by chance."""
    if third.moves != first.moves:
        return replace(same, check="same again", seen=f"{same.seen}, also in the same order")
    cost = "declared stateless, but what it plays depends on the boards before: it would be refused"
    if stateless:
        return Finding("stateless", Level.FAIL, f"{same.seen} in another order", cost)
    return Finding("stateless", Level.OK, f"{same.seen} in another order, and it does not claim otherwise")
