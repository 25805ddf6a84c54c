"""The rule book of 二七王: what is legal, who wins, what it scores. Standard library only.

No clock, no randomness, no input or output. `open_table` begins, `apply` goes on, the events are the history;
`SeatView` is what one seat may see; a `Record` keeps a finished table and can be played again from its cards.

What can be raised:

    RuleViolation        an action that the rules refuse
    ValueError           a profile, card or trump that does not exist
     └── RecordError     a record that cannot be read or played
"""

from erqiwang.rules.action import Action, Bid, Bury, NameTrump, Play, Surrender
from erqiwang.rules.auction import Auction
from erqiwang.rules.card import Card, card_points, format_cards, parse_cards, points_of
from erqiwang.rules.catalogue import PROFILES, RULES_VERSION, get_profile
from erqiwang.rules.deal import Deal
from erqiwang.rules.declaring import Burying, Naming
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
from erqiwang.rules.fallback import FALLBACK_VERSION, fallback, random_legal_action
from erqiwang.rules.fault import DecidedBy, DecisionTime, Fault, FaultCause, FaultPoint
from erqiwang.rules.finished import Finished
from erqiwang.rules.house import DEFINITION, definition_of, is_house, read_definition, read_profile
from erqiwang.rules.playing import Playing
from erqiwang.rules.profile import Profile
from erqiwang.rules.record import Announcement, PassedDeal, Record, RecordError, Trick
from erqiwang.rules.record_json import record_from_object, record_to_object
from erqiwang.rules.recording import record_of
from erqiwang.rules.replay import Difference, replay, replay_states, verify_record
from erqiwang.rules.session import Session, open_session
from erqiwang.rules.settlement import level_of
from erqiwang.rules.table import State, apply, open_table
from erqiwang.rules.trump import Trump
from erqiwang.rules.turn import PassOut, Phase, Turn, TurnKind
from erqiwang.rules.view import SeatView, open_view
from erqiwang.rules.violation import Reason, RuleViolation

__all__ = [
    "DEFINITION",
    "FALLBACK_VERSION",
    "PROFILES",
    "RULES_VERSION",
    "Action",
    "Announced",
    "Announcement",
    "Auction",
    "Bid",
    "BidMade",
    "Buried",
    "Bury",
    "Burying",
    "Card",
    "Deal",
    "Dealt",
    "DecidedBy",
    "DecisionTime",
    "Difference",
    "Event",
    "Fault",
    "FaultCause",
    "FaultPoint",
    "Finished",
    "KittyShown",
    "NameTrump",
    "Naming",
    "PassOut",
    "PassedDeal",
    "PassedOut",
    "Phase",
    "Play",
    "Played",
    "Playing",
    "Profile",
    "Reason",
    "Record",
    "RecordError",
    "RuleViolation",
    "SeatView",
    "Session",
    "Settled",
    "State",
    "Surrender",
    "Surrendered",
    "Trick",
    "TrickWon",
    "Trump",
    "TrumpNamed",
    "TrumpReport",
    "Turn",
    "TurnKind",
    "apply",
    "card_points",
    "definition_of",
    "fallback",
    "format_cards",
    "get_profile",
    "is_house",
    "level_of",
    "open_session",
    "open_table",
    "open_view",
    "parse_cards",
    "points_of",
    "random_legal_action",
    "read_definition",
    "read_profile",
    "record_from_object",
    "record_of",
    "record_to_object",
    "replay",
    "replay_states",
    "verify_record",
]
