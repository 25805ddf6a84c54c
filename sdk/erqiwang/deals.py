r"""Deals from seeds: the same bytes give the same cards for ever, on every machine and in every language.

Every key is derived with HMAC-SHA256 under a label of its own, every random number comes from a counter
stream by rejection (never by a plain modulo), and the shuffle is our own Fisher-Yates: no language's
generator promises a stable shuffle. With `u64be` and `u8` as big-endian unsigned integers, `‖` as
concatenation and HMAC(key, message)::

    M        = SHA256(canonical JSON of the manifest)
    commit   = SHA256("e27w/commit/1\0" ‖ secret ‖ M)
    K        = HMAC(secret, "e27w/master/1\0" ‖ M ‖ public entropy)      mode `committed`
    K        = SHA256("e27w/local/1\0" ‖ UTF-8 of the seed text)          mode `seeded`
    B_i      = HMAC(K, "e27w/board/1\0" ‖ u64be(i))
    bot seed = HMAC(K, "e27w/bot/1\0" ‖ u64be(i) ‖ u8(table) ‖ u8(seat))
    redeal n = HMAC(B_i, "e27w/redeal/1\0" ‖ u8(n))                       n = 1, 2, 3
    stream   = HMAC(B_i, u64be(0)), HMAC(B_i, u64be(1)), …                 read as big-endian u32
    x_(j+1)  = SHA256("e27w/chain/1\0" ‖ x_j)                             secrets of a ladder, used backwards
"""

import hashlib
import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, TypeAlias, TypeVar

from erqiwang.rules import Deal, PassOut, Profile

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
"""What a manifest may hold."""

ALGORITHM_VERSION: Final = 1
"""The version that the labels carry; a change of any byte needs the next one."""

SEED_BYTES: Final = 32
"""Length of every secret, key and seed."""

REDEALS: Final = 3
"""How often a passed-out table is dealt again before it ends without a declarer."""

CHAIN_LENGTH: Final = 36_500
"""Epochs that one hash chain of a ladder can serve."""

_Item = TypeVar("_Item")

_U32: Final = 1 << 32
_U64: Final = struct.Struct(">Q")
_BLOCK: Final = 32
"""Bytes of a hash, and so of a block of the counter stream."""
_BLOCKS: Final = 13
"""Blocks that are made at once after the first: enough for the shuffle of two decks."""
_KEY_BYTES: Final = hashlib.sha256().block_size
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))
"""What HMAC does to each byte of the key, for the hash of the message and for that of the result."""


def canonical_json(value: JsonValue) -> bytes:
    """Encode a manifest so that equal content gives equal bytes: UTF-8, sorted keys, no spaces.

    >>> canonical_json({"b": [1, "七"], "a": None}).decode()
    '{"a":null,"b":[1,"七"]}'
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


def manifest_hash(manifest: bytes) -> bytes:
    """Hash the canonical JSON of a manifest: M."""
    return hashlib.sha256(manifest).digest()


def commitment(secret: bytes, manifest_sha256: bytes) -> bytes:
    """Commit to a secret before the public entropy exists; the secret is revealed after the last board."""
    _check_seed("secret", secret)
    _check_seed("manifest hash", manifest_sha256)
    return hashlib.sha256(b"e27w/commit/1\0" + secret + manifest_sha256).digest()


def committed_key(secret: bytes, manifest_sha256: bytes, entropy: bytes) -> bytes:
    """Derive the master key K of mode `committed`; `entropy` are the public bytes that nobody controls."""
    _check_seed("secret", secret)
    _check_seed("manifest hash", manifest_sha256)
    return _hmac(secret, b"e27w/master/1\0" + manifest_sha256 + entropy)


def master_key(seed_text: str) -> bytes:
    """Derive the master key K of mode `seeded`: anybody who knows the text can, so it proves nothing."""
    return hashlib.sha256(b"e27w/local/1\0" + seed_text.encode()).digest()


def board_seed(key: bytes, deal_index: int) -> bytes:
    """Derive the seed B_i of the deal with index i, 0 ≤ i < 2⁶⁴, from the master key."""
    _check_seed("master key", key)
    return _hmac(key, b"e27w/board/1\0" + _u64(deal_index))


def bot_seed(key: bytes, deal_index: int, table: int, seat: int) -> bytes:
    """Derive the seed that the bot on a seat of a table may use, so that the table can be replayed."""
    _check_seed("master key", key)
    return _hmac(key, b"e27w/bot/1\0" + _u64(deal_index) + bytes((table, seat)))


def redeal_seed(seed: bytes, redeal: int) -> bytes:
    """Derive the seed of the n-th deal (n = 1, 2, 3) after the board's own deal was passed out."""
    _check_seed("board seed", seed)
    if not 1 <= redeal <= REDEALS:
        raise ValueError(f"redeal {redeal} is outside 1..{REDEALS}")
    return _hmac(seed, b"e27w/redeal/1\0" + bytes((redeal,)))


def chain_link(secret: bytes, steps: int = 1) -> bytes:
    """Walk a ladder's hash chain: x_(j+steps) from x_j. The end of the chain, x_L, is published once."""
    _check_seed("secret", secret)
    link = secret
    for _ in range(steps):
        link = hashlib.sha256(b"e27w/chain/1\0" + link).digest()
    return link


def epoch_secret(secret: bytes, epoch: int, length: int = CHAIN_LENGTH) -> bytes:
    """Give the secret of an epoch, x_(L-1-epoch): hashing it gives the secret of the epoch before."""
    if not 0 <= epoch < length:
        raise ValueError(f"epoch {epoch} is outside 0..{length - 1}")
    return chain_link(secret, length - 1 - epoch)


def random_words(seed: bytes) -> Iterator[int]:
    """Return the unsigned 32-bit words of the counter stream of a seed, without end."""
    _check_seed("seed", seed)
    return chain.from_iterable(_blocks(seed))


def _blocks(seed: bytes) -> Iterator[Sequence[int]]:
    yield _words(_hmac(seed, _u64(0)))
    made, wanted = 0, _BLOCKS
    while True:
        # Of one iteration, PBKDF2 makes HMAC(seed, salt ‖ u32be(i)) for i = 1, 2, …: many blocks in one call.
        stream = hashlib.pbkdf2_hmac("sha256", seed, bytes(4), 1, _BLOCK * wanted)
        yield _words(stream[_BLOCK * made :])
        made, wanted = wanted, 4 * wanted


def _words(stream: bytes) -> Sequence[int]:
    return struct.unpack(f">{len(stream) // 4}I", stream)


def below(words: Iterator[int], limit: int) -> int:
    """Draw a number 0 ≤ u < limit, each with exactly the same probability.

    Words of the last, incomplete run of `limit` values, u ≥ 2³² - (2³² mod limit), are thrown away.
    """
    bound = _U32 - _U32 % limit
    while (word := next(words)) >= bound:
        pass
    return word % limit


def shuffled(words: Iterator[int], size: int) -> list[int]:
    """Shuffle 0..size-1: for i = size-1 down to 1, swap i with below(i + 1)."""
    return _shuffle(words, list(range(size)))


def _shuffle(words: Iterator[int], order: list[_Item]) -> list[_Item]:
    size = len(order)
    certain = _U32 - size  # a lower word is in the last, incomplete run of no limit up to `size`
    for last, word in zip(range(size - 1, 0, -1), words, strict=False):  # asks the range first
        chosen = word % (last + 1) if word < certain else below(chain((word,), words), last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def deck_order(profile: Profile, seed: bytes) -> bytes:
    """Give the shuffled deck of a board, one byte a card: the card's number in `profile.deck`."""
    _check_seed("board seed", seed)
    return bytes(shuffled(random_words(seed), len(profile.deck)))


def deal_hash(profile: Profile, seed: bytes) -> bytes:
    """Hash the deck order of a board with SHA-256."""
    return hashlib.sha256(deck_order(profile, seed)).digest()


def deal_board(profile: Profile, seed: bytes) -> Deal:
    """Deal a board: seat s gets the s-th run of `hand_size` cards, the kitty the rest.

    The opener is seat 0 or, where the profile draws its first opener, the next number of the stream after the
    shuffle.
    """
    _check_seed("board seed", seed)
    words = random_words(seed)
    cards = tuple(_shuffle(words, list(profile.deck)))
    size = profile.hand_size
    dealt = size * profile.seats
    hands = tuple(cards[start : start + size] for start in range(0, dealt, size))
    opener = below(words, profile.seats) if profile.random_opener else 0
    return Deal(hands=hands, kitty=cards[dealt:], opener=opener)


def deals_of_board(profile: Profile, seed: bytes, pass_out: PassOut) -> tuple[Deal, ...]:
    """Deal a board and, where passed-out deals are dealt again, the three redeals."""
    seeds = [seed]
    if pass_out is PassOut.REDEAL:
        seeds += [redeal_seed(seed, redeal) for redeal in range(1, REDEALS + 1)]
    return tuple(deal_board(profile, each) for each in seeds)


def _hmac(key: bytes, message: bytes) -> bytes:
    # Spelt out: to look the hash up by its name takes longer than both hashes.
    block = key.ljust(_KEY_BYTES, b"\0")
    inner = hashlib.sha256(block.translate(_INNER) + message).digest()
    return hashlib.sha256(block.translate(_OUTER) + inner).digest()


def _u64(number: int) -> bytes:
    if not 0 <= number < 1 << 64:
        raise ValueError(f"deal index {number} is outside 0..2**64-1")
    return _U64.pack(number)


def _check_seed(what: str, value: bytes) -> None:
    if len(value) != SEED_BYTES:
        raise ValueError(f"{what} has {len(value)} bytes instead of {SEED_BYTES}")
