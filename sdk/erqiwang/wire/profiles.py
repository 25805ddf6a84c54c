"""House profiles on the wire: complete, so that nobody has to know a file to play by it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from erqiwang.errors import WireError
from erqiwang.rules import Profile, get_profile, read_definition
from erqiwang.rules.profile import Band
from erqiwang.v1 import profile_pb2
from erqiwang.wire.faults import cause_from_wire, cause_to_wire


def profile_to_wire(profile: Profile) -> profile_pb2.ProfileDefinition:
    """Write all rules of a profile."""
    return profile_pb2.ProfileDefinition(
        slug=profile.slug,
        ranks=profile.ranks,
        copies=profile.copies,
        seats=profile.seats,
        hand_size=profile.hand_size,
        kitty_size=profile.kitty_size,
        random_opener=profile.random_opener,
        bid_high=profile.bid_high,
        bid_low=profile.bid_low,
        bid_step=profile.bid_step,
        forced_bid=profile.forced_bid,
        no_trump=profile.no_trump,
        no_trump_tractors=profile.no_trump_tractors.value,
        tractor_owed=profile.tractor_owed,
        throw_rule=profile.throw_rule.value,
        void_reports=profile.void_reports,
        kitty_needs_trump=profile.kitty_needs_trump,
        kitty_multipliers=profile.kitty_multipliers,
        bid_bands=_bands(profile.bid_bands),
        step_points=profile.step_points,
        made_by_steps=profile.made_by_steps,
        made_tiers=[
            profile_pb2.ProfileMadeTier(
                steps=tier.steps,
                bid_from=tier.bid_from,
                bid_to=tier.bid_to,
                points_to=tier.points_to,
                half_bid=tier.half_bid,
            )
            for tier in profile.made_tiers
        ],
        down_steps_max=profile.down_steps_max,
        surrender_bands=_bands(profile.surrender_bands),
        bonus_rows=[
            profile_pb2.ProfileBonusRow(
                jokers=row.jokers,
                value=row.value,
                main7=row.main7,
                off7=row.off7,
                main2=row.main2,
                off2=row.off2,
                further_trumps=row.further_trumps,
                side_pairs=row.side_pairs,
            )
            for row in profile.bonus_rows
        ],
        bonus_extras=[
            profile_pb2.ProfileRankExtra(cards=extra.cards, pairs=extra.pairs, value=extra.value)
            for extra in profile.bonus_extras
        ],
        bonus_bids=[
            profile_pb2.ProfileBonusBid(jokers=jokers, highest=highest)
            for jokers, highest in profile.bonus_bids
        ],
        bonus_with_kitty=profile.bonus_with_kitty,
        has_room=profile.has_room,
        room_on_bonus=profile.room_on_bonus,
        levels=[
            profile_pb2.ProfileLevel(threshold=level.threshold, name=level.name) for level in profile.levels
        ],
        charm=[
            profile_pb2.ProfileCharm(cause=cause_to_wire(cause), points=points)
            for cause, points in profile.charm
        ],
        forfeit_points=profile.forfeit_points,
    )


def profile_from_wire(message: profile_pb2.ProfileDefinition) -> Profile:
    """Read a profile; raises `WireError` naming what makes no game."""
    descriptor = type(message).DESCRIPTOR
    rules: dict[str, object] = {
        field.name: getattr(message, field.name)
        for field in descriptor.fields
        if field.name not in ("slug", "forced_bid", "down_steps_max") and field.message_type is None
    }
    rules["kitty_multipliers"] = list(message.kitty_multipliers)
    rules["forced_bid"] = message.forced_bid if message.HasField("forced_bid") else False
    rules["down_steps_max"] = message.down_steps_max if message.HasField("down_steps_max") else False
    for name in ("bid_bands", "made_tiers", "surrender_bands", "bonus_rows", "bonus_extras", "levels"):
        rows = getattr(message, name)
        rules[name] = [{each.name: getattr(row, each.name) for each in row.DESCRIPTOR.fields} for row in rows]
    rules["bonus_bids"] = [[bid.jokers, bid.highest] for bid in message.bonus_bids]
    rules["charm"] = {cause_from_wire(each.cause).name.lower(): each.points for each in message.charm}
    try:
        return read_definition({"slug": message.slug, "rules": rules})
    except ValueError as error:
        raise WireError(f"definition: {error}") from None


def told_profile(
    slug: str, switches: Mapping[str, str], house: profile_pb2.ProfileDefinition | None
) -> Profile:
    """Give the profile that a message names, from the catalogue or by its definition; raises `ValueError`."""
    if house is None:
        return get_profile(slug, dict(switches))
    profile = profile_from_wire(house)
    if (profile.slug, dict(profile.switches)) != (slug, dict(switches)):
        raise WireError(
            f"definition: of {profile.slug} {dict(profile.switches)}, not {slug} {dict(switches)}"
        )
    return profile


def _bands(bands: Iterable[Band]) -> list[profile_pb2.ProfileBand]:
    return [profile_pb2.ProfileBand(floor=band.floor, value=band.value) for band in bands]
