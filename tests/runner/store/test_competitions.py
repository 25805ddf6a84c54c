"""Competitions through the store and the coordinator, from the first submission to the reveal."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import select, update

from erqiwang_runner.competition.calendar import Phase
from erqiwang_runner.competition.competition_file import parse_competition
from erqiwang_runner.competition.phases import Place
from erqiwang_runner.competition.submissions import TRIES, SubmissionState
from erqiwang_runner.contestants import Contestant, starter
from erqiwang_runner.coordinator import Coordinator
from erqiwang_runner.errors import UsageError
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.standings import read_standings
from erqiwang_runner.store import (
    claims,
    commitments,
    competition_steps,
    competitions,
    life_cycle,
    notices,
    schema,
    submissions,
    tournaments,
)
from erqiwang_runner.store.competition_status import read_status
from erqiwang_runner.store.figures import SqlFigures
from erqiwang_runner.store.hidden import visible_results
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.tournament_spec import EntrySpec

ON_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
OPENS, CLOSES, FINALS, REVEALS = (float(1_800_000_000 + 86_400 * day) for day in (0, 10, 20, 30))

FILE = """
name = "cup"
active_submissions = 1
public_boards = 1

[calendar]
opens = 2027-01-15T08:00:00Z
closes = 2027-01-25T08:00:00Z
finals = 2027-02-04T08:00:00Z
reveals = 2027-02-14T08:00:00Z

[validation]
boards = 1

[play]
boards = 2

[[finals]]
entries = 5
boards = 1

[[finals]]
entries = 4
boards = 1
"""


class Host:
    """A competition, the coordinators and workers that serve it, and a clock in the hand of the test."""

    def __init__(self, database, queue, season, data) -> None:
        self.database, self.queue, self.season = database, queue, season
        self.secrets = SecretFile(data)
        self.now = OPENS
        self.crashing: set[str] = set()
        self.coordinators = [self._coordinator(), self._coordinator()]

    def _coordinator(self):
        return Coordinator(self.database, self.queue, secrets=self.secrets, clock=lambda: self.now)

    def announce(self, text):
        with self.database.write() as connection:
            competitions.create(connection, parse_competition(text))

    def submit(self, bot, author="", version="1"):
        entry = EntrySpec(Contestant(bot, version, ("true",), f"{bot}{version}".ljust(64, "0"), bundled=True))
        with self.database.write() as connection:
            return submissions.submit(connection, "cup", entry, author or bot, self.now)

    def work(self):
        """Let coordinators and workers do all there is to do at this moment."""
        while True:
            before = self.row().place
            for each in self.coordinators:
                each.step()
            if self.row().place == before and not self.queue.matches:
                return
            while self.queue.matches:
                self._play(self.queue.matches.pop())

    def _play(self, match_id):
        with self.database.read() as connection:
            of_it = select(schema.matches.c.tournament_id).filter_by(id=match_id)
            name = tournaments.get(connection, connection.scalars(of_it).one()).name
        self.season.play_match(match_id, lambda entry, _slot: entry == 0 and name in self.crashing)

    def row(self):
        with self.database.read() as connection:
            return competitions.find(connection, "cup")

    def states(self):
        with self.database.read() as connection:
            return [each.state.value for each in submissions.of(connection, self.row().id)]

    def entries(self, name):
        with self.database.read() as connection:
            row = tournaments.find(connection, name)
            return [str(each.contestant) for each in tournaments.entries(connection, row.id)]

    def places(self):
        with self.database.read() as connection:
            return [str(each.place) for each in competitions.history(connection, self.row().id)]

    def tournaments(self):
        with self.database.read() as connection:
            return [row.name for row in tournaments.every(connection)]


@pytest.fixture
def host_of(database, queue, season, tmp_path):
    made = Host(database, queue, season, tmp_path)

    def announce(text):
        made.announce(text)
        return made

    yield announce
    for each in made.coordinators:
        each.join()


@pytest.fixture
def host(host_of):
    return host_of(FILE)


EVERYTHING = ["open", "closed", "validation", "play", "final 1", "final 2", "revealed"]
BOTS = [f"bot{number}" for number in range(6)]


def test_a_competition_from_the_first_submission_to_the_reveal(host):
    for bot in BOTS:
        host.submit(bot)
    host.work()
    assert host.states() == ["valid"] * 6
    assert host.places() == ["open"]
    host.now = CLOSES
    host.work()
    assert host.places() == EVERYTHING[:4]
    assert host.entries("cup-play")[:6] == [f"{bot}@1" for bot in BOTS]
    host.now = FINALS
    host.work()
    assert host.places() == EVERYTHING[:6]
    # In every tournament the entry with the higher number has more points.
    assert host.entries("cup-final-1")[:5] == [f"bot{number}@1" for number in (5, 4, 3, 2, 1)]
    assert host.entries("cup-final-2")[:4] == [f"bot{number}@1" for number in (1, 2, 3, 4)]
    host.now = REVEALS
    host.work()
    assert host.places() == EVERYTHING
    ranked = competition_steps.results(host.database, host.row())
    assert [each.entry for each in ranked] == [f"bot{number}@1" for number in (4, 3, 2, 1, 5, 0)]
    assert host.row().problem == ""


def test_after_a_pause_of_days_no_phase_is_skipped(host):
    for bot in BOTS:
        host.submit(bot)
    host.now = REVEALS + 5 * 86_400
    host.work()
    assert host.places() == EVERYTHING
    assert host.states() == ["valid"] * 6
    checks = [f"cup-check-{number}" for number in range(1, 7)]
    assert host.tournaments() == [*checks, "cup-play", "cup-final-1", "cup-final-2"]


def all_at_once(action, crowd=4):
    ready = Barrier(crowd)

    def run(_number):
        ready.wait()
        action()

    with ThreadPoolExecutor(crowd) as pool:
        list(pool.map(run, range(crowd)))


def test_coordinators_at_the_same_moment_do_everything_once(host):
    for bot in BOTS:
        host.submit(bot)
    host.work()
    host.now = CLOSES
    all_at_once(lambda: competition_steps.step(host.database, host.now, host.secrets))
    assert host.places() == EVERYTHING[:4]
    assert host.tournaments()[6:] == ["cup-play"]
    assert host.row().problem == ""
    host.work()
    host.now = REVEALS
    all_at_once(lambda: competition_steps.step(host.database, host.now, host.secrets))
    assert host.tournaments()[6:] == ["cup-play", "cup-final-1"]


@ON_SQLITE
def test_submissions_out_of_time_are_refused_with_the_deadline(host):
    host.now = OPENS - 1
    with pytest.raises(UsageError, match="cup opens at 2027-01-15 08:00:00 UTC"):
        host.submit("early")
    host.now = CLOSES
    # Nobody has looked at the competition since: the clock decides.
    with pytest.raises(UsageError, match=r"closed at 2027-01-25 08:00:00 UTC: this comes 0:00:00 too late"):
        host.submit("late")
    host.now = CLOSES - 1
    host.submit("last")
    host.now = CLOSES + 93_784
    host.work()
    with pytest.raises(UsageError, match="this comes 1 day, 2:03:04 too late"):
        host.submit("later")
    assert host.tournaments() == ["cup-check-1", "cup-play"]


@ON_SQLITE
def test_a_later_submission_takes_the_place_of_the_earlier_when_it_is_valid(host):
    host.submit("one", "ann")
    host.work()
    host.submit("one", "ann", version="2")
    host.crashing = {"cup-check-2"}
    assert host.states() == ["valid", "validating"]
    host.work()
    assert host.states() == ["valid", "invalid"]
    host.submit("two", "ann")
    host.work()
    assert host.states() == ["superseded", "invalid", "valid"]
    host.submit("three", "ann")
    host.submit("four", "ann")
    assert host.states() == ["superseded", "invalid", "valid", "superseded", "validating"]
    # What is superseded is not played any more.
    assert host.season.row("cup-check-4").state is TournamentState.CANCELLED
    host.work()
    host.now = CLOSES
    host.work()
    assert host.entries("cup-play")[0] == "four@1"
    with host.database.read() as connection:
        reasons = [each.reason for each in submissions.of(connection, host.row().id)]
        (told,) = notices.of(connection, Contestant("one", "2", (), ""), 1)
    assert reasons == ["by two@1", "it forfeited 1 tables", "by four@1", "by four@1", ""]
    assert told.text == "competition cup: invalid: it forfeited 1 tables"


@ON_SQLITE
def test_the_same_version_is_submitted_once(host):
    host.submit("one", "ann")
    with pytest.raises(UsageError, match="one@1 is submitted already"):
        host.submit("one", "ann")
    with pytest.raises(UsageError, match="one@1 is submitted already, by ann"):
        host.submit("one", "bob")
    host.crashing = {"cup-check-1"}
    host.work()
    with pytest.raises(UsageError, match=r"failed its validation \(it forfeited .*needs a new version"):
        host.submit("one", "ann")


@ON_SQLITE
def test_a_submission_is_withdrawn_before_the_deadline(host):
    host.submit("one", "ann")
    host.submit("two", "bob")
    with host.database.write() as connection:
        assert submissions.withdraw(connection, "cup", "one", host.now).state is SubmissionState.WITHDRAWN
        with pytest.raises(UsageError, match="no active submission 'one'"):
            submissions.withdraw(connection, "cup", "one", host.now)
    assert host.season.row("cup-check-1").state is TournamentState.CANCELLED
    host.submit("one", "ann")
    host.work()
    assert host.states() == ["withdrawn", "valid", "valid"]
    host.now = CLOSES
    with host.database.write() as connection, pytest.raises(UsageError, match="closed at"):
        submissions.withdraw(connection, "cup", "two", host.now)


@ON_SQLITE
def test_the_platform_s_failure_is_not_the_bot_s(host):
    host.submit("one")
    for number in range(1, TRIES + 1):
        name = f"cup-check-1-{number}" if number > 1 else "cup-check-1"
        with host.database.write() as connection:
            life_cycle.cancel(connection, name)
        assert host.states() == ["validating"]
        competition_steps.step(host.database, host.now, host.secrets)
    assert host.states() == ["invalid"]
    with host.database.read() as connection:
        (found,) = submissions.of(connection, host.row().id)
    assert found.reason == "no board could be played with it in 3 validations: its validation was cancelled"


@ON_SQLITE
def test_play_waits_for_what_is_still_validated(host):
    host.submit("one")
    host.now = CLOSES
    for each in host.coordinators:
        each.step()
    assert host.places() == EVERYTHING[:3]
    assert read_status(host.database, "cup").waits_for == "the validation of 1 submissions"
    host.work()
    assert host.places()[3] == "play"


@ON_SQLITE
def test_bundled_bots_fill_a_field_that_is_too_small(host):
    host.submit("one")
    host.now = REVEALS
    host.work()
    assert host.entries("cup-play")[:4] == ["one@1", "counter@1", "cautious@1", "lowest@1"]
    assert [each.entry for each in competition_steps.results(host.database, host.row())] == ["one@1"]


@ON_SQLITE
def test_nobody_is_valid_and_it_ends_all_the_same(host):
    host.submit("one")
    host.crashing = {"cup-check-1"}
    host.now = REVEALS
    host.work()
    assert host.places() == EVERYTHING
    assert host.tournaments() == ["cup-check-1"]
    assert competition_steps.results(host.database, host.row()) == ()


@ON_SQLITE
def test_a_tournament_that_the_host_cancels_decides_by_what_was_played(host):
    for bot in BOTS[:4]:
        host.submit(bot)
    host.work()
    host.now = CLOSES
    competition_steps.step(host.database, host.now, host.secrets)
    with host.database.write() as connection:
        life_cycle.cancel(connection, "cup-play", host.secrets)
    host.now = REVEALS
    host.work()
    assert host.places() == EVERYTHING
    assert host.entries("cup-final-1")[:4] == [f"bot{number}@1" for number in range(4)]


@ON_SQLITE
def test_results_are_hidden_until_the_reveal(host):
    for bot in BOTS[:4]:
        host.submit(bot)
    host.now = CLOSES
    host.work()
    assert read_status(host.database, "cup").ranking is None
    whole = read_status(host.database, "cup", everything=True).ranking
    assert whole is not None
    assert len(whole) == 4
    shown, note = visible_results(host.database, "cup-play", everything=False)
    assert "these are the first 1 boards of each group" in note
    assert read_standings(shown, "cup-play").board_sets == 1
    everything, _ = visible_results(host.database, "cup-play", everything=True)
    assert read_standings(everything, "cup-play").board_sets == 2
    with pytest.raises(UsageError, match="cup-check-1 is hidden until competition cup is revealed"):
        visible_results(host.database, "cup-check-1", everything=False)
    assert SqlFigures(host.database).figures().ratings == ()
    host.now = REVEALS
    host.work()
    assert read_status(host.database, "cup").ranking is not None
    shown, note = visible_results(host.database, "cup-play", everything=False)
    assert (read_standings(shown, "cup-play").board_sets, note) == (2, "")
    assert {each.tournament for each in SqlFigures(host.database).figures().ratings} >= {"cup-play"}


@ON_SQLITE
def test_an_open_leaderboard_is_seen_at_any_time(database, host_of):
    host = host_of(FILE.replace("public_boards = 1", 'leaderboard = "open"'))
    for bot in BOTS[:4]:
        host.submit(bot)
    host.now = CLOSES
    host.work()
    assert len(read_status(database, "cup").ranking or ()) == 4
    assert visible_results(database, "cup-play", everything=False)[1] == ""


@ON_SQLITE
def test_committed_deals_wait_for_their_entropy(database, season, host_of):
    source = 'deals = "committed"\nentropy_source = "the weather"\n'
    host = host_of(FILE.replace("[play]\n", f"[play]\n{source}"))
    for bot in BOTS[:4]:
        host.submit(bot)
    host.now = CLOSES
    host.work()
    status = read_status(database, "cup")
    assert status.tournaments[0].waits_for == "erqi tournament entropy cup-play HEX"
    assert season.row("cup-play").state is TournamentState.CREATED
    with database.write() as connection:
        commitments.give_entropy(connection, season.row("cup-play"), b"rain")
    host.work()
    assert season.row("cup-play").state is TournamentState.FINISHED
    with database.read() as connection:
        found = commitments.find(connection, season.row("cup-play").id)
    assert found is not None
    assert found.secret is not None


@ON_SQLITE
def test_what_holds_a_competition_up_is_said_and_tried_again(host, told):
    for bot in BOTS[:4]:
        host.submit(bot)
    host.work()
    host.now = CLOSES
    without = Coordinator(host.database, host.queue, clock=lambda: host.now)
    for _ in range(2):
        without.step()
    assert "committed deals need the data directory" in read_status(host.database, "cup").line()
    ((_, data),) = [each for each in told() if each[0] == "competition.problem"]
    assert "committed deals need the data directory" in data["problem"]
    host.work()
    assert host.row().problem == ""
    assert host.places() == EVERYTHING[:4]


@ON_SQLITE
def test_a_file_that_is_no_longer_understood_holds_up_nothing_else(host, season, running):
    other = running(boards=1)
    with host.database.write() as connection:
        connection.execute(update(schema.competitions).values(source="winner = 1"))
    for _ in range(2):
        host.coordinators[0].step()
        while host.queue.matches:
            season.play_match(host.queue.matches.pop(), lambda _entry, _slot: False)
    host.coordinators[0].step()
    assert season.row(other.name).state is TournamentState.FINISHED
    with host.database.read() as connection:
        assert "unknown key winner" in (connection.scalar(select(schema.competitions.c.problem)) or "")


@ON_SQLITE
def test_deadlines_are_moved_while_they_lie_ahead(host):
    def move(phase, instant):
        with host.database.write() as connection:
            return competitions.move(connection, "cup", phase, instant)

    host.work()
    with pytest.raises(UsageError, match="what may be moved is closed, validation, play, finals, revealed"):
        move(Phase.OPEN, OPENS + 5)
    with pytest.raises(UsageError, match=r"finals \(2027-02-04 08:00:00 UTC\) begins before closed"):
        move(Phase.CLOSED, FINALS + 1)
    move(Phase.CLOSED, CLOSES + 100)
    host.now = CLOSES + 50
    host.submit("later")
    host.work()
    assert host.places() == ["open"]
    move(Phase.CLOSED, host.now)
    host.work()
    assert host.places()[:2] == ["open", "closed"]
    with host.database.write() as connection:
        competitions.cancel(connection, "cup", host.now, host.secrets)
    with pytest.raises(UsageError, match="cup is cancelled: there is nothing to move"):
        move(Phase.FINALS, FINALS)


@ON_SQLITE
def test_a_cancelled_competition_plays_nothing_more(host):
    for bot in BOTS[:4]:
        host.submit(bot)
    host.coordinators[0].step()
    for _ in range(2):
        with host.database.write() as connection:
            competitions.cancel(connection, "cup", host.now, host.secrets)
    host.now = REVEALS
    host.work()
    assert host.row().place == Place(Phase.CANCELLED)
    assert {host.season.row(name).state for name in host.tournaments()} == {TournamentState.CANCELLED}
    with pytest.raises(UsageError, match="cup was cancelled"):
        host.submit("other")


@ON_SQLITE
def test_submissions_meet_the_house(host, worker):
    made = host.submit("one")
    assert host.entries(made.validation)[1:4] == ["random@1", "lowest@1", "cautious@1"]
    host.coordinators[0].step()
    claim = claims.take(host.database, host.queue.matches.pop(), worker)
    assert claim is not None
    assert claim.group[0].contestant.name == "one"
    assert claim.group[1].contestant == starter("random")
