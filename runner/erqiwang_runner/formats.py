"""The formats of a tournament: who meets whom, decided from the results so far.

A format has rounds. How many groups each round has is known beforehand, so that the plan is; who sits in
them is asked when the results that decide it are finished in the order of the slots. Every format is pure:
the same results give the same groups, however often and by whomever it is asked, and groups come one by one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from enum import Enum
from itertools import combinations, islice
from math import comb
from typing import Any, Final, Protocol, TypeAlias

from erqiwang.deals import JsonValue, board_seed, master_key, random_words
from erqiwang_runner.comparisons import comparisons_of
from erqiwang_runner.errors import UsageError
from erqiwang_runner.ladder import LONG_RATED_BOARDS, REFIT_EVERY, Standing, next_groups
from erqiwang_runner.ladder_standing import Earlier, standing_of
from erqiwang_runner.pairing import BracketResult, advancing, bracket_round, gauntlet, swiss_round
from erqiwang_runner.ratings import Scale, rate
from erqiwang_runner.results import BoardSet, EntryRole
from erqiwang_runner.schedule import Certificate, Schedule, make_schedule
from erqiwang_runner.scoring import ScoredSet, ScoringRule, score_set

Group: TypeAlias = tuple[int, ...]

BRACKET_BOARDS: Final = 48
"""A bracket decides nothing on fewer boards, unless forced."""

_ADVANCE: Final = 2
_SWISS_ROUNDS: Final = 5


class Format(Enum):
    """How the groups of a tournament are chosen."""

    ROUND_ROBIN = "round-robin"
    """Every group of entries meets."""
    MATCH = "match"
    """One group, of all entries."""
    GAUNTLET = "gauntlet"
    """The first entry meets one of each stratum of the others, who are given in order of strength."""
    CYCLIC = "cyclic"
    """Few groups that let all pairs meet about equally often."""
    SWISS = "swiss"
    """Rounds; who stands alike meets."""
    BRACKET = "bracket"
    """Rounds; two of each group go on. The entries are given in the order of their seeds."""
    LADDER = "ladder"
    """Groups are chosen one by one, by what the ratings so far leave open."""
    REGRESSION = "regression"
    """A match of two that a sequential test ends; it says nothing about the strength of others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSettings:
    """A format with its parameters; None leaves the choice to us, and those of other formats must be None.

    `rounds` is of swiss, `cycles` (base blocks) of cyclic, `groups` of gauntlet and ladder. `seed` is the
    text that a cyclic schedule is searched with and the opponents of a ladder are drawn with; `force` plays
    what is uneven or too short to mean much. `earlier` is of a ladder: for each entry, by its number, what
    earlier epochs know of it.
    """

    format: Format = Format.ROUND_ROBIN
    rounds: int | None = None
    cycles: int | None = None
    groups: int | None = None
    seed: str = "schedule"
    force: bool = False
    earlier: tuple[Earlier | None, ...] = ()

    def __post_init__(self) -> None:
        if self.earlier and self.format is not Format.LADDER:
            raise UsageError(f"earlier epochs are of a ladder, not of {self.format.value}")
        owners = {
            "rounds": (Format.SWISS,),
            "cycles": (Format.CYCLIC,),
            "groups": (Format.GAUNTLET, Format.LADDER),
        }
        for name, formats in owners.items():
            value: int | None = getattr(self, name)
            if value is not None and self.format not in formats:
                known = " or ".join(each.value for each in formats)
                raise UsageError(f"{name} is of the format {known}, not of {self.format.value}")
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}: at least 1 is needed")

    def parameters(self) -> dict[str, JsonValue]:
        """Give what the store and the manifest keep beside the name of the format."""
        given = {"rounds": self.rounds, "cycles": self.cycles, "groups": self.groups}
        kept: dict[str, JsonValue] = {name: each for name, each in given.items() if each is not None}
        if self.format in (Format.CYCLIC, Format.LADDER):
            kept["seed"] = self.seed
        if self.earlier:
            kept["earlier"] = [None if each is None else list(astuple(each)) for each in self.earlier]
        return kept | ({"force": True} if self.force else {})

    @classmethod
    def of(cls, format_: Format, parameters: Mapping[str, Any]) -> "FormatSettings":
        """Read what `parameters` gave."""
        known: dict[str, Any] = {**parameters, "format": format_}
        known["earlier"] = tuple(each and Earlier(*each) for each in parameters.get("earlier", ()))
        return cls(**known)


@dataclass(frozen=True, slots=True)
class Field:
    """Who plays: the `players`, best seed first, and the `fillers`; `always` are the fillers of every group.

    `size` is how many players a group has, `anchors` are the players that tie the scale down.
    """

    players: tuple[int, ...]
    fillers: tuple[int, ...]
    size: int
    always: tuple[int, ...] = ()
    anchors: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Past:
    """What a round is decided from: all groups before it, their board sets in slot order, and who is out."""

    groups: Sequence[Group] = ()
    board_sets: Sequence[BoardSet] = ()
    suspended: frozenset[int] = frozenset()
    rule: ScoringRule | None = None
    roles: Mapping[int, EntryRole] = field(default_factory=dict[int, EntryRole])

    def scored(self) -> list[ScoredSet]:
        """Score the board sets."""
        return (
            [] if self.rule is None else [score_set(each, self.roles, self.rule) for each in self.board_sets]
        )


class Scheduler(Protocol):
    """A format for a given field."""

    @property
    def rounds(self) -> tuple[int, ...]:
        """The number of groups of each round."""
        ...

    @property
    def certificate(self) -> Certificate | None:
        """What may be said of the evenness of the schedule before play; None for adaptive formats."""
        ...

    def groups(self, number: int, past: Past) -> Iterator[Group]:
        """Give the groups of a round, decided from all that comes before it."""
        ...


def scheduler_of(settings: FormatSettings, field_: Field, boards: int) -> Scheduler:
    """Make the scheduler of a format; raises UsageError if the field does not fit it."""
    players, size = len(field_.players), field_.size
    if players < size:
        raise UsageError(f"a group needs {size} entries, and there are {players}")
    match settings.format:
        case Format.ROUND_ROBIN:
            return _Fixed(field_, comb(players, size))
        case Format.MATCH | Format.REGRESSION:
            if players != size:
                raise UsageError(f"a match is of {size} entries, not {players}")
            return _Fixed(field_, 1)
        case Format.GAUNTLET:
            return _Gauntlet(field_, settings.groups or -(-(players - 1) // (size - 1)))
        case Format.CYCLIC:
            return _cyclic(settings, field_)
        case Format.SWISS:
            return _Swiss(field_, settings.rounds or _SWISS_ROUNDS)
        case Format.BRACKET:
            return _bracket(settings, field_, boards)
        case Format.LADDER:
            fair = -(-players * LONG_RATED_BOARDS // (size * boards))
            earlier = {entry: each for entry, each in enumerate(settings.earlier) if each is not None}
            return _Ladder(field_, settings.groups or fair, boards, settings.seed, earlier)


@dataclass(frozen=True)
class _Fixed:
    """The groups in the order of combinations: one round that nothing changes."""

    field: Field
    number: int

    @property
    def rounds(self) -> tuple[int, ...]:
        return (self.number,)

    @property
    def certificate(self) -> Certificate | None:
        return None

    def groups(self, number: int, past: Past) -> Iterator[Group]:
        return ((*group, *self.field.always) for group in self._players())

    def _players(self) -> Iterator[Group]:
        return islice(combinations(self.field.players, self.field.size), self.number)


class _Gauntlet(_Fixed):
    def _players(self) -> Iterator[Group]:
        first, *others = self.field.players
        return islice(gauntlet(first, others, self.field.size), self.number)


@dataclass(frozen=True)
class _Cyclic(_Fixed):
    schedule: Schedule

    @property
    def certificate(self) -> Certificate:
        return self.schedule.certificate

    def _players(self) -> Iterator[Group]:
        return (tuple(self.field.players[place] for place in group) for group in self.schedule)


def _cyclic(settings: FormatSettings, field_: Field) -> _Cyclic:
    players, size = len(field_.players), field_.size
    schedule = make_schedule(players, size, settings.cycles, settings.seed)
    found = schedule.certificate
    if not found.is_acceptable and not settings.force:
        raise UsageError(f"the schedule is too uneven ({found}): change cycles or seed, or force it")
    return _Cyclic(field_, len(schedule), schedule)


@dataclass(frozen=True)
class _Swiss:
    """Rounds in which entries with like points per play meet, ties by rating and then by seed."""

    field: Field
    number: int

    @property
    def rounds(self) -> tuple[int, ...]:
        return (-(-len(self.field.players) // self.field.size),) * self.number

    @property
    def certificate(self) -> Certificate | None:
        return None

    def groups(self, number: int, past: Past) -> Iterator[Group]:
        scored = past.scored()
        order = _by_points(self.field.players, past.suspended, scored)
        met = Counter(pair for group in past.groups for pair in combinations(sorted(group), 2))
        fillers = [each for each in self.field.fillers if each not in self.field.always]
        groups = swiss_round(order, self.field.size, lambda a, b: met[min(a, b), max(a, b)], fillers)
        return ((*group, *self.field.always) for group in groups)


@dataclass(frozen=True)
class _Bracket:
    field: Field

    @property
    def rounds(self) -> tuple[int, ...]:
        left, found = len(self.field.players), list[int]()
        while left >= self.field.size:
            found.append(left // self.field.size)
            left = left * _ADVANCE // self.field.size
        return tuple(found)

    @property
    def certificate(self) -> Certificate | None:
        return None

    def groups(self, number: int, past: Past) -> Iterator[Group]:
        return iter(bracket_round(self._seeds(number, past), self.field.size))

    def _seeds(self, number: int, past: Past) -> Sequence[int]:
        """Give who is left, best seed first: those who went on from each group of the round before."""
        if number == 0:
            return self.field.players
        first = sum(self.rounds[: number - 1])
        on = set[int]()
        for place in range(self.rounds[number - 1]):
            on.update(self._advancing(first + place, past))
        return [entry for entry in self.field.players if entry in on]

    def _advancing(self, group: int, past: Past) -> Iterable[int]:
        """Let two of a group go on: suspended entries only where others are missing."""
        boards = [each for each in past.board_sets if each.slot.group == group]
        scored = replace(past, board_sets=boards).scored()
        points, counts = _points(scored)
        superiority = _superiority(scored)
        results = [
            BracketResult(entry, points.get(entry, 0.0), superiority.get(entry, 0.5), counts[entry])
            for entry in past.groups[group]
        ]
        staying = [each for each in results if each.entry not in past.suspended]
        out = [each for each in results if each.entry in past.suspended]
        return (*advancing(staying), *advancing(out))[:_ADVANCE]


def _bracket(settings: FormatSettings, field_: Field, boards: int) -> _Bracket:
    left, size = len(field_.players), field_.size
    if size != 2 * _ADVANCE or field_.always:
        raise UsageError(f"a bracket is of groups of {2 * _ADVANCE} entries: choose a set type with as many")
    while left > size and left % 2 == 0:
        left //= 2
    if left != size:
        raise UsageError(f"a bracket takes 4, 8, 16, 32, … entries, not {len(field_.players)}")
    if boards < BRACKET_BOARDS and not settings.force:
        raise UsageError(
            f"{boards} boards decide nothing in a bracket: {BRACKET_BOARDS} or more, or force it"
        )
    return _Bracket(field_)


@dataclass(frozen=True)
class _Ladder:
    """Rounds of as many groups as are played on one fit of the ratings; each group is chosen for itself."""

    field: Field
    number: int
    boards: int
    seed: str
    earlier: Mapping[int, Earlier]

    @property
    def rounds(self) -> tuple[int, ...]:
        full, rest = divmod(self.number, self._at_once)
        return (self._at_once,) * full + ((rest,) if rest else ())

    @property
    def certificate(self) -> Certificate | None:
        return None

    def groups(self, number: int, past: Past) -> Iterator[Group]:
        words = random_words(board_seed(master_key(self.seed), number))
        standing = self._standing(past)
        size = min(self.field.size, len(standing.bots))
        free = [each for each in self.field.fillers if each not in self.field.always]
        house = tuple(free[: self.field.size - size])
        for group in next_groups(standing, size, self.rounds[number], self.boards, words):
            yield (*group, *house, *self.field.always)

    @property
    def _at_once(self) -> int:
        return max(1, REFIT_EVERY // self.boards)

    def _standing(self, past: Past) -> Standing:
        rows = comparisons_of(past.scored())
        scales = rate(rows, self.field.anchors) if len(rows) else ()
        # Without anybody left the boards are explained, whoever would sit there.
        staying = [entry for entry in self.field.players if entry not in past.suspended]
        return standing_of(
            staying or self.field.players, self.field.anchors, scales, past.groups, self.boards, self.earlier
        )


def _points(scored: Iterable[ScoredSet]) -> tuple[dict[int, float], Counter[int]]:
    """Give the mean points per play, and the boards that they come from, of every entry that has any."""
    totals, plays, boards = Counter[int](), Counter[int](), Counter[int]()
    for each in scored:
        for tally in each.tallies:
            totals[tally.entry] += tally.total
            plays[tally.entry] += tally.plays
            boards[tally.entry] += 1
    return {entry: totals[entry] / plays[entry] for entry in plays}, boards


def _by_points(players: Sequence[int], out: frozenset[int], scored: Sequence[ScoredSet]) -> list[int]:
    points, _ = _points(scored)
    elo = {bot: value for scale in _scales(scored) for bot, value in _elo(scale)}
    seed = {entry: place for place, entry in enumerate(players)}

    def key(entry: int) -> tuple[bool, float, float, int]:
        return (entry in out, -points.get(entry, 0.0), -elo.get(entry, 0.0), seed[entry])

    return sorted(players, key=key)


def _superiority(scored: Sequence[ScoredSet]) -> dict[int, float]:
    """Give the mean likelihood, over the others of the group, that an entry is the stronger one."""
    found: dict[int, float] = {}
    for scale in _scales(scored):
        places = range(len(scale.bots))
        for place in places:
            others = [scale.elo.superiority(place, other) for other in places if other != place]
            found[scale.bots[place]] = sum(others) / max(1, len(others))
    return found


def _scales(scored: Sequence[ScoredSet]) -> tuple[Scale, ...]:
    rows = comparisons_of(scored)
    return rate(rows) if len(rows) else ()


def _elo(scale: Scale) -> Iterator[tuple[int, float]]:
    # Rounding is no reason for a pairing.
    return ((bot, round(float(value), 6)) for bot, value in zip(scale.bots, scale.elo.values, strict=True))
