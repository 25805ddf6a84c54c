"""What a bot still knows after its stream broke: no history tells a declarer again what it buried."""

import grpc
import pytest

from erqiwang import wire
from erqiwang.bots.lowest import LowestBot
from erqiwang.client import play_session
from erqiwang.deals import board_seed, deal_board, master_key
from erqiwang.rules import Bid, NameTrump, Trump, apply, get_profile, open_table
from scripted_referee import goodbye, joined, opened, referee


class Table:
    """A table whose seat 0 is the declarer, and everything that was public so far."""

    def __init__(self):
        profile = get_profile("classic")
        deal = deal_board(profile, board_seed(master_key("client"), 0))
        self.state, events = open_table(profile, (deal,))
        self.events = [*events]
        for seat, action in [(0, Bid(0)), (0, NameTrump(Trump.SPADES))]:
            self.act(seat, action)

    def act(self, seat, action):
        self.state, events = apply(self.state, seat, action)
        self.events += events

    def play(self, least):
        """Let everybody play the fallback, at least so often, until it is the turn of seat 0."""
        while least > 0 or self.state.turn.seat != 0:
            self.act(self.state.turn.seat, self.state.choice.fallback())
            least -= 1

    def turn(self, turn_id):
        """Ask seat 0, with all that happened."""
        turn = self.state.turn
        assert turn.seat == 0
        wanted = wire.WantedTurn(
            table_id=1,
            turn_id=turn_id,
            kind=turn.kind,
            may_surrender=turn.may_surrender,
            hand=self.state.hand(0),
            events=[wire.encode_event(event) for event in self.events],
            fallback=self.state.choice.fallback(),
            move_limit_ms=1000,
        )
        return wire.encode_turns([wire.encode_turn(wanted)])


@pytest.mark.parametrize("missed", [0, 1, 4, 9])
def test_a_declarer_that_comes_back_knows_what_it_buried(folder, missed):
    """However many plays were made meanwhile, some of them in its place, and though it breaks twice."""
    table, told, knows, joins = Table(), [], [], []

    class Remembering(LowestBot):
        def bury(self, view):
            told.extend(super().bury(view))
            return tuple(told)

        def play(self, view):
            knows.append(view.buried)
            return super().play(view)

    def script(requests, context):
        joins.append(next(requests).join)
        if len(joins) == 1:
            yield joined()
            yield opened()
            yield table.turn(1)
            (answer,) = next(requests).decisions.decisions
            table.act(0, wire.action_from_wire(answer.action, Bid(None)))
            context.abort(grpc.StatusCode.UNAVAILABLE, "cut")
        yield joined()
        yield opened()
        if len(joins) == 2:
            context.abort(grpc.StatusCode.UNAVAILABLE, "cut again")
        table.play(missed)
        yield table.turn(2)
        next(requests)
        yield goodbye()

    with referee(folder, script) as settings:
        play_session(settings, Remembering)
    assert len(told) == 8
    assert [sorted(cards) for cards in knows] == [sorted(told)]
