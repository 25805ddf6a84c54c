from __future__ import annotations

from dataclasses import replace

import pytest

from erqiwang.deals import deal_board
from erqiwang.rules import Fault, FaultCause, FaultPoint, Phase, apply, fallback, open_table, record_of
from erqiwang_runner.match_plan import plan_match
from erqiwang_runner.set_collector import MatchVoid, SetCollector, exit_text, last_words

AT = FaultPoint(Phase.PLAY, 3, 1)


class Table:
    """A match whose tables are all passed out."""

    def __init__(self, claim) -> None:
        self.plan = plan_match(claim)
        self.collector = SetCollector(self.plan, lambda player: f"log of {player.index}")

    def record(self, index, *, faults=()):
        table = self.plan.tables[index]
        profile = self.plan.claim.conditions.profile
        state, _ = open_table(profile, (deal_board(profile, table.board_seed),))
        while (turn := state.turn) is not None:
            state, _ = apply(state, turn.seat, fallback(state))
        return record_of(state, id=self.plan.record_id(table), faults=faults)

    def finish(self, *indices, forfeited=()):
        return [
            played
            for index in indices
            for played in self.collector.table_finished(index, self.record(index), forfeited)
        ]


@pytest.fixture
def table(make_claim):
    return Table(make_claim(boards=2))


def fault(cause=FaultCause.CRASHED) -> Fault:
    return Fault(0, cause, None, AT, "what happened")


def test_a_referee_of_other_rules_voids_the_attempt(table):
    record = replace(table.record(0), rules_version="0.9.0")
    with pytest.raises(MatchVoid, match=r"the referee plays rules 0\.9\.0, this worker "):
        table.collector.table_finished(0, record, ())


def test_a_set_comes_out_when_its_last_table_is_there(table):
    assert table.finish(0, 1, 4, 3) == []
    (played,) = table.finish(2)
    assert played.slot.n == 0
    assert [each.result.table for each in played.tables] == [0, 1, 2, 3]
    assert not table.collector.is_complete
    assert [each.slot.n for each in table.finish(5, 6, 7)] == [1]
    assert table.collector.is_complete


def test_forfeits_are_marked_by_seat(table):
    table.finish(0, 1, 2)
    (played,) = table.finish(3, forfeited=(1, 2))
    assert played.tables[3].result.forfeits == (False, True, True, False)
    assert played.tables[0].result.forfeits == (False,) * 4


def test_faults_go_with_their_set_and_have_the_log_of_the_player(table):
    player = table.plan.tables[0].players[2]
    table.collector.player_faulted(player.index, 0, fault())
    table.collector.player_faulted(player.index, 4, fault(FaultCause.ILLEGAL))
    (played,) = table.finish(0, 1, 2, 3)
    (note,) = played.faults
    assert (note.entry, note.cause, note.table) == (player.entry.number, FaultCause.CRASHED, 0)
    assert note.log == f"log of {player.index}"
    (other,) = table.collector.other_faults()
    assert other.cause is FaultCause.ILLEGAL


def test_a_platform_fault_makes_the_match_void(table):
    with pytest.raises(MatchVoid, match="what happened"):
        table.collector.player_faulted(0, None, fault(FaultCause.PLATFORM))
    record = table.record(0, faults=(fault(FaultCause.PLATFORM),))
    with pytest.raises(MatchVoid, match="t/0/0/0/0/0: what happened"):
        table.collector.table_finished(0, record, ())


def test_one_contestant_that_never_joins_is_to_blame(table):
    copies = [player for player in table.plan.players if player.entry.number == 1]
    for player in copies:
        table.collector.player_faulted(player.index, None, fault(FaultCause.NEVER_JOINED))
    table_sets = table.finish(0, 1, 2, 3)
    assert table_sets == [], "held back until it is certain"
    assert [each.slot.n for each in table.collector.held_sets()] == [0]
    assert len(table.collector.other_faults()) == 4


def test_two_contestants_that_never_join_are_not(make_claim, python_bot):
    table = Table(make_claim(*(python_bot(f"bot{number}", "") for number in range(4))))
    table.collector.player_faulted(0, None, fault(FaultCause.NEVER_JOINED))
    with pytest.raises(MatchVoid, match="bot0@1 and bot1@1 never joined"):
        table.collector.player_faulted(1, None, fault(FaultCause.NEVER_JOINED))


def test_a_table_under_a_wrong_name_is_refused(table):
    wrong = replace(table.record(0), id="t/0/0/1/0/0")
    with pytest.raises(MatchVoid, match="sent table"):
        table.collector.table_finished(0, wrong, ())


def test_tables_and_players_that_do_not_exist_are_refused(table):
    with pytest.raises(MatchVoid, match="table 8"):
        table.collector.table_finished(8, table.record(0), ())
    with pytest.raises(MatchVoid, match="player 16"):
        table.collector.player_faulted(16, None, fault())


def test_a_player_is_needed_until_its_last_table(table):
    player = table.plan.tables[0].players[0]
    assert table.collector.is_needed(player)
    table.finish(0)
    assert table.collector.is_needed(player)
    table.finish(4)
    assert not table.collector.is_needed(player)


def test_last_words_hold_command_ending_and_output():
    assert (
        last_words(("python", "bot.py"), exit_text(3, None), "boom\n") == "python bot.py\nexit code 3\nboom"
    )
    assert exit_text(None, 9) == "killed by signal 9"
