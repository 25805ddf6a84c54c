"""The statistic that tells a bad host from bad luck."""

from __future__ import annotations

import random

import pytest

from erqiwang_runner.quarantine import ALPHA, Tally, Tried, standing_out, tail, tallies_of


def test_the_tail_is_that_of_drawing_without_putting_back():
    assert tail(10, 3, 4, 0) == 1
    assert tail(10, 3, 4, 3) == pytest.approx(4 / 120)
    assert tail(10, 3, 4, 4) == 0
    assert tail(10, 5, 5, 5) == pytest.approx(1 / 252)


def test_a_bad_host_stands_out_and_a_poor_one_does_not():
    peers = {f"h{number}": Tally(2, 60) for number in range(5)}
    assert standing_out({**peers, "bad": Tally(20, 60)}).keys() == {"bad"}
    assert standing_out({**peers, "poor": Tally(5, 60)}) == {}


def test_where_all_are_bad_nobody_stands_out():
    assert standing_out({f"h{number}": Tally(50, 60) for number in range(4)}) == {}


def test_a_host_alone_has_no_peers():
    assert standing_out({"h": Tally(40, 40)}) == {}
    assert standing_out({}) == {}


@pytest.mark.parametrize(("rate", "hosts"), [(0.02, 2), (0.3, 5), (0.5, 12)])
def test_equal_hosts_raise_no_more_false_alarms_than_promised(rate, hosts):
    source, looks, alpha = random.Random(f"{rate}/{hosts}"), 1500, 0.05
    alarms = 0
    for _ in range(looks):
        sizes = [source.randint(5, 60) for _ in range(hosts)]
        tallies = {
            f"h{number}": Tally(sum(source.random() < rate for _ in range(size)), size)
            for number, size in enumerate(sizes)
        }
        alarms += bool(standing_out(tallies, alpha))
    # Five standard deviations above what is promised.
    assert alarms <= looks * alpha + 5 * (looks * alpha) ** 0.5
    assert alpha > ALPHA


def test_what_a_power_cut_took_together_is_one_trouble():
    cut = [Tried("a", 100.0 + number, True) for number in range(8)]
    fine = [Tried("a", 10.0 * number, False) for number in range(5)]
    later = [Tried("a", 300.0, True), Tried("b", 101.0, True)]
    assert tallies_of([*later, *cut, *fine]) == {"a": Tally(2, 7), "b": Tally(1, 1)}
