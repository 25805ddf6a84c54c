import pytest

from erqiwang.bots.valuation import outlook, worth
from erqiwang.deals import board_seed, deal_board, master_key
from erqiwang.rules import PROFILES, Deal, RuleViolation, get_profile, parse_cards, record_of, verify_record
from erqiwang.testing import play_board, play_table
from erqiwang.testing.strength import measure, starter

NAMES = ("random", "lowest", "cautious", "counter")
HOUSE = (*NAMES, "montecarlo")
BOTS = {name: starter(name) for name in NAMES}
CLASSIC = get_profile("classic")


@pytest.mark.parametrize("slug", sorted(PROFILES))
def test_the_starter_bots_play_every_profile_by_the_rules(slug):
    profile = get_profile(slug)
    for board in range(6):
        bots = [BOTS[NAMES[(board + seat) % 4]] for seat in range(profile.seats)]
        finished = play_board(bots, board, profile=profile, seed=slug)
        assert verify_record(record_of(finished)) is None


@pytest.mark.parametrize("name", NAMES)
def test_a_starter_bot_decides_the_same_way_again(name):
    first, second = (play_board([BOTS[name]] * 4, 3) for _ in range(2))
    assert record_of(first) == record_of(second)


@pytest.mark.parametrize("name", NAMES)
def test_a_field_of_one_starter_bot_does_not_pass_every_deal(name):
    declarers = [play_board([BOTS[name]] * 4, board).declarer for board in range(12)]
    assert any(declarer is not None for declarer in declarers)


@pytest.mark.parametrize("name", HOUSE)
def test_a_house_bot_has_a_name_and_a_version(name):
    module = __import__(f"erqiwang.bots.{name}", fromlist=["NAME", "VERSION"])
    assert name == module.NAME
    assert module.VERSION == "1"


def test_the_random_bot_chooses_by_the_seed():
    deal = deal_board(CLASSIC, board_seed(master_key("seeds"), 0))

    def play(seed):
        seeds = [bytes([seed, seat] * 16) for seat in range(4)]
        return record_of(play_table([BOTS["random"]] * 4, deal, seeds=seeds))

    assert play(2) == play(2)
    assert play(2) != play(3)


def test_the_strong_bots_win_from_the_weak_ones():
    strengths = {strength.name: strength for strength in measure(BOTS, 24)}
    assert sum(strength.points for strength in strengths.values()) == pytest.approx(0)
    assert strengths["counter"].points > strengths["cautious"].points + 1
    assert strengths["cautious"].points > max(strengths[name].points for name in ("lowest", "random"))


@pytest.mark.nightly
def test_the_order_of_strength_is_beyond_doubt():
    counter, cautious, *others = sorted(measure(BOTS, 400), key=lambda strength: -strength.points)
    assert (counter.name, cautious.name) == ("counter", "cautious")
    assert counter.points - cautious.points > 5 * (counter.error + cautious.error)
    for other in others:
        assert cautious.points - other.points > 3 * (cautious.error + other.error)


def test_a_bid_is_worth_its_mean_score():
    # Far from the bid nothing is left to chance: 80 bid and 35 taken is 4 units, 180 taken is -6.
    assert worth(CLASSIC, 80, outlook(CLASSIC, 35, 0.1)) == pytest.approx(4)
    assert worth(CLASSIC, 80, outlook(CLASSIC, 180, 0.1)) == pytest.approx(-6)


def test_an_illegal_action_is_raised_to_the_author():
    class Cheat(BOTS["lowest"]):
        def play(self, view):
            return parse_cards("BJ BJ")

    deal = deal_board(CLASSIC, board_seed(master_key("cheat"), 1))
    with pytest.raises(RuleViolation, match="not in the hand"):
        play_table([Cheat, *[BOTS["lowest"]] * 3], deal)


def test_a_bot_sees_the_table_from_the_beginning_to_the_end():
    seen = []

    class Witness(BOTS["lowest"]):
        def table_opened(self, view):
            seen.append((view.seat, view.profile.slug))

        def table_over(self, view):
            seen.append(view.settled.scores)

    finished = play_board([Witness, *[BOTS["cautious"]] * 3], 2)
    assert seen == [(0, "classic"), finished.scores]


def test_a_bot_may_surrender():
    class Faint(BOTS["lowest"]):
        def surrender(self, view):
            return True

    deal = deal_board(CLASSIC, board_seed(master_key("faint"), 0))
    finished = play_table([Faint] * 4, Deal(deal.hands, deal.kitty, 0))
    assert finished.surrendered
    assert finished.scores == (-3, 1, 1, 1)


def test_nobody_is_called_so():
    with pytest.raises(ValueError, match="no starter bot"):
        starter("genius")
    with pytest.raises(ValueError, match="4 seats, not 2"):
        measure({"a": BOTS["lowest"], "b": BOTS["random"]}, 1)
