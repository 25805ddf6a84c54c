import hashlib
from collections import Counter
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erqiwang import deals
from erqiwang.rules import PROFILES, PassOut, format_cards, get_profile

SECRET = bytes(range(32))
MANIFEST_HASH = deals.manifest_hash(b"{}")
KEY = deals.committed_key(SECRET, MANIFEST_HASH, b"public-entropy-example")
BOARD = deals.board_seed(KEY, 0)

DECK_HASHES = {
    "classic": "770b658ecc822308ff76af21ee4b66461b19666f1ca7c563035997566c8c3ee4",
    "jiangxi-92": "cd3b720c7de06c3e83369214bc79305f3d81772e6397483b3389ac51110e281c",
    "mobile": "cd3b720c7de06c3e83369214bc79305f3d81772e6397483b3389ac51110e281c",
    "classic-1deck": "44465a1130354d79575332309fff3b4972c632a17c3eae0626399a6467516689",
}
KITTIES = {
    "classic": "HK C4 CJ ST HA C9 SQ DT",
    "jiangxi-92": "DQ H9 C2 D9 H7 D6 DK S7",
    "mobile": "DQ H9 C2 D9 H7 D6 DK S7",
    "classic-1deck": "ST C6 HA D4 HQ DT",
}


def sorted_cards(text):
    return sorted(text.split())


def test_keys_match_the_published_vectors():
    assert MANIFEST_HASH.hex() == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    assert (
        deals.commitment(SECRET, MANIFEST_HASH).hex()
        == "6136f12f3cb9223e32d82b4001454b587c942825a6f393a84617a019f9206640"
    )
    assert KEY.hex() == "bc0f4520443b0a68a2fb52a0d4ae43ed1617a2afd0731ac0ff99f396b0de68cb"
    assert BOARD.hex() == "03a5847183c6ed661955c1821c6e378f759ea6084769d882e6998afdd07670f0"


def test_stream_matches_the_published_vector():
    words = list(islice(deals.random_words(BOARD), 4))
    assert words == [880929907, 126118709, 651265781, 1163420122]


def test_stream_is_hmac_over_a_counter():
    import hmac

    expected = b"".join(hmac.digest(BOARD, n.to_bytes(8, "big"), "sha256") for n in range(3))
    words = islice(deals.random_words(BOARD), 24)
    assert b"".join(word.to_bytes(4, "big") for word in words) == expected


@pytest.mark.parametrize(
    ("index", "start", "digest"),
    [
        (
            0,
            [31, 5, 24, 2, 106, 62, 97, 66, 15, 28, 61, 71],
            "770b658ecc822308ff76af21ee4b66461b19666f1ca7c563035997566c8c3ee4",
        ),
        (
            1,
            [10, 4, 67, 34, 87, 56, 60, 19, 97, 38, 98, 37],
            "8f0c18a6b4943b00a643caddba26f7e7d4a29a9e681a5971cf08ab092b457b08",
        ),
    ],
)
def test_decks_of_boards_match_the_published_vectors(index, start, digest):
    seed = deals.board_seed(KEY, index)
    order = deals.deck_order(get_profile("classic"), seed)
    assert list(order[:12]) == start
    assert hashlib.sha256(order).hexdigest() == digest
    assert deals.deal_hash(get_profile("classic"), seed).hex() == digest


@pytest.mark.parametrize("slug", DECK_HASHES)
def test_decks_of_every_size_match_the_published_vectors(slug):
    assert deals.deal_hash(get_profile(slug), BOARD).hex() == DECK_HASHES[slug]
    kitty = deals.deal_board(get_profile(slug), BOARD).kitty
    assert sorted_cards(format_cards(kitty)) == sorted_cards(KITTIES[slug])


@pytest.mark.parametrize(
    ("slug", "opener"),
    [
        ("classic", 0),
        ("classic-1deck", 0),
        ("jiangxi", 0),
        ("jiangxi-92", 0),
        ("jiangxi-3p", 0),
        ("tongchengle", 0),
        ("mobile", 0),
        ("qq", 1),
    ],
)
def test_opener_is_seat_0_or_drawn_after_the_shuffle(slug, opener):
    assert deals.deal_board(get_profile(slug), BOARD).opener == opener


@pytest.mark.parametrize(("size", "seats", "opener"), [(92, 3, 0), (92, 4, 1), (54, 4, 0), (108, 4, 1)])
def test_next_number_after_the_shuffle_matches_the_published_vectors(size, seats, opener):
    words = deals.random_words(BOARD)
    deals.shuffled(words, size)
    assert deals.below(words, seats) == opener


def test_hand_of_board_0_matches_the_published_vector():
    hand = deals.deal_board(get_profile("classic"), BOARD).hands[0]
    expected = "C9 S9 H3 SQ BJ S6 DT S2 HQ CQ S7 HT C5 SA DQ C2 D4 CA S3 D2 HT C4 C3 S5 D5"
    assert sorted_cards(format_cards(hand)) == sorted_cards(expected)


def test_redeal_seeds_match_the_published_vectors():
    first = deals.redeal_seed(BOARD, 1)
    assert first.hex() == "5b8a300f4c8991217a89e5c571f59a2dd941f58b1e803a4499aa453a3b402f2d"
    assert (
        deals.deal_hash(get_profile("classic"), first).hex()
        == "9ec6a02aab95025b8d13b3bc9022f3834b83e753d53c2aa709248a43a527ede0"
    )
    assert (
        deals.redeal_seed(BOARD, 2).hex()
        == "c3df0b9bb06f563a23791cadcaeba3f27f715dc6ec9c99dc9c1af6e88c88d588"
    )


def test_bot_seed_matches_the_published_vector():
    assert (
        deals.bot_seed(KEY, 0, table=1, seat=2).hex()
        == "286ed523265780d7349e8509795304efdc221115013e937abc01fae138d0f618"
    )


def test_seed_text_matches_the_published_vector():
    key = deals.master_key("demo")
    assert key.hex() == "086f1a4152586efd7431e0dc1025f1e70fdff8d65d0151b24890c83c47bb441b"
    assert (
        deals.deal_hash(get_profile("classic"), deals.board_seed(key, 0)).hex()
        == "894ad0a377ead4c6cb7a414e4d01947bd02ea8ee29ebc7693c8ea778dda04f8e"
    )


def test_chain_matches_the_published_vector():
    assert (
        deals.chain_link(SECRET, 3).hex()
        == "fe19f54dca8f7c76414a1bc28b2c5e92c46f0b58a354e10fc062bbac999a6581"
    )


def test_revealed_epoch_secret_hashes_to_the_one_of_the_epoch_before():
    secrets = [deals.epoch_secret(SECRET, epoch, length=5) for epoch in range(5)]
    assert deals.chain_link(secrets[0]) == deals.chain_link(SECRET, 5)
    assert [deals.chain_link(each) for each in secrets[1:]] == secrets[:-1]
    assert secrets[-1] == SECRET


@pytest.mark.parametrize("slug", sorted(PROFILES))
def test_board_deals_every_card_of_the_deck_once(slug):
    profile = get_profile(slug)
    deal = deals.deal_board(profile, BOARD)
    assert [len(hand) for hand in deal.hands] == [profile.hand_size] * profile.seats
    assert len(deal.kitty) == profile.kitty_size
    assert Counter(card for cards in (*deal.hands, deal.kitty) for card in cards) == Counter(profile.deck)


def test_redeals_follow_the_board_only_where_they_are_played():
    profile = get_profile("classic")
    board = deals.deal_board(profile, BOARD)
    assert deals.deals_of_board(profile, BOARD, PassOut.ZERO) == (board,)
    redealt = deals.deals_of_board(profile, BOARD, PassOut.REDEAL)
    seeds = [deals.redeal_seed(BOARD, n) for n in (1, 2, 3)]
    assert redealt == (board, *(deals.deal_board(profile, seed) for seed in seeds))


def test_words_of_the_incomplete_last_run_are_rejected():
    limit = 3_000_000_000
    assert deals.below(iter([2**32 - 1, limit, limit - 1]), limit) == limit - 1
    assert deals.below(iter([2**32 - 1]), 2**31) == 2**31 - 1


def test_a_shuffle_draws_again_only_where_a_word_would_favour_some_cards():
    # Three cards: of the words that could be too high, only the last is (2^32 = 1 modulo 3).
    assert deals.shuffled(iter([2**32 - 1, 0, 0]), 3) == deals.shuffled(iter([0, 0]), 3) == [1, 2, 0]
    assert deals.shuffled(iter([2**32 - 2, 0]), 3) == deals.shuffled(iter([2, 0]), 3) == [1, 0, 2]


@given(st.binary(min_size=32, max_size=32), st.integers(1, 200))
def test_shuffle_is_a_permutation(seed, size):
    assert sorted(deals.shuffled(deals.random_words(seed), size)) == list(range(size))


@given(st.integers(0, 2**64 - 1))
def test_labels_keep_derived_seeds_apart(index):
    board = deals.board_seed(KEY, index)
    others = [deals.bot_seed(KEY, index, 0, 0), deals.board_seed(KEY, (index + 1) % 2**64)]
    others += [deals.redeal_seed(board, n) for n in (1, 2, 3)]
    assert len({board, *others}) == 6


def test_canonical_json_does_not_depend_on_the_order_of_keys():
    assert (
        deals.canonical_json({"b": 1, "a": {"d": None, "c": [True]}}) == b'{"a":{"c":[true],"d":null},"b":1}'
    )
    assert deals.canonical_json({}) == b"{}"
    with pytest.raises(ValueError, match="JSON compliant"):
        deals.canonical_json(float("nan"))


def test_seeds_of_another_length_are_refused():
    with pytest.raises(ValueError, match="31 bytes"):
        deals.board_seed(bytes(31), 0)
    with pytest.raises(ValueError, match="0 bytes"):
        deals.deal_board(get_profile("classic"), b"")
    with pytest.raises(ValueError, match="outside"):
        deals.board_seed(KEY, 2**64)
    with pytest.raises(ValueError, match="outside"):
        deals.redeal_seed(BOARD, 4)
    with pytest.raises(ValueError, match="outside"):
        deals.epoch_secret(SECRET, 5, length=5)


def chi_square_of_card_0(boards):
    seeds = (deals.board_seed(KEY, index) for index in islice(count(), boards))
    places = Counter(deals.shuffled(deals.random_words(seed), 108).index(0) for seed in seeds)
    expected = boards / 108
    return sum((places[place] - expected) ** 2 for place in range(108)) / expected


def test_place_of_a_card_is_uniform():
    # 107 degrees of freedom: 170 is passed by chance once in ten thousand; 2000 boards give 18 hits a place.
    assert chi_square_of_card_0(2_000) < 170


@pytest.mark.nightly
def test_place_of_a_card_is_uniform_over_many_boards():
    assert chi_square_of_card_0(20_000) == pytest.approx(121.9, abs=0.05)
