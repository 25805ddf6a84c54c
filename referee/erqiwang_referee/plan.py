"""What a match consists of, checked: the runner's specification as values that the referee can trust."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from erqiwang.errors import WireError
from erqiwang.rules import Deal, PassOut, Profile
from erqiwang.rules.contract import check_deals
from erqiwang.rules.soundness import check_room
from erqiwang.v1 import match_service_pb2, record_pb2
from erqiwang.wire import cards_from_wire, told_profile
from erqiwang_referee.errors import SpecError

SEED_BYTES = 32
DIGEST_BYTES = 32
_PLAYERS_MAX = 1024
_TABLES_MAX = 100_000
_IN_FLIGHT_MAX = 1024
_MS_MAX = 3_600_000
_PASS_OUTS: dict[int, PassOut] = {
    record_pb2.PASS_OUT_ZERO: PassOut.ZERO,
    record_pb2.PASS_OUT_REDEAL: PassOut.REDEAL,
}


@dataclass(frozen=True, slots=True)
class PlayerPlan:
    """A player to come: SHA-256 of its token, and the label that only logs and verdicts see.

    A `remote` one comes from the lobby with an API token, which others of the match may have too.
    """

    token_sha256: bytes
    label: str
    remote: bool = False


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table to play: the identity of its record, its seeds, the player at each seat.

    `deal` is None where the seed decides it, and so is `opener`. A runner hears of a `followed` one.
    """

    record_id: str
    board_seed: bytes
    players: tuple[int, ...]
    bot_seeds: tuple[bytes, ...]
    deal: Deal | None = None
    opener: int | None = None
    followed: bool = False


@dataclass(frozen=True, slots=True)
class ClockPlan:
    """Limits in milliseconds; a bank of None is no bank."""

    move_limit_ms: int
    start_limit_ms: int
    latency_ms: int
    bank_ms: int | None


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match that can be played."""

    match_id: str
    profile: Profile
    switches: dict[str, str]
    room: int
    pass_out: PassOut
    players: tuple[PlayerPlan, ...]
    tables: tuple[TablePlan, ...]
    clock: ClockPlan
    tables_in_flight: int


def plan_match(spec: match_service_pb2.MatchSpec, tables_in_flight: int) -> MatchPlan:
    """Check a specification; `tables_in_flight` holds where it says nothing. Raises `SpecError`."""
    switches = dict(spec.switches)
    try:
        profile = told_profile(
            spec.profile, switches, spec.definition if spec.HasField("definition") else None
        )
    except ValueError as error:
        raise SpecError(f"profile: {error}") from None
    room = spec.room or 1
    try:
        check_room(profile, room)
    except ValueError as error:
        raise SpecError(f"room: {error}") from None
    _require(spec.pass_out in _PASS_OUTS, "pass_out: must be PASS_OUT_ZERO or PASS_OUT_REDEAL")
    _require(spec.tables_in_flight <= _IN_FLIGHT_MAX, f"tables_in_flight: at most {_IN_FLIGHT_MAX}")
    players = _players(spec.players)
    tables = _tables(spec.tables, profile, len(players))
    _require(
        spec.pass_out == record_pb2.PASS_OUT_ZERO or all(table.deal is None for table in tables),
        "pass_out: made deals cannot be dealt again",
    )
    idle = set(range(len(players))).difference(*[table.players for table in tables])
    _require(not idle, f"players[{min(idle, default=0)}]: sits at no table")
    return MatchPlan(
        match_id=spec.match_id,
        profile=profile,
        switches=switches,
        room=room,
        pass_out=_PASS_OUTS[spec.pass_out],
        players=players,
        tables=tables,
        clock=_clock(spec.clock),
        tables_in_flight=spec.tables_in_flight or tables_in_flight,
    )


def companies(plan: MatchPlan) -> tuple[tuple[int, ...], ...]:
    """Split the players into parts that never share a table, not even over others.

    >>> from types import SimpleNamespace
    >>> seatings = [SimpleNamespace(players=players) for players in ((0, 1), (2, 3), (1, 4))]
    >>> companies(SimpleNamespace(players=range(5), tables=seatings))
    ((0, 1, 4), (2, 3))
    """
    part_of = {player: [player] for player in range(len(plan.players))}
    for table in plan.tables:
        first = part_of[table.players[0]]
        for player in table.players[1:]:
            other = part_of[player]
            if other is not first:
                first.extend(other)
                part_of.update(dict.fromkeys(other, first))
    parts = {id(part): tuple(sorted(part)) for part in part_of.values()}
    return tuple(sorted(parts.values()))


def _players(specs: Sequence[match_service_pb2.PlayerSpec]) -> tuple[PlayerPlan, ...]:
    _require(0 < len(specs) <= _PLAYERS_MAX, f"players: 1 to {_PLAYERS_MAX}")
    for index, player in enumerate(specs):
        _require(
            len(player.token_sha256) == DIGEST_BYTES, f"players[{index}].token_sha256: {DIGEST_BYTES} bytes"
        )
    digests = [player.token_sha256 for player in specs if not player.remote]
    _require(len(set(digests)) == len(digests), "players: two of them have the same token_sha256")
    return tuple(PlayerPlan(player.token_sha256, player.label, player.remote) for player in specs)


def _tables(
    specs: Sequence[match_service_pb2.TableSpec], profile: Profile, players: int
) -> tuple[TablePlan, ...]:
    _require(0 < len(specs) <= _TABLES_MAX, f"tables: 1 to {_TABLES_MAX}")
    for index, table in enumerate(specs):
        _check_table(f"tables[{index}]", table, profile.seats, players)
    return tuple(
        TablePlan(
            table.record_id,
            table.board_seed,
            tuple(table.players),
            tuple(table.bot_seeds),
            _made_deal(f"tables[{index}].deal", table.deal, profile) if table.HasField("deal") else None,
            table.opener if table.HasField("opener") else None,
            table.followed,
        )
        for index, table in enumerate(specs)
    )


def _made_deal(name: str, made: match_service_pb2.MadeDeal, profile: Profile) -> Deal:
    try:
        deal = Deal(
            hands=tuple(cards_from_wire(hand) for hand in made.hands),
            kitty=cards_from_wire(made.kitty),
            opener=made.opener,
        )
        check_deals(profile, (deal,))
    except (WireError, ValueError) as error:
        raise SpecError(f"{name}: {error}") from None
    return deal


def _check_table(name: str, table: match_service_pb2.TableSpec, seats: int, players: int) -> None:
    _require(len(table.board_seed) == SEED_BYTES, f"{name}.board_seed: {SEED_BYTES} bytes")
    _require(len(table.players) == seats, f"{name}.players: one for each of {seats} seats")
    _require(len(set(table.players)) == seats, f"{name}.players: a player sits on one seat only")
    _require(max(table.players) < players, f"{name}.players: there are {players} players")
    _require(
        len(table.bot_seeds) == seats and all(len(seed) == SEED_BYTES for seed in table.bot_seeds),
        f"{name}.bot_seeds: {SEED_BYTES} bytes for each of {seats} seats",
    )
    _require(not table.HasField("opener") or table.opener < seats, f"{name}.opener: there are {seats} seats")
    _require(
        not (table.HasField("opener") and table.HasField("deal")), f"{name}.opener: a made deal has its own"
    )


def _clock(spec: match_service_pb2.ClockSpec) -> ClockPlan:
    _require(0 < spec.move_limit_ms <= _MS_MAX, f"clock.move_limit_ms: 1 to {_MS_MAX}")
    _require(0 < spec.start_limit_ms <= _MS_MAX, f"clock.start_limit_ms: 1 to {_MS_MAX}")
    _require(spec.latency_ms <= _MS_MAX, f"clock.latency_ms: at most {_MS_MAX}")
    _require(spec.bank_ms <= _MS_MAX, f"clock.bank_ms: at most {_MS_MAX}")
    return ClockPlan(spec.move_limit_ms, spec.start_limit_ms, spec.latency_ms, spec.bank_ms or None)


def _require(holds: bool, text: str) -> None:
    if not holds:
        raise SpecError(text)
