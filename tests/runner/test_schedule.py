from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from erqiwang_runner.schedule import (
    Schedule,
    cyclic_schedule,
    every_group,
    groups_of,
    make_schedule,
    prime_schedule,
)


def meetings(schedule):
    return Counter(pair for group in schedule for pair in combinations(group, 2))


def appearances(schedule):
    return Counter(entry for group in schedule for entry in group)


def naive_efficiency(schedule):
    n, k = schedule.entries, schedule.size
    matrix = np.zeros((n, n))
    for group in schedule:
        z = np.isin(np.arange(n), group).astype(float)
        matrix += np.diag(z) - np.outer(z, z) / k
    values = np.linalg.eigvalsh(matrix)[1:]
    r = len(schedule) * k / n
    return (n - 1) / (1 / values).sum() / r / (n * (k - 1) / ((n - 1) * k))


@pytest.mark.parametrize(("entries", "size"), [(4, 4), (5, 4), (10, 4), (7, 3), (6, 2)])
def test_every_group_is_balanced(entries, size):
    schedule = every_group(entries, size)
    assert len(set(schedule)) == len(schedule) == comb(entries, size)
    assert set(meetings(schedule).values()) == {comb(entries - 2, size - 2)}
    assert schedule.certificate.spread == 0
    assert schedule.certificate.efficiency == pytest.approx(1)


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("entries", [5, 7, 11, 13, 17, 29])
def test_prime_schedules_let_every_pair_meet_equally_often(entries, size):
    schedule = prime_schedule(entries, size)
    assert len(schedule) == entries * (entries - 1) // 2
    counts = meetings(schedule)
    assert len(counts) == comb(entries, 2)
    assert set(counts.values()) == {size * (size - 1) // 2}
    assert schedule.certificate.efficiency == pytest.approx(1)


@pytest.mark.parametrize(("entries", "block"), [(7, (0, 1, 3)), (13, (0, 1, 3, 9))], ids=["7,3,1", "13,4,1"])
def test_known_difference_sets_meet_every_pair_once(entries, block):
    schedule = Schedule(entries, (block,), entries)
    assert set(meetings(schedule).values()) == {1}
    assert (schedule.certificate.meetings_min, schedule.certificate.meetings_max) == (1, 1)


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("entries", [11, 12, 16, 20, 23, 30])
@pytest.mark.parametrize("cycles", [2, 4])
def test_certificate_is_what_the_groups_show(entries, size, cycles):
    schedule = cyclic_schedule(entries, size, cycles)
    certificate = schedule.certificate
    counts = meetings(schedule)
    every = [counts[pair] for pair in combinations(range(entries), 2)]
    assert (certificate.meetings_min, certificate.meetings_max) == (min(every), max(every))
    assert set(appearances(schedule).values()) == {size * cycles}
    assert (certificate.groups_min, certificate.groups_max) == (size * cycles, size * cycles)
    assert certificate.efficiency == pytest.approx(naive_efficiency(schedule))
    # Three differences a block and one distance that counts twice cannot always come out even.
    assert certificate.spread <= (1 if size == 4 else 2)
    assert certificate.is_acceptable
    assert certificate.efficiency > 0.8


def test_every_cycle_gives_every_entry_the_same_number_of_groups():
    schedule = cyclic_schedule(14, 4, 3)
    assert schedule.cycle == 14
    for start in range(0, len(schedule), schedule.cycle):
        counts = Counter(e for number in range(start, start + 14) for e in schedule.group(number))
        assert set(counts.values()) == {4}


def test_half_of_the_circle_counts_twice():
    schedule = Schedule(8, ((0, 4),), 8)
    assert meetings(schedule)[0, 4] == 2
    assert schedule.certificate.meetings_max == 2


def test_the_seed_decides_the_blocks():
    assert cyclic_schedule(20, 4, 3, "a") == cyclic_schedule(20, 4, 3, "a")
    assert cyclic_schedule(20, 4, 3, "a").blocks != cyclic_schedule(20, 4, 3, "b").blocks
    assert cyclic_schedule(12, 4, 2, "golden").blocks == ((0, 2, 6, 11), (0, 2, 4, 11))


def test_a_disconnected_schedule_has_no_efficiency():
    assert Schedule(8, ((0, 4),), 8).certificate.efficiency == 0


def test_a_million_groups_need_no_memory():
    schedule = cyclic_schedule(1000, 4, 1)
    many = Schedule(1000, schedule.blocks * 1000, 1000)
    assert len(many) == 1_000_000
    assert many.group(999_999) == tuple(sorted((place + 999) % 1000 for place in schedule.blocks[0]))


def test_choice_of_a_schedule():
    assert make_schedule(8, 4).shifts == 1
    assert len(make_schedule(11, 4)) == 55
    assert make_schedule(12, 4).shifts == 12
    assert len(make_schedule(8, 4, cycles=2)) == 16
    assert len(make_schedule(21, 4)) == 21 * 5


def test_groups_are_given_as_entries():
    assert list(groups_of(every_group(3, 2), [7, 8, 9])) == [(7, 8), (7, 9), (8, 9)]


@pytest.mark.parametrize(
    "call",
    [
        lambda: every_group(3, 4),
        lambda: prime_schedule(9, 4),
        lambda: prime_schedule(3, 2),
        lambda: cyclic_schedule(12, 4, 0),
    ],
)
def test_impossible_schedules_are_refused(call):
    with pytest.raises(ValueError, match=r"cannot be made|not a prime|at least one cycle"):
        call()


def test_certificate_reads_as_a_line():
    assert str(every_group(5, 4).certificate) == (
        "pairs meet (3, 3) times, entries play (4, 4) groups, efficiency 1.000"
    )
