"""Makes records invalid in one known way each."""

from copy import deepcopy
from random import Random

from naive import edits
from naive.cheats import BadAuction, BadLead, BadSurrender, BadTrump, Edit, HoldBack, Revoke, cheated
from naive.replay import replay
from naive.table import Record

TAMPERS: dict[str, Edit] = {
    "held back": cheated(HoldBack),
    "revoke": cheated(Revoke),
    "mixed lead": cheated(lambda record, rng: BadLead(record, rng, "mixed")),
    "side throw": cheated(lambda record, rng: BadLead(record, rng, "side")),
    "trump throw": cheated(lambda record, rng: BadLead(record, rng, "trump")),
    "wrong number": edits.card_moved,
    "surrender": cheated(BadSurrender),
    "no-trump": cheated(BadTrump),
    "bury": edits.bury_short,
    "odd bid": cheated(lambda record, rng: BadAuction(record, rng, "odd bid")),
    "bid out of range": cheated(lambda record, rng: BadAuction(record, rng, "out of range")),
    "bid not lower": cheated(lambda record, rng: BadAuction(record, rng, "not lower")),
    "bid after a pass": cheated(lambda record, rng: BadAuction(record, rng, "after a pass")),
    "auction without end": cheated(lambda record, rng: BadAuction(record, rng, "no end")),
    "bid out of turn": cheated(lambda record, rng: BadAuction(record, rng, "turn")),
    "winner": edits.winner,
    "leader": edits.leader,
    "plays turned": edits.plays_turned,
    "points": edits.number("defender_points", [-5, 5, 1, 40]),
    "multiplier": edits.number("kitty_multiplier", [1, 2, -1]),
    "scores": edits.scores,
    "scores balanced": edits.scores_balanced,
    "scores doubled": edits.scores_doubled,
    "bonus": edits.bonus,
    "declarer": edits.seat_field("declarer"),
    "next opener": edits.seat_field("next_opener"),
    "announcement gone": edits.announcement_gone,
    "announcement false": edits.announcement_false,
    "announcement void": edits.announcement_void,
    "announcement place": edits.announcement_place,
    "announcement extra": edits.announcement_extra,
    "card twice": edits.card_twice,
    "never held": edits.never_held,
    "trick gone": edits.trick_gone,
    "trick twice": edits.trick_twice,
    "play gone": edits.play_gone,
    "deal swapped": edits.deal_swapped,
    "deal short": edits.deal_short,
    "deal copied": edits.deal_copied,
    "buried changed": edits.buried_changed,
    "surrender flag": edits.surrender_flag,
    "trump": edits.trump_changed,
    "bid": edits.bid_changed,
    "call": edits.call_changed,
    "automatic bid": edits.automatic_bid,
    "unknown key": edits.unknown_key,
    "key gone": edits.key_gone,
    "room": edits.room,
    "opener": edits.opener_changed,
    "redeal opener": edits.redeal_opener,
    "redeal gone": edits.redeal_gone,
    "charm": edits.charm,
}


def tamper(record: Record, rng: Random, kind: str | None = None) -> tuple[str, Record] | None:
    """A copy that is wrong, and in what; None if this record has no place for the kind asked for.

    An edit that happens to leave the record valid (a card exchanged that was never played) is thrown away.
    """
    kinds = [kind] if kind else rng.sample(sorted(TAMPERS), len(TAMPERS))
    for name in kinds:
        changed = TAMPERS[name](deepcopy(record), rng)
        if changed is not None and replay(changed):
            return name, changed
    return None
