"""Deals made by hand: read with care, played as they are."""

from __future__ import annotations

import json

import pytest

from erqiwang.deals import board_seed, deal_board, deal_hash, master_key
from erqiwang.rules import format_cards, get_profile
from erqiwang.testing import deal_around
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.made_deals import made_deal_hash, read_deals

CLASSIC = get_profile("classic")


def line_of(deal):
    hands = [format_cards(hand) for hand in deal.hands]
    return json.dumps({"hands": hands, "kitty": format_cards(deal.kitty), "opener": deal.opener})


@pytest.fixture
def deals_file(tmp_path):
    def write(*lines):
        file = tmp_path / "deals.jsonl"
        file.write_text("\n".join(lines))
        return file

    return write


def test_deals_are_read_as_they_were_written(deals_file):
    deal = deal_around({0: "BJ BJ LJ LJ"}, "SA", opener=3)
    assert read_deals(deals_file(line_of(deal), "", line_of(deal)), CLASSIC) == (deal, deal)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda line: line.replace("BJ BJ", "BJ", 1), r":1: seat 0 has 24 cards instead of 25"),
        (lambda line: line.replace("BJ BJ", "BJ LJ", 1), r":1: \w\w occurs [13] times instead of 2"),
        (lambda line: line.replace("BJ", "ZZ", 1), r":1: hands\[0\]: .*ZZ"),
        (lambda line: line.replace("opener", "dealer"), ":1: unknown key 'dealer'"),
        (lambda line: line.replace('"opener": 0', '"opener": 4'), ":1: opener 4 is no seat"),
        (lambda line: line[:-1], r":1: "),
        (lambda line: "[]", ":1: expected an object"),
        (lambda line: "", ": no deals"),
    ],
)
def test_a_wrong_deal_is_said_precisely(deals_file, change, said):
    line = line_of(deal_around({0: "BJ BJ LJ LJ"}))
    with pytest.raises(BadInputError, match=said):
        read_deals(deals_file(change(line)), CLASSIC)


def test_the_hash_is_of_the_order_of_the_deck():
    seed = board_seed(master_key("hash"), 0)
    deal = deal_board(CLASSIC, seed)
    # Copies of a card cannot be told apart once they are dealt, so the hashes need not be equal.
    assert made_deal_hash(CLASSIC, deal) != made_deal_hash(CLASSIC, deal_board(CLASSIC, seed[::-1]))
    assert len(made_deal_hash(CLASSIC, deal)) == len(deal_hash(CLASSIC, seed))
