"""Contestants with their files, and what their players wrote."""

from __future__ import annotations

from dataclasses import replace

import pytest

from erqiwang_runner.artefact import Artefact
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.errors import UsageError
from erqiwang_runner.store import claims, contestants, planning, player_logs
from erqiwang_runner.store.extension import extend

DEEP = Contestant("deep-blue", "1", ("{python}", "{bot}/bot.py"), "a" * 64)


@pytest.fixture
def add(database):
    def run(contestant, traits=None):
        with database.write() as connection:
            return contestants.find_or_add(connection, contestant, traits)

    return run


def test_a_version_is_one_artefact_for_ever(database, add):
    number = add(DEEP, {"language": "python"})
    assert add(DEEP) == number
    with pytest.raises(UsageError, match=r"deep-blue@1 is known with other files .hash a{12}, now b{12}."):
        add(replace(DEEP, artefact_hash="b" * 64))
    assert add(replace(DEEP, artefact_hash="b" * 64, version="2")) != number


def test_a_newer_platform_may_make_its_own_bots_of_other_files(add):
    own = Contestant("counter", "1", ("{python}", "-m", "x"), "a" * 64, bundled=True)
    assert add(replace(own, artefact_hash="b" * 64)) == add(own)
    with pytest.raises(UsageError, match="counter@1 is known with other files"):
        add(replace(own, artefact_hash="c" * 64, bundled=False))


@pytest.mark.parametrize("name", ["deepblue", "Deep-Blue", "deep_b1ue", "DEEP.BLUE", "c0unter", "Random"])
def test_a_name_that_looks_like_another_is_refused(add, name):
    add(DEEP)
    with pytest.raises(UsageError, match=f"the name '{name}' looks like"):
        add(replace(DEEP, name=name))


def test_an_artefact_comes_back_as_it_was(database):
    artefact = Artefact(bytes(range(256)) * 50)
    with database.write() as connection:
        contestants.keep_artefact(connection, artefact)
        contestants.keep_artefact(connection, artefact)
    with database.read() as connection:
        assert contestants.archive_of(connection, artefact.digest) == artefact.archive
        assert contestants.archive_of(connection, "0" * 64) is None


def test_the_newest_version_is_found_and_retired_ones_only_by_number(database, add):
    versions = [replace(DEEP, version=version, artefact_hash=version * 64) for version in "123"]
    for each in versions:
        add(each)
    with database.write() as connection:
        contestants.retire(connection, versions[2])
    with database.read() as connection:
        assert contestants.find(connection, "deep-blue").contestant == versions[1]
        assert contestants.find(connection, "deep-blue@3").retired_at is not None
        listed = [row.contestant for row in contestants.every(connection, with_retired=False)]
        assert listed == versions[:2]
        with pytest.raises(UsageError, match="no version '4' of deep-blue; there are: 1, 2, 3"):
            contestants.find(connection, "deep-blue@4")
        with pytest.raises(UsageError, match="no bot 'shallow'"):
            contestants.find(connection, "shallow")


def test_the_newest_logs_are_kept(database, running, worker):
    tournament = running(boards=1, boards_per_match=1)
    extend(database, tournament, 1)
    ((match, _),) = planning.waiting(database, tournament.id)
    claim = claims.take(database, match, worker)
    first, second = claim.group[0].contestant, claim.group[1].contestant
    for number in range(player_logs.KEPT + 5):
        player_logs.keep(database, claim, {(0, 0, 0): f"line {number}"})
    player_logs.keep(database, claim, {(1, 2, 1): "only one", (0, 1, 0): "last"})
    with database.read() as connection:
        logs = player_logs.of(connection, first, 1000)
        assert len(logs) == player_logs.KEPT
        assert {log.text for log in logs[-2:]} <= {f"line {number}" for number in range(6, 9)}
        assert "last" in {log.text for log in logs}
        (log,) = player_logs.of(connection, second, 10)
        assert (log.text, log.fault, log.tournament) == ("only one", None, "t")
