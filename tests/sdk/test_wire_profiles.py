"""House profiles on the wire: complete, and refused where they make no game."""

from __future__ import annotations

import re

import pytest

from erqiwang.errors import WireError
from erqiwang.rules import PROFILES, definition_of, read_definition, read_profile
from erqiwang.v1 import profile_pb2
from erqiwang.wire import profile_from_wire, profile_to_wire, told_profile

HOUSE = """
slug = "friday"
base = "mobile"

[rules]
forced_bid = false
down_steps_max = 3
charm = { left = -5 }
"""


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_survives_the_way(name):
    profile = read_definition({**definition_of(PROFILES[name]), "slug": "house"})
    data = profile_to_wire(profile).SerializeToString()
    assert profile_from_wire(profile_pb2.ProfileDefinition.FromString(data)) == profile


def test_a_house_profile_survives_the_way():
    profile = read_profile(HOUSE)
    message = profile_to_wire(profile)
    assert not message.HasField("forced_bid")
    assert message.down_steps_max == 3
    assert profile_from_wire(message) == profile
    assert told_profile("friday", dict(profile.switches), message) == profile


def test_every_rule_of_a_definition_is_on_the_wire():
    told = definition_of(read_profile(HOUSE))
    fields = {field.name for field in profile_pb2.ProfileDefinition.DESCRIPTOR.fields}
    assert fields == {"slug", *told["rules"]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda message: message.ClearField("ranks"), "definition: profile friday: ranks '' lack the 7"),
        (lambda message: setattr(message, "slug", "qq"), "definition: slug: 'qq' is not a new name"),
        (
            lambda message: setattr(message, "throw_rule", "x"),
            "definition: rules.throw_rule: expected one of",
        ),
        (lambda message: setattr(message, "seats", 9), "definition: profile friday: seats is 9"),
        (lambda message: message.charm.add(), "number 0"),
    ],
)
def test_what_makes_no_game_is_said(change, said):
    message = profile_to_wire(read_profile(HOUSE))
    change(message)
    with pytest.raises(WireError, match=re.escape(said)):
        profile_from_wire(message)


def test_a_definition_of_another_game_is_refused():
    profile = read_profile(HOUSE)
    with pytest.raises(WireError, match="not friday"):
        told_profile("friday", {"definition": "0" * 32}, profile_to_wire(profile))
    with pytest.raises(ValueError, match="no such profile: 'friday'"):
        told_profile("friday", dict(profile.switches), None)
