"""From a claim to what the referee and the launcher are told: who plays where, with which seeds."""

import hashlib
import secrets
from dataclasses import dataclass, field, replace

from erqiwang.deals import deal_hash, deals_of_board
from erqiwang.rules import Deal, PassOut, Profile, is_house
from erqiwang.v1 import match_service_pb2 as wire
from erqiwang.v1 import record_pb2
from erqiwang.wire import cards_to_wire, profile_to_wire
from erqiwang_runner.clocks import LATENCY_MS, START_LIMIT_MS
from erqiwang_runner.made_deals import made_deal_hash
from erqiwang_runner.match_claim import MatchClaim, SlotClaim
from erqiwang_runner.results import Slot
from erqiwang_runner.tournament_spec import EntryRow


@dataclass(frozen=True, slots=True)
class Player:
    """One process: it plays the column at table `table` of every board, so it meets each deal once."""

    index: int
    entry: EntryRow
    table: int
    column: int

    @property
    def process_id(self) -> str:
        """How the launcher knows it; a restarted one gets a suffix."""
        return f"p{self.index}"


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """One table of the match: entries, columns and players by seat."""

    slot: Slot
    generation: int
    table: int
    columns: tuple[int, ...]
    players: tuple[Player, ...]
    board_seed: bytes
    bot_seeds: tuple[bytes, ...]
    deal: Deal | None = None
    opener: int | None = None

    def deal_hash(self, profile: Profile) -> str:
        """Give the SHA-256 of the order of the dealt cards."""
        made = self.deal
        found = deal_hash(profile, self.board_seed) if made is None else made_deal_hash(profile, made)
        return found.hex()

    def deals(self, profile: Profile, pass_out: PassOut) -> tuple[Deal, ...]:
        """Give the deal, and those that follow where it may be passed out."""
        return deals_of_board(profile, self.board_seed, pass_out) if self.deal is None else (self.deal,)

    @property
    def entries(self) -> tuple[int, ...]:
        """The entry on each seat."""
        return tuple(player.entry.number for player in self.players)


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """All players and tables of a claim, in the order that the referee knows them by."""

    claim: MatchClaim
    players: tuple[Player, ...]
    tables: tuple[PlannedTable, ...]

    def record_id(self, table: PlannedTable) -> str:
        """Give the identity of a table: tournament/epoch/group/n/generation/table."""
        slot = table.slot
        name = self.claim.conditions.name
        return f"{name}/{slot.epoch}/{slot.group}/{slot.n}/{table.generation}/{table.table}"


@dataclass(slots=True)
class Tokens:
    """The secrets that players join with: the token goes to the player, the referee gets its hash."""

    by_player: dict[int, str] = field(default_factory=dict[int, str])

    def issue(self, player: Player) -> bytes:
        """Make a new token for a player and give its hash."""
        token = secrets.token_hex(32)
        self.by_player[player.index] = token
        return hashlib.sha256(token.encode()).digest()


def plan_match(claim: MatchClaim) -> MatchPlan:
    """Seat the entries of a claim by its set type."""
    set_type = claim.conditions.set_type
    players = tuple(
        Player(table * set_type.columns + column, claim.group[set_type.place(column)], table, column)
        for table in range(set_type.tables)
        for column in range(set_type.columns)
    )
    tables = tuple(
        _plan_table(claim, slot, number, row, players)
        for slot in claim.slots
        for number, row in enumerate(set_type.square(slot.slot.n))
    )
    return _without_idle(claim, players, tables)


def match_spec(plan: MatchPlan, tokens: Tokens) -> wire.MatchSpec:
    """Write the plan for the referee, issuing every player's token."""
    conditions = plan.claim.conditions
    return wire.MatchSpec(
        match_id=f"{conditions.name}/{plan.claim.match_id}/{plan.claim.attempt_number}",
        profile=conditions.profile.slug,
        switches=dict(conditions.switches),
        room=conditions.room,
        definition=profile_to_wire(conditions.profile) if is_house(conditions.profile) else None,
        pass_out=record_pb2.PassOut.Value(f"PASS_OUT_{conditions.pass_out.name}"),
        players=[
            wire.PlayerSpec(
                token_sha256=player.entry.contestant.remote_token_sha256 or tokens.issue(player),
                remote=player.entry.contestant.remote_token_sha256 is not None,
                # The referee takes players with one label for copies of one bot.
                label=str(player.entry.contestant),
            )
            for player in plan.players
        ],
        tables=[
            wire.TableSpec(
                record_id=plan.record_id(table),
                board_seed=table.board_seed,
                players=[player.index for player in table.players],
                bot_seeds=table.bot_seeds,
                deal=None if table.deal is None else _deal_to_wire(table.deal),
                opener=table.opener,
                followed=table.table == plan.claim.followed,
            )
            for table in plan.tables
        ],
        clock=wire.ClockSpec(
            move_limit_ms=conditions.clock.move_ms,
            start_limit_ms=START_LIMIT_MS,
            latency_ms=LATENCY_MS,
            bank_ms=conditions.clock.bank_ms(conditions.profile),
        ),
    )


def _plan_table(
    claim: MatchClaim, slot: SlotClaim, number: int, row: tuple[int, ...], players: tuple[Player, ...]
) -> PlannedTable:
    first = number * claim.conditions.set_type.columns
    return PlannedTable(
        slot=slot.slot,
        generation=slot.generation,
        table=number,
        columns=row,
        players=tuple(players[first + column] for column in row),
        board_seed=slot.board_seed,
        bot_seeds=slot.bot_seeds[number],
        deal=slot.deal,
        opener=slot.opener,
    )


def _deal_to_wire(deal: Deal) -> wire.MadeDeal:
    hands = [cards_to_wire(hand) for hand in deal.hands]
    return wire.MadeDeal(hands=hands, kitty=cards_to_wire(deal.kitty), opener=deal.opener)


def _without_idle(
    claim: MatchClaim, players: tuple[Player, ...], tables: tuple[PlannedTable, ...]
) -> MatchPlan:
    """Leave out players that sit at no table, and number the others anew."""
    busy = {player.index for table in tables for player in table.players}
    kept = [player for player in players if player.index in busy]
    renamed = {
        player.index: Player(index, player.entry, player.table, player.column)
        for index, player in enumerate(kept)
    }
    return MatchPlan(
        claim=claim,
        players=tuple(renamed.values()),
        tables=tuple(
            replace(table, players=tuple(renamed[player.index] for player in table.players))
            for table in tables
        ),
    )
