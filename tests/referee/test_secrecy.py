"""What a player is told, byte for byte: nothing that its seat may not know.

Every message that leaves the referee is kept as it came over the wire. What each seat may know is worked out
from the records alone: its own cards, the kitty once it is shown, the cards played so far, the reports.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import grpc
import grpc.aio
import pytest
from google.protobuf.message import Message

from erqiwang.asking_in_turn import AskingInTurn
from erqiwang.bots.lowest import LowestBot
from erqiwang.bots.random import RandomBot
from erqiwang.comeback import join_request
from erqiwang.rules import PROFILES, Card, get_profile
from erqiwang.session import Session
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang.v1 import match_service_pb2, record_pb2

TABLES = 2
CARD_TEXT = re.compile(r"\b(?:[SHCD][AKQJT2-9]|BJ|LJ)\b")
CARDS = {
    "turns.turns.hand",
    "turns.turns.fallback.bury",
    "turns.turns.fallback.play",
    "rejections.rejections.owed",
    *(
        f"{where}.events.{event}"
        for where in ("turns.turns", "tables_over.tables")
        for event in ("kitty_shown.kitty", "played.cards", "played.thrown", "settled.buried")
    ),
}
"""Every field of bytes that may hold cards; another one fails the test until it is judged here."""


def spec_of(slug: str, pass_out: int) -> match_service_pb2.MatchSpec:
    seats = get_profile(slug).seats
    return match_service_pb2.MatchSpec(
        match_id=f"match-of-{slug}",
        profile=slug,
        pass_out=pass_out,  # type: ignore[arg-type]
        players=[match_service_pb2.PlayerSpec(label=f"label-{number}") for number in range(seats)],
        tables=[
            match_service_pb2.TableSpec(
                record_id=f"record-{slug}-{table}",
                board_seed=bytes([200 + table, len(slug)] * 16),
                players=[(table + seat) % seats for seat in range(seats)],
                bot_seeds=[bytes([table, seat, 250, 251] * 8) for seat in range(seats)],
            )
            for table in range(TABLES)
        ],
        clock=match_service_pb2.ClockSpec(move_limit_ms=60_000, start_limit_ms=100_000, latency_ms=50),
    )


class Witness:
    """A player that keeps every byte it is sent. It comes back once, and once at a table it may cheat."""

    def __init__(self, runner, index: int, *, full_history: bool, cheats: bool) -> None:
        self.index = index
        self.full_history = full_history
        self.received: list[bytes] = []
        self._cheats = cheats
        self._cheated: set[int] = set()
        self.invented: set[str] = set()
        self._channel = grpc.aio.insecure_channel(runner.addresses[index])
        self._token = runner.tokens[index]
        self._session = Session(LowestBot if index == 0 else RandomBot, AskingInTurn(), lambda line: None)

    async def play(self) -> None:
        broken = await self._stream(self._token_join(), break_after=20)
        if broken:
            await self._stream(join_request(resume_token=self._session.resume_token), break_after=None)
        await self._channel.close()

    def _token_join(self) -> bytes:
        join = bot.Join(token=self._token, protocol_version=1, full_history=self.full_history)
        return bot.PlayRequest(join=join).SerializeToString()

    async def _stream(self, join: bytes, break_after: int | None) -> bool:
        call = self._channel.stream_stream("/erqiwang.v1.BotService/Play")()
        await call.write(join)
        while isinstance(data := await call.read(), bytes):
            self.received.append(data)
            response = bot.PlayResponse.FromString(data)
            if break_after is not None and len(self.received) > break_after and response.HasField("turns"):
                call.cancel()  # it owes an answer, so the match is not over
                return True
            for answer in self._answers(response):
                await call.write(answer)
            if self._session.is_over:
                await call.done_writing()
        return False

    def _answers(self, response: bot.PlayResponse) -> Iterator[bytes]:
        turns = {turn.turn_id: turn for turn in response.turns.turns}
        if not self.full_history:
            for answer in self._session.receive(response):
                yield self._spoil(answer, turns)
        elif turns:
            act = bot.Action(use_fallback=True)
            decisions = bot.Decisions(decisions=[bot.Decision(turn_id=each, action=act) for each in turns])
            yield bot.PlayRequest(decisions=decisions).SerializeToString()
        elif not response.HasField("tables_over"):
            yield from self._session.receive(response)

    def _spoil(self, answer: bytes, turns: dict[int, bot.Turn]) -> bytes:
        """Play a card that is not held, where that is due."""
        request = bot.PlayRequest.FromString(answer)
        for decision in request.decisions.decisions:
            turn = turns[decision.turn_id]
            if self._cheats and turn.kind == bot.TURN_KIND_PLAY and turn.table_id not in self._cheated:
                self._cheated.add(turn.table_id)
                strange = next(card for card in Card if card not in turn.hand)
                decision.action.play = bytes([strange])
                self.invented.add(str(strange))
        return request.SerializeToString()


@dataclass
class Knowledge:
    """What a seat may know of a table, as it is told of it event by event. The record is the truth."""

    record: dict
    seat: int
    deal: int = -1
    calls: int = 0
    plays: int = 0
    reports: int = 0
    kitty_is_shown: bool = False
    is_buried: bool = False
    is_over: bool = False
    seen: Counter[str] = field(default_factory=Counter)

    def observe(self, event: Message, *, at_the_end: bool) -> None:
        assert not self.is_over
        kind = event.WhichOneof("event")  # type: ignore[attr-defined]
        getattr(self, f"see_{kind}", lambda body: None)(getattr(event, kind))
        assert (kind == "settled") <= at_the_end, "nobody is told the end while it plays"

    def see_dealt(self, body) -> None:
        self.deal, self.calls = body.redeal, 0
        assert body.opener == self.dealt["opener"]

    def see_bid_made(self, body) -> None:
        call = self.dealt["auction"][self.calls]
        self.calls += 1
        assert (body.seat, body.bid if body.HasField("bid") else None) == (call["seat"], call["bid"])

    def see_kitty_shown(self, body) -> None:
        assert body.declarer == self.record["declarer"]
        assert cards(body.kitty) == self.dealt_cards("kitty")
        self.kitty_is_shown = True
        self.seen += cards(body.kitty)

    def see_buried(self, body) -> None:
        self.is_buried = True

    def see_played(self, body) -> None:
        seat, played = self.all_plays[self.plays]
        assert (body.seat, cards(body.cards)) == (seat, played)
        if body.thrown:  # a throw that failed was on the table for all to see
            assert cards(body.thrown) <= self.hand_of(seat)
        self.plays += 1
        self.seen |= cards(body.thrown)
        self.seen += played

    def see_announced(self, body) -> None:
        report = self.record["announcements"][self.reports]
        self.reports += 1
        assert list(body.void_seats) == report["void"]
        told = [{"seat": each.seat, "count": each.count, "pair": each.pair} for each in body.trumps]
        assert told == report["trumps"]

    def see_settled(self, body) -> None:
        self.is_over = True
        assert cards(body.buried) == text_cards(self.record["buried"] or "")
        assert list(body.scores) == self.record["scores"]

    @property
    def dealt(self) -> dict:
        """The deal in play."""
        redeals = self.record.get("redeals", [])
        return redeals[self.deal] if self.deal < len(redeals) else self.record

    def dealt_cards(self, place: str) -> Counter[str]:
        return text_cards(self.dealt[place])

    @cached_property
    def all_plays(self) -> list[tuple[int, Counter[str]]]:
        seats = len(self.record["hands"])
        return [
            ((trick["leader"] + number) % seats, text_cards(play))
            for trick in self.record["tricks"]
            for number, play in enumerate(trick["plays"])
        ]

    def hand_of(self, seat: int) -> Counter[str]:
        hand = text_cards(self.dealt["hands"][seat])
        if self.kitty_is_shown and seat == self.record["declarer"]:
            hand += self.dealt_cards("kitty")
            if self.is_buried:
                hand -= text_cards(self.record["buried"])
        for player, played in self.all_plays[: self.plays]:
            if player == seat:
                hand -= played
        return hand


def cards(data: bytes) -> Counter[str]:
    return Counter(str(Card(number)) for number in data)


def text_cards(text: str) -> Counter[str]:
    return Counter(text.split())


def judge(witness: Witness, spec: match_service_pb2.MatchSpec, records: dict) -> Counter[str]:
    """Go through all that a player was told; gives how often each thing was told."""
    tables: dict[int, Knowledge] = {}
    told: Counter[str] = Counter()
    for data in witness.received:
        response = bot.PlayResponse.FromString(data)
        for path, value in fields_of(response):
            told[path] += 1
            assert isinstance(value, str) or path in CARDS or path == "tables_opened.tables.seed", path
        for opened in response.tables_opened.tables:
            table = bytes(opened.seed)[0]
            assert spec.tables[table].players[opened.seat] == witness.index
            assert opened.seed == spec.tables[table].bot_seeds[opened.seat]
            tables[opened.table_id] = Knowledge(records[table], opened.seat)
        for turn in response.turns.turns:
            if witness.full_history:
                tables[turn.table_id] = Knowledge(tables[turn.table_id].record, tables[turn.table_id].seat)
            knowledge = tables[turn.table_id]
            for event in turn.events:
                knowledge.observe(event, at_the_end=False)
            assert cards(turn.hand) == knowledge.hand_of(knowledge.seat)
            assert cards(turn.fallback.play + turn.fallback.bury) <= cards(turn.hand)
        for rejection in response.rejections.rejections:
            mine = set().union(*[each.hand_of(each.seat) | each.seen for each in tables.values()])
            assert set(cards(rejection.owed)) <= mine
            assert set(CARD_TEXT.findall(rejection.detail)) <= mine | witness.invented
            told["rejections"] += 1
        for over in response.tables_over.tables:
            for event in over.events:
                tables[over.table_id].observe(event, at_the_end=True)
            assert tables[over.table_id].is_over
    assert len(tables) == TABLES
    return told


def fields_of(message: Message, path: str = "") -> Iterator[tuple[str, bytes | str]]:
    """Every text and every field of bytes in a message, however deep, by its path."""
    for descriptor, value in message.ListFields():
        name = f"{path}{descriptor.name}"
        for each in value if descriptor.is_repeated and not isinstance(value, str | bytes) else [value]:
            if isinstance(each, Message):
                yield from fields_of(each, f"{name}.")
            elif isinstance(each, str | bytes):
                yield name, each


def assert_no_secret(witness: Witness, spec: match_service_pb2.MatchSpec, tokens: list[str]) -> None:
    """Nothing but cards: not who else plays, not what the match is called, not what it is made from."""
    own = {table.bot_seeds[list(table.players).index(witness.index)] for table in spec.tables}
    secrets = [spec.match_id.encode(), *[token.encode() for token in tokens]]
    secrets += [player.label.encode() for player in spec.players]
    secrets += [player.token_sha256 for player in spec.players]
    for table in spec.tables:
        secrets += [table.record_id.encode(), table.board_seed]
        secrets += [seed for seed in table.bot_seeds if seed not in own]
    everything = b"\0".join(witness.received)
    assert not [secret for secret in secrets if secret in everything]


@pytest.mark.parametrize("pass_out", [record_pb2.PASS_OUT_ZERO, record_pb2.PASS_OUT_REDEAL])
def test_no_message_holds_what_its_reader_may_not_know(service, pass_out: int) -> None:
    referee = service.referee()
    told: Counter[str] = Counter()

    async def play(slug: str) -> None:
        spec = spec_of(slug, pass_out)
        async with service.Runner(referee, spec) as runner:
            witnesses = [
                Witness(runner, number, full_history=number == 1, cheats=number == 2)
                for number in range(len(spec.players))
            ]
            await asyncio.gather(runner.finish(), *[witness.play() for witness in witnesses])
        records = {table: json.loads(record.to_json()) for table, record in runner.records.items()}
        assert any(record["tricks"] for record in records.values()), slug
        for witness in witnesses:
            told.update(judge(witness, spec, records))
            assert_no_secret(witness, spec, runner.tokens)

    async def scenario() -> None:
        for slug in PROFILES:
            await play(slug)

    service.run(scenario())
    # The test saw what it is about.
    assert CARDS - told.keys() <= {
        "turns.turns.events.settled.buried",
        "turns.turns.events.played.thrown",
        "tables_over.tables.events.played.thrown",
        "tables_over.tables.events.kitty_shown.kitty",
        "rejections.rejections.owed",
    }
    assert told["rejections"] > 0
