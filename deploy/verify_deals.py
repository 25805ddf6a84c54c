#!/usr/bin/env python3
"""Check the deals of a tournament without any of its software: Python's standard library is all it needs.

    python3 verify_deals.py games.jsonl                      the secret as the export reveals it
    python3 verify_deals.py games.jsonl --secret HEX --commitment HEX --entropy HEX
                                                             as you noted them when they were published
    python3 verify_deals.py games.jsonl --seed TEXT          deals from a seed text

It makes every board again and compares the hash of its deck, every hand, the kitty and the opener with the
export. Ends with 0 if all agree, 1 if something differs, 2 if the deals cannot be made from what is known.
"""

import argparse
import hashlib
import hmac
import json
import struct
import sys

RANKS = "AKQJT98765432"
ORDER = [suit + rank for suit in "SHCD" for rank in RANKS] + ["BJ", "LJ"]


def words(seed):
    """Draw big-endian 32-bit numbers from HMAC(seed, u64be(0)), HMAC(seed, u64be(1)) and so on."""
    counter = 0
    while True:
        yield from struct.unpack(">8I", hmac.digest(seed, struct.pack(">Q", counter), "sha256"))
        counter += 1


def below(stream, limit):
    """Draw a number 0..limit-1, each equally likely: the incomplete last run of values is thrown away."""
    bound = 2**32 - 2**32 % limit
    while True:
        word = next(stream)
        if word < bound:
            return word % limit


def shuffle(stream, size):
    """Fisher-Yates from the end."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        chosen = below(stream, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def deal(seed, hands, kitty):
    """Deal as many cards as a recorded deal has, from the deck that it has: hash, hands, kitty, stream."""
    recorded = [card for part in (*hands, kitty) for card in part.split()]
    types = [card for card in ORDER if card in set(recorded)]
    stream = words(seed)
    order = shuffle(stream, len(recorded))
    cards = [types[number % len(types)] for number in order]
    size = len(hands[0].split())
    dealt = [cards[size * seat : size * (seat + 1)] for seat in range(len(hands))]
    return hashlib.sha256(bytes(order)).hexdigest(), dealt, cards[size * len(hands) :], stream


def cannot(why):
    """End without an answer."""
    print(why, file=sys.stderr)
    sys.exit(2)


def master_key(header, options):
    """Give the key that all boards come from, and what is wrong with the commitment."""
    found = header.get("commitment") or {}
    if options.seed is not None or not found:
        seed = options.seed if options.seed is not None else header["seed"]
        return hashlib.sha256(b"e27w/local/1\0" + seed.encode()).digest(), []
    secret = options.secret or found["secret"]
    entropy = found["entropy"] if options.entropy is None else options.entropy
    if secret is None or entropy is None:
        cannot("the secret is not revealed yet: give --secret and --entropy, or wait for the end")
    secret, entropy = bytes.fromhex(secret), bytes.fromhex(entropy)
    manifest = hashlib.sha256(found["manifest"].encode()).digest()
    committed = hashlib.sha256(b"e27w/commit/1\0" + secret + manifest).hexdigest()
    is_right = committed == (options.commitment or found["commitment"])
    wrong = [] if is_right else ["the secret and the manifest are not what was committed to"]
    if options.commitment is None:
        print("compare the commitment with the one you noted before play:", found["commitment"])
    if options.entropy is None:
        print("compare the entropy with", found["entropy_source"] or "nothing:", entropy.hex())
    if ladder := json.loads(found["manifest"]).get("ladder"):
        print("compare the end of the ladder's hash chain with the one you noted:", ladder["chain"])
        link = secret
        for _ in range(ladder["link"]):
            link = hashlib.sha256(b"e27w/chain/1\0" + link).digest()
        wrong += [] if link.hex() == ladder["chain"] else ["the secret is not of the ladder's hash chain"]
    return hmac.digest(secret, b"e27w/master/1\0" + manifest + entropy, "sha256"), wrong


def differences(table, key, header):
    """Say what is wrong with the deal of a table."""
    seed = hmac.digest(key, b"e27w/board/1\0" + struct.pack(">Q", table["deal_index"]), "sha256")
    record = table["record"]
    for number, passed in enumerate([*record.get("redeals", []), record]):
        redeal = hmac.digest(seed, b"e27w/redeal/1\0" + bytes([number]), "sha256") if number else seed
        deck, hands, kitty, stream = deal(redeal, passed["hands"], passed["kitty"])
        if number == 0 and deck != table["deal_hash"]:
            yield "another deal hash"
        for seat, (mine, theirs) in enumerate(zip(hands, passed["hands"], strict=True)):
            if sorted(mine) != sorted(theirs.split()):
                yield f"deal {number}: seat {seat} was dealt {' '.join(mine)}, not {theirs}"
        if sorted(kitty) != sorted(passed["kitty"].split()):
            yield f"deal {number}: the kitty was {' '.join(kitty)}, not {passed['kitty']}"
        if number == 0:
            drawn = below(stream, len(hands))
            allowed = {True: {drawn}, False: {0}}.get(header.get("random_opener"), {0, drawn})
            if passed["opener"] not in allowed:
                yield f"seat {passed['opener']} opened"


def main():
    """Check a file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games")
    for option in ("--secret", "--entropy", "--commitment", "--seed"):
        parser.add_argument(option)
    options = parser.parse_args()
    tables, wrong, boards = 0, [], {}
    with open(options.games, encoding="utf-8") as lines:
        header = json.loads(next(lines))
        key, wrong = master_key(header, options)
        for line in lines:
            table = json.loads(line)
            if table["kind"] != "table":
                continue
            if not table.get("record"):
                cannot("this export has no records: the cards are not in it")
            tables += 1
            name = table["record"].get("id", "")
            wrong += [f"table {name}: {each}" for each in differences(table, key, header)]
            board = tuple(table[each] for each in ("epoch", "group", "n", "generation"))
            if boards.setdefault((table["epoch"], table["deal_index"]), board) != board:
                wrong.append(f"table {name}: its deal was played on another board, too")
    result = f"{tables} tables of {len(boards)} deals made again, {len(wrong)} differences"
    print("\n".join([result, *wrong[:10]]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
