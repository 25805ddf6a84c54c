"""The rule book of 二七王: what is legal, who wins, what it scores. Standard library only.

No clock, no randomness, no input or output. `open_table` begins, `apply` goes on, the events are the history;
`SeatView` is what one seat may see; a `Record` keeps a finished table and can be played again from its cards.

What can be raised:

    RuleViolation        an action that the rules refuse
    ValueError           a profile, card or trump that does not exist
     └── RecordError     a record that cannot be read or played
"""

from erqiwang.rules.action import Action, Bid, Bury, NameTrump, Play, Surrender
from erqiwang.rules.card import Card, card_points, format_cards, parse_cards, points_of
from erqiwang.rules.catalogue import PROFILES, RULES_VERSION, get_profile
from erqiwang.rules.deal import Deal
from erqiwang.rules.event import (
    Announced,
    BidMade,
    Buried,
    Dealt,
    Event,
    KittyShown,
    PassedOut,
    Played,
    Settled,
    Surrendered,
    TrickWon,
    TrumpNamed,
    TrumpReport,
)
from erqiwang.rules.fault import DecidedBy, DecisionTime, Fault, FaultCause, FaultPoint
from erqiwang.rules.profile import Profile
from erqiwang.rules.record import Announcement, PassedDeal, Record, RecordError, Trick
from erqiwang.rules.record_json import record_from_object, record_to_object
from erqiwang.rules.trump import Trump
from erqiwang.rules.turn import PassOut, Phase, Turn, TurnKind
from erqiwang.rules.violation import Reason, RuleViolation

__all__ = [
    "PROFILES",
    "RULES_VERSION",
    "Action",
    "Announced",
    "Announcement",
    "Bid",
    "BidMade",
    "Buried",
    "Bury",
    "Card",
    "Deal",
    "Dealt",
    "DecidedBy",
    "DecisionTime",
    "Event",
    "Fault",
    "FaultCause",
    "FaultPoint",
    "KittyShown",
    "NameTrump",
    "PassOut",
    "PassedDeal",
    "PassedOut",
    "Phase",
    "Play",
    "Played",
    "Profile",
    "Reason",
    "Record",
    "RecordError",
    "RuleViolation",
    "Settled",
    "Surrender",
    "Surrendered",
    "Trick",
    "TrickWon",
    "Trump",
    "TrumpNamed",
    "TrumpReport",
    "Turn",
    "TurnKind",
    "card_points",
    "format_cards",
    "get_profile",
    "parse_cards",
    "points_of",
    "record_from_object",
    "record_to_object",
]
