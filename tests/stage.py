"""A match on the referee's synchronous core, in the hand of a test: players say what it wants."""

import heapq
import itertools
from collections.abc import Callable

from erqiwang.rules import DecidedBy, Fault, Record, verify_record
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang.v1 import match_service_pb2, record_pb2
from erqiwang_referee.deadlines import Deadlines
from erqiwang_referee.match import Match, Outcome
from erqiwang_referee.plan import plan_match
from erqiwang_referee.player import Presence
from erqiwang_referee.settings import Limits
from erqiwang_referee.table import Table
from erqiwang_referee.timekeeper import Timekeeper

TICK_S = 0.02


class Actor:
    """A player on the stage: keeps what it was told and says what the test makes it say."""

    def __init__(self, stage: "Stage", index: int) -> None:
        self.stage = stage
        self.index = index
        self.inbox: list[bot.PlayResponse] = []
        self.turns: dict[int, bot.Turn] = {}
        self.opened: dict[int, bot.TableOpened] = {}
        self.over: list[bot.TableOver] = []
        self.rejections: list[bot.Rejection] = []
        self.match_over: bot.MatchOver | None = None
        self.goodbye: str | None = None
        self.is_closed = False
        self.breach: str | None = None
        self.waiting_bytes = 0

    # The link, as the match sees it.

    def send(self, message: bytes) -> None:
        response = bot.PlayResponse.FromString(message)
        self.inbox.append(response)
        self.turns.update({turn.turn_id: turn for turn in response.turns.turns})
        self.opened.update({table.table_id: table for table in response.tables_opened.tables})
        self.over.extend(response.tables_over.tables)
        self.rejections.extend(response.rejections.rejections)
        if response.HasField("match_over"):
            self.match_over = response.match_over
        if response.HasField("goodbye"):
            self.goodbye = response.goodbye.reason

    def close(self, breach: str | None = None) -> None:
        self.is_closed = True
        self.breach = breach

    # What the player does.

    def join(self, max_tables: int = 0, full_history: bool = False) -> None:
        match = self.stage.match
        self.is_closed = False
        match.join(self.index, self, match.terms(max_tables, full_history), "stage")

    def say(self, request: bot.PlayRequest) -> None:
        self.stage.match.receive(self.index, self, request.SerializeToString())

    def say_bytes(self, data: bytes) -> None:
        self.stage.match.receive(self.index, self, data)

    def decide(self, *decisions: tuple[int, bot.Action]) -> None:
        answers = [bot.Decision(turn_id=turn_id, action=action) for turn_id, action in decisions]
        for turn_id, _ in decisions:
            self.turns.pop(turn_id, None)
        self.say(bot.PlayRequest(decisions=bot.Decisions(decisions=answers)))

    def answer(self, count: int = 1000) -> int:
        """Play the fallback at the oldest open turns, in one message."""
        turn_ids = list(itertools.islice(self.turns, count))
        if turn_ids:
            self.decide(*[(turn_id, bold(self.turns[turn_id])) for turn_id in turn_ids])
        return len(turn_ids)

    def vanish(self) -> None:
        self.stage.match.break_off(self.index, self)


class Stage:
    """A match in the test's hand. `advance` is the only thing that makes time pass."""

    def __init__(self, spec: match_service_pb2.MatchSpec, limits: Limits) -> None:
        self.instant = 5000.0
        self.joined: list[int] = []
        self.records: dict[int, Record] = {}
        self.followed: dict[int, list[match_service_pb2.TableMoved]] = {}
        self.forfeits: dict[int, list[int]] = {}
        self.faults: list[tuple[int, int | None, Fault]] = []
        self.end: tuple[Outcome, str] | None = None
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self.timekeeper = Timekeeper(lambda: self.instant, limits.late_tick_ms / 1000)
        self.deadlines = Deadlines()
        self.timekeeper.expect_tick(TICK_S)
        self.match = Match(
            plan_match(spec, limits.tables_in_flight),
            reporter=_Reporter(self),
            timekeeper=self.timekeeper,
            deadlines=self.deadlines,
            limits=limits,
            later=self._later,
        )
        self.actors = [Actor(self, index) for index in range(len(spec.players))]
        self.match.open()

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        heapq.heappush(self._timers, (self.instant + seconds, next(self._order), call))

    def join_all(self, **terms: int) -> None:
        for actor in self.actors:
            actor.join(**terms)

    def advance(self, seconds: float) -> None:
        """Let time pass, in ticks; timers run when they are due."""
        end = self.instant + seconds
        while self.instant < end - 1e-9:
            self.instant = min(end, self.instant + TICK_S)
            self._run_timers()
            self._tick()

    def stall(self, seconds: float) -> None:
        """The referee stands still; then one tick comes, late."""
        self.instant += seconds
        self._tick()

    def flush(self) -> None:
        """Send what waits for company."""
        while self._timers:
            self.instant = max(self.instant, self._timers[0][0])
            self._run_timers()

    def _run_timers(self) -> None:
        while self._timers and self._timers[0][0] <= self.instant + 1e-9:
            heapq.heappop(self._timers)[2]()

    def _tick(self) -> None:
        now = self.timekeeper.now()
        self.timekeeper.expect_tick(TICK_S)
        self.deadlines.tick(now)

    def play(self, *silent: int, until: Callable[[], bool] | None = None) -> None:
        """Everybody but the silent answers, until nothing more can happen without time passing."""
        speakers = [actor for actor in self.actors if actor.index not in silent]
        while not (until is not None and until()):
            answered = sum([actor.answer() for actor in speakers if not actor.is_closed])
            self.flush()
            if not answered and not any(actor.turns for actor in speakers if not actor.is_closed):
                return

    def presence(self, index: int) -> Presence:
        return self.match.players[index].presence


class _Reporter:
    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def joined(self, player: int, client: str) -> None:
        self.stage.joined.append(player)

    def table_moved(self, table: Table) -> None:
        moved = match_service_pb2.TableMoved.FromString(table.encode_news())
        self.stage.followed.setdefault(table.index, []).append(moved)

    def table_finished(self, table: Table) -> None:
        assert table.index not in self.stage.records
        self.stage.records[table.index] = table.record()
        self.stage.forfeits[table.index] = table.forfeited_seats

    def faulted(self, player: int, table: int | None, fault: Fault) -> None:
        self.stage.faults.append((player, table, fault))

    def finished(self, outcome: Outcome, detail: str, messages: int) -> None:
        assert self.stage.end is None
        self.stage.end = (outcome, detail)


def bold(turn: bot.Turn) -> bot.Action:
    """The fallback, but an opening bid where nobody bid: or every table would be passed out."""
    opens = turn.kind == bot.TURN_KIND_BID and turn.events and turn.events[-1].HasField("dealt")
    return bot.Action(bid=100) if opens else bot.Action(use_fallback=True)


def make_spec(
    tables: int = 4,
    *,
    companies: int = 1,
    move_limit_ms: int = 1000,
    bank_ms: int = 0,
    in_flight: int = 0,
    labels: tuple[str, ...] = ("ant@1", "bee@1", "cat@1", "dog@1"),
) -> match_service_pb2.MatchSpec:
    """A match of companies of four: each plays so many tables, its players take turns on the seats."""
    return match_service_pb2.MatchSpec(
        match_id="stage",
        profile="classic",
        pass_out=record_pb2.PASS_OUT_ZERO,
        players=[
            match_service_pb2.PlayerSpec(token_sha256=bytes([number]) * 32, label=labels[number % 4])
            for number in range(4 * companies)
        ],
        tables=[
            match_service_pb2.TableSpec(
                record_id=f"t/0/g/{number}/0/{company}",
                board_seed=bytes([number + 1]) * 32,
                players=[4 * company + (number + seat) % 4 for seat in range(4)],
                bot_seeds=[bytes([number, seat] * 16) for seat in range(4)],
            )
            for number in range(tables)
            for company in range(companies)
        ],
        clock=match_service_pb2.ClockSpec(
            move_limit_ms=move_limit_ms, start_limit_ms=10_000, latency_ms=50, bank_ms=bank_ms
        ),
        tables_in_flight=in_flight,
    )


def assert_sound(stage, tables: int) -> None:
    """Every record is true to the rules, sums to zero, and every decision has its author and time."""
    assert sorted(stage.records) == list(range(tables))
    for record in stage.records.values():
        assert verify_record(record) is None
        assert sum(record.scores) == 0
        calls = len(record.auction) + sum(len(trick.plays) for trick in record.tricks)
        assert len(record.decisions) == calls + (record.declarer is not None) + (record.buried is not None)


def causes(stage) -> list[tuple[int, int | None, str]]:
    return [(player, table, fault.cause.name) for player, table, fault in stage.faults]


def decided(stage, by: DecidedBy) -> int:
    return sum(choice.by is by for record in stage.records.values() for choice in record.decisions)
