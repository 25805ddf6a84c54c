"""Ladders through the store and the coordinator: nobody is lost, epochs follow each other, secrets chain."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from erqiwang.deals import chain_link
from erqiwang_runner.contestants import STARTERS, Contestant, starter
from erqiwang_runner.coordinator import Coordinator
from erqiwang_runner.errors import UsageError
from erqiwang_runner.ladders.membership import IS_OVER, MemberState
from erqiwang_runner.ladders.settings import LadderSettings
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.standings import read_standings
from erqiwang_runner.store import (
    admission,
    claims,
    commitments,
    ladder_chain,
    ladder_epochs,
    ladders,
    life_cycle,
    notices,
    schema,
    tournaments,
)
from erqiwang_runner.store.figures import SqlFigures
from erqiwang_runner.store.ladder_results import LadderResults
from erqiwang_runner.store.ladder_summary import summarise
from erqiwang_runner.store.ladders import LadderState
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.tournament_spec import DealsMode

NEW = Contestant("new", "1", ("true",), "n" * 64)
ANCHORS = [starter(name) for name in STARTERS]


class Ladder:
    """A ladder named `l` with the house bots as anchors, and a clock that stands unless it is moved."""

    def __init__(self, season, database, directory, **settings) -> None:
        self.season, self.database = season, database
        self.now = time.time()
        self.secrets = SecretFile(directory)
        self.forfeits = {}
        """By the name of a bot, at which tournaments its process ends on every board."""
        asked = {"epoch_sets": 4, "boards": 2, "validation_boards": 2} | settings
        with database.write() as connection:
            ladders.create(connection, LadderSettings(name="l", seed="s", **asked), ANCHORS)
            if self.row(connection).settings.mode is DealsMode.COMMITTED:
                ladder_chain.begin(connection, self.row(connection), 0, self.secrets, 2)
        self.team = [self._coordinator() for _ in range(2)]

    def join(self, bot=NEW):
        with self.database.write() as connection:
            return ladders.join(connection, self.row(connection), bot, self.now)

    def step(self):
        for each in self.team:
            each.step()

    def play(self, until, times=400):
        """Step and play, the latest match first, until something holds."""
        for _ in range(times):
            self.step()
            if until():
                return
            while self.season.queue.matches:
                self._play_match(self.season.queue.matches.pop())
        raise AssertionError("that never came about")

    def play_epochs(self, number):
        self.play(lambda: sum(each.closed_at is not None for each in self.epochs()) >= number)

    def row(self, connection=None):
        return self._read(lambda found: ladders.find(found, "l"), connection)

    def epochs(self):
        return self._read(lambda found: ladders.epochs(found, self.row(found)))

    def bot(self, bot=NEW):
        return self._read(lambda found: ladders.member(found, self.row(found), bot))

    def notices(self, bot=NEW):
        return [each.text for each in self._read(lambda found: notices.of(found, bot, 10))]

    def ratings(self):
        return self._read(lambda found: ladders.ratings(found, self.row(found)))

    def tournament(self, name):
        return self._read(lambda found: tournaments.find(found, name))

    def field(self, name):
        row = self.tournament(name)
        return [str(each.contestant) for each in self._read(lambda found: tournaments.entries(found, row.id))]

    def write(self, act):
        with self.database.write() as connection:
            return act(connection)

    def _play_match(self, match_id):
        row = self._read(
            lambda found: found.execute(
                select(schema.tournaments.c.name).join(schema.matches).where(schema.matches.c.id == match_id)
            ).scalar_one()
        )
        bots = self.field(row)
        self.season.play_match(
            match_id, lambda entry, slot: row.startswith(self.forfeits.get(bots[entry], "never"))
        )

    def _coordinator(self):
        return Coordinator(
            self.database, self.season.queue, secrets=self.secrets, window=6, clock=lambda: self.now
        )

    def _read(self, act, connection=None):
        if connection is not None:
            return act(connection)
        with self.database.read() as found:
            return act(found)


on_one_database = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""What does not depend on how a database locks."""


@pytest.fixture
def ladder(season, database, tmp_path):
    return lambda **settings: Ladder(season, database, tmp_path, **settings)


def test_epochs_follow_each_other_and_a_newcomer_plays_from_the_next_one_on(ladder):
    found = ladder()
    found.step()
    found.join()
    found.play_epochs(3)
    assert [each.number for each in found.epochs()][:3] == [0, 1, 2]
    anchors = [str(each) for each in ANCHORS]
    assert found.field("l.e0")[:4] == anchors
    assert found.field("l.e1")[:5] == [*anchors, "new@1"]
    assert found.field("l.v5")[0] == "new@1"
    assert found.bot().state is MemberState.ADMITTED
    assert found.notices() == ["ladder l: admitted: it played 2 boards without a forfeit"]
    assert not found.tournament("l.v5").is_rated
    assert found.tournament("l.e1").is_rated


@on_one_database
def test_an_epoch_begins_with_what_the_ones_before_know(ladder):
    found = ladder()
    found.join()
    found.play_epochs(2)
    rated = found.ratings()
    first = {each.member_id: each for each in rated if each.epoch == 0}
    second = {each.member_id: each for each in rated if each.epoch == 1}
    assert [each.place for each in first.values()] == [1, 2, 3, 4]
    assert all(second[member].boards > each.boards for member, each in first.items())
    earlier = found.tournament("l.e1").format.earlier
    assert [each.boards for each in earlier[:4]] == [first[member].boards for member in sorted(first)]
    assert [each.rating for each in earlier[:4]] == [
        round(first[member].rating, 1) for member in sorted(first)
    ]
    assert earlier[4] is None
    assert found.tournament("l.e0").format.earlier == ()


@on_one_database
def test_the_standings_of_a_ladder_are_those_of_all_its_epochs(ladder):
    found = ladder()
    found.play_epochs(3)
    standings = read_standings(LadderResults(found.database), "l")
    assert standings.board_sets == 12
    (table,) = standings.tables
    latest = {each.member_id: each for each in found.ratings() if each.epoch == 2}
    assert {row.entry.id: row.elo.value for row in table.rows} == {
        member: each.rating for member, each in latest.items()
    }
    shortened = read_standings(LadderResults(found.database, limit=5), "l")
    assert shortened.board_sets == 8


def test_a_forfeit_in_the_validation_refuses(ladder):
    found = ladder()
    found.forfeits["new@1"] = "l.v"
    found.join()
    found.play(lambda: found.bot().state.is_over)
    member = found.bot()
    assert member.state is MemberState.REFUSED
    assert member.reason == "it forfeited 2 of 2 boards"
    assert found.notices()[0].startswith("ladder l: refused: it forfeited")
    assert found.tournament("l.v5").state is not TournamentState.RUNNING
    with pytest.raises(UsageError, match=r"new@1 is refused in l .*a mended bot is a new version"):
        found.join()
    assert found.join(replace(NEW, version="2", artefact_hash="m" * 64)).state is MemberState.WAITING


@on_one_database
def test_an_operator_may_overrule(ladder):
    found = ladder()
    found.forfeits["new@1"] = "l.v"
    found.join()
    found.play(lambda: found.bot().state.is_over)
    found.write(lambda to: admission.welcome(to, found.row(to), found.bot(), "a lamp fell over"))
    assert found.notices()[0] == "ladder l: admitted: a lamp fell over"
    next_ = len(found.epochs())
    found.play_epochs(next_ + 1)
    assert "new@1" in found.field(f"l.e{next_}")


@on_one_database
def test_who_is_not_validated_in_time_is_refused(ladder):
    found = ladder(validation_hours=1)
    found.join()
    found.step()
    assert found.bot().state is MemberState.VALIDATING
    found.now += 3601
    found.step()
    assert (found.bot().state, found.bot().reason) == (MemberState.REFUSED, IS_OVER)
    assert found.tournament("l.v5").state is TournamentState.CANCELLED
    # It did nothing wrong.
    assert found.join().state is MemberState.WAITING
    found.play(lambda: found.bot().state is MemberState.ADMITTED)


@on_one_database
def test_a_rest_of_the_ladder_is_not_time_of_its_newcomers(ladder):
    found = ladder(validation_hours=1)
    found.join()
    found.step()
    found.now += 3601
    found.write(lambda to: ladders.put_off(to, found.row(to), found.now))
    found.play(lambda: found.bot().state is MemberState.ADMITTED)


@on_one_database
def test_a_validation_that_nobody_could_play_is_played_again(ladder):
    found = ladder()
    found.join()
    found.step()
    found.write(lambda to: life_cycle.cancel(to, "l.v5"))
    found.play(lambda: found.bot().state is MemberState.ADMITTED)
    assert found.bot().tries == 2
    assert found.tournament("l.v5.1").state is TournamentState.FINISHED


@on_one_database
def test_a_newer_version_takes_the_place_of_the_older(ladder):
    found = ladder()
    newer = replace(NEW, version="2", artefact_hash="m" * 64)
    found.join()
    found.play_epochs(1)
    found.join(newer)
    found.play(lambda: found.bot(newer).state is MemberState.ADMITTED)
    assert (found.bot().state, found.bot().reason) == (MemberState.LEFT, "new@2 takes its place")
    open_ = len(found.epochs())
    found.play_epochs(open_ + 1)
    assert "new@2" in found.field(f"l.e{open_}")
    assert "new@1" not in found.field(f"l.e{open_}")


@on_one_database
def test_who_is_suspended_plays_no_more_and_hears_of_it(ladder):
    found = ladder(epoch_sets=24)
    found.forfeits["new@1"] = "l.e"
    found.join()
    found.play(lambda: found.bot().state is MemberState.ADMITTED)
    found.play(lambda: found.bot().state.is_over, 2000)
    (number,) = (each.number for each in found.epochs() if "new@1" in found.field(f"l.e{each.number}"))
    assert found.bot().state is MemberState.SUSPENDED
    assert found.notices()[0] == f"ladder l: suspended: its own faults in epoch {number}; see its log"
    found.play_epochs(number + 2)
    assert "new@1" not in found.field(f"l.e{number + 1}")


@on_one_database
def test_a_retired_bot_leaves(ladder):
    found = ladder()
    found.join()
    found.play(lambda: found.bot().state is MemberState.ADMITTED)
    found.write(
        lambda to: to.execute(update(schema.contestants).filter_by(name="new").values(retired_at=1.0))
    )
    before = len(found.epochs())
    found.play_epochs(before + 1)
    assert "new@1" not in found.field(f"l.e{before}")
    assert (found.bot().state, found.bot().reason) == (MemberState.LEFT, "it was retired")


@on_one_database
def test_an_epoch_ends_in_time_and_keeps_what_was_played(ladder, worker, play_out):
    found = ladder(epoch_hours=2, epoch_sets=40)
    found.play(lambda: found.tournament("l.e0").settled >= 2 and found.season.queue.matches)
    claim = claims.take(found.database, found.season.queue.matches.pop(), worker)
    found.now += 2 * 3600
    found.step()
    assert found.tournament("l.e0").state is TournamentState.PAUSED
    assert found.epochs()[0].closed_at is None
    for slot in claim.slots:
        claims.store_set(found.database, claim, play_out(claim, slot))
    claims.complete(found.database, claim)
    found.play(lambda: len(found.epochs()) == 2)
    assert found.tournament("l.e0").state is TournamentState.CANCELLED
    assert 0 < found.ratings()[0].boards < 40
    reasons = found._read(
        lambda to: set(
            to.scalars(select(schema.slots.c.reason).where(schema.slots.c.state == "void").distinct())
        )
    )
    assert reasons <= {ladder_epochs.ENDED}


def test_the_secrets_of_epochs_are_a_chain_used_backwards(ladder):
    found = ladder(mode=DealsMode.COMMITTED)
    found.play_epochs(3)
    tips = found._read(lambda to: ladder_chain.tips(to, found.row(to)))
    assert [first for first, _ in tips] == [0, 2]
    for number, (tip, times) in enumerate([(tips[0][1], 1), (tips[0][1], 2), (tips[1][1], 1)]):
        row = found.tournament(f"l.e{number}")
        made = found._read(lambda to, row=row: commitments.find(to, row.id))
        assert chain_link(bytes.fromhex(made.secret), times).hex() == tip
        assert f'"ladder":{{"chain":"{tip}","ladder":"l","link":{times},"number":{number}}}' in made.manifest
    assert summarise(found.database, "l").tips == tuple(tips)


@on_one_database
def test_an_epoch_waits_for_its_public_entropy(ladder):
    found = ladder(mode=DealsMode.COMMITTED, entropy_source="a beacon")
    found.step()
    found.step()
    row = found.tournament("l.e0")
    assert row.state is TournamentState.CREATED
    found.write(lambda to: commitments.give_entropy(to, row, b"random"))
    found.step()
    assert found.tournament("l.e0").state is TournamentState.RUNNING


@on_one_database
def test_a_ladder_that_closes_ends_with_its_epoch(ladder):
    found = ladder()
    found.step()
    found.write(lambda to: ladders.set_state(to, found.row(to), LadderState.CLOSING))
    with pytest.raises(UsageError, match="the ladder l is closing: nobody joins it any more"):
        found.join()
    found.play(lambda: found.row().state is LadderState.CLOSED)
    assert len(found.epochs()) == 1
    assert found.ratings()


@on_one_database
def test_nothing_begins_while_a_ladder_is_paused(ladder):
    found = ladder()
    found.write(lambda to: ladders.set_state(to, found.row(to), LadderState.PAUSED))
    found.join()
    found.step()
    assert found.epochs() == []
    assert found.bot().state is MemberState.WAITING


@on_one_database
def test_too_few_bots_wait_for_more(season, database, tmp_path):
    found = Ladder(season, database, tmp_path)
    with database.write() as connection:
        ladders.create(connection, LadderSettings(name="few", seed="s"), ANCHORS[:2])
    found.step()
    few = summarise(database, "few")
    assert (few.epoch, few.lacking) == (None, 2)
    assert "the next epoch waits for 2 more bots" in few.text()


@on_one_database
def test_prometheus_sees_a_ladder(ladder):
    found = ladder()
    found.join()
    found.play_epochs(1)
    (figure,) = SqlFigures(found.database).figures().ladders
    assert (figure.ladder, figure.bots["admitted"], figure.bots["refused"]) == ("l", 5, 0)
    assert figure.epochs == len(found.epochs())
    rated = {each.member_id: each.rating for each in found.ratings()}
    assert sorted(rating for rating, _ in figure.ratings.values()) == sorted(rated.values())
    assert set(figure.ratings) == {str(each) for each in ANCHORS}


@on_one_database
def test_names_of_ladders_are_taken_once(ladder, database):
    ladder()
    with pytest.raises(UsageError, match="there is a ladder 'l' already"), database.write() as connection:
        ladders.create(connection, LadderSettings(name="l", seed="s"), ANCHORS)
