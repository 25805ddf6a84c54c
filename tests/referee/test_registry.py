"""Tokens are good for one use, and resume tokens for the latest stream."""

import hashlib
from typing import cast

from erqiwang_referee.match import Match
from erqiwang_referee.registry import Place, Registry

MATCH, OTHER = cast(Match, object()), cast(Match, object())


def digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def test_a_token_is_used_up_by_its_first_claim() -> None:
    registry = Registry()
    registry.expect(digest("secret"), Place(MATCH, 3))
    assert registry.claim("wrong") is None
    assert registry.claim("secret") == Place(MATCH, 3)
    assert registry.claim("secret") is None


def test_a_restarted_player_has_one_valid_token() -> None:
    registry = Registry()
    registry.expect(digest("first"), Place(MATCH, 0))
    registry.expect(digest("second"), Place(MATCH, 0))
    assert registry.claim("first") is None
    assert registry.claim("second") == Place(MATCH, 0)


def test_each_return_brings_a_new_token() -> None:
    registry = Registry()
    first = registry.promise_return(Place(MATCH, 1))
    second = registry.promise_return(Place(MATCH, 1))
    assert registry.claim_return(first) is None
    assert registry.claim_return(second) == Place(MATCH, 1)
    assert registry.claim_return(second) is None


def test_a_token_of_one_kind_is_none_of_the_other() -> None:
    registry = Registry()
    token = registry.promise_return(Place(MATCH, 1))
    registry.expect(digest("secret"), Place(MATCH, 1))
    assert registry.claim(token) is None
    assert registry.claim_return("secret") is None


def test_a_match_takes_its_tokens_with_it() -> None:
    registry = Registry()
    for match in (MATCH, OTHER):
        registry.expect(digest(f"token {id(match)}"), Place(match, 0))
        registry.promise_return(Place(match, 0))
    registry.forget(MATCH)
    assert len(registry) == 2
    assert registry.claim(f"token {id(OTHER)}") == Place(OTHER, 0)
