import pytest

from erqiwang.rules import Deal, get_profile, open_table, parse_cards
from erqiwang.testing import deal_around


def test_the_cards_wanted_are_where_they_are_wanted_and_the_deck_is_whole():
    deal = deal_around({1: "BJ BJ H5", 3: "SA"}, "LJ LJ", opener=2)
    assert deal.hands[1][:3] == parse_cards("BJ BJ H5")
    assert deal.hands[3][:1] == parse_cards("SA")
    assert deal.kitty[:2] == parse_cards("LJ LJ")
    open_table(get_profile("classic"), [deal])  # refuses anything that is no deal of the deck


def test_the_rest_is_by_the_seed():
    assert deal_around({0: "SA"}) == deal_around({0: "SA"})
    assert deal_around({0: "SA"}) != deal_around({0: "SA"}, seed="other")


def test_it_fits_other_decks():
    profile = get_profile("mobile")
    deal = deal_around({2: "BJ"}, profile=profile)
    assert isinstance(deal, Deal)
    open_table(profile, [deal])


@pytest.mark.parametrize("hands", [{0: "BJ BJ", 1: "BJ"}, {0: "SA " * 26}, {0: "XX"}])
def test_what_cannot_be_dealt_is_refused(hands):
    with pytest.raises(ValueError, match=r"too few|where|no such card"):
        deal_around(hands)
