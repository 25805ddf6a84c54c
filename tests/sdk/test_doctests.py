import doctest

import pytest

import erqiwang.chance
import erqiwang.testing.dealing
import erqiwang.wire.cards
import erqiwang.wire.fields


@pytest.mark.parametrize(
    "module",
    [erqiwang.chance, erqiwang.testing.dealing, erqiwang.wire.cards, erqiwang.wire.fields],
    ids=lambda module: module.__name__,
)
def test_the_examples_of_a_module_are_true(module):
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
