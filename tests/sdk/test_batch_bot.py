"""Bots that decide at many tables at once."""

from pathlib import Path

import pytest

from erqiwang import BatchBot, wire
from erqiwang.bots.lowest import LowestBot
from erqiwang.bots.random import RandomBot
from erqiwang.client import play_session
from erqiwang.errors import BotError
from erqiwang.factory import factory_of
from erqiwang.rules import Bid, Play, record_of, verify_record
from erqiwang.testing import play_board
from launched_match import SEED, match_spec, play_match, records_of
from scripted_referee import goodbye, joined, opened, referee, run_bot, turn

SCRIPT = """
import sys
from erqiwang import BatchBot, run
from erqiwang.bots.random import RandomBot
from erqiwang.deciding import decide

class Many(BatchBot):
    largest = 0
    tables = {}

    def table_opened(self, view):
        self.tables[view] = RandomBot()

    def decide_many(self, views):
        self.largest = max(self.largest, len(views))
        return [self.choose(view) for view in views]

    def choose(self, view):
        self.tables[view].random = self.randoms[view]
        return decide(self.tables[view], view)

    def table_over(self, view):
        assert view.settled is not None
        del self.tables[view]

many = Many()
run(many)
assert not many.tables
print(many.largest, file=sys.stderr)
"""


class Cautious(BatchBot):
    """Passes, and plays the fallback."""

    def decide_many(self, views):
        return [view.fallback() for view in views]


def test_it_plays_at_a_referee_as_single_decisions_would(referee_target, tmp_path: Path):
    script = tmp_path / "many.py"
    script.write_text(SCRIPT)
    boards = range(12)
    bots = [str(script), *["-m erqiwang.bots.random"] * 3]
    told, exits = play_match(referee_target, match_spec(boards), bots)
    assert [code for code, _, _ in exits] == [0] * 4
    assert int(exits[0][2]) > 1
    records = records_of(told)
    assert sorted(records) == list(boards)
    for board, record in records.items():
        here = play_board([RandomBot] * 4, board, seed=SEED)
        assert not record.faults
        assert verify_record(record) is None
        assert [trick.plays for trick in record.tricks] == [trick.plays for trick in here.tricks]
        assert record.scores == here.scores


def test_all_decisions_of_a_message_are_one_call_and_one_answer(folder):
    calls, answers = [], []

    class Net(BatchBot):
        def decide_many(self, views):
            calls.append([(view.seat, self.randoms[view].below(1000)) for view in views])
            return [Bid(120 - 5 * number) for number, _ in enumerate(views)]

    def script(requests, context):
        next(requests)
        yield joined()
        yield opened(1)
        yield opened(2)
        yield wire.encode_turns([turn(1, 10), turn(2, 11)])
        answers.extend(next(requests).decisions.decisions)
        yield goodbye()

    with referee(folder, script) as settings:
        play_session(settings, factory_of(Net))
    assert [len(views) for views in calls] == [2]
    assert calls[0][0] == calls[0][1]  # both tables were offered the same seed
    assert [(answer.turn_id, answer.action.bid) for answer in answers] == [(10, 120), (11, 115)]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return [1 // 0]", "ZeroDivisionError"),
        ("return []", "TypeError: decide_many() gave 0 actions for 1 views"),
        ("return [None]", "TypeError: decide_many() gave None where an action was wanted"),
        ("return [Play(('H5',))]", "TypeError: decide_many() gave 'H5' where Card was wanted"),
        ("return [Bid('80')]", "TypeError: bid() gave '80' where int was wanted"),
    ],
)
def test_its_failure_ends_the_process_and_says_where(folder, body, message):
    def script(requests, context):
        next(requests)
        yield joined()
        yield opened(5)
        yield wire.encode_turns([turn(5, 12)])
        list(requests)

    code = (
        f"from erqiwang.rules import Bid, Play\nclass B(BatchBot):\n    def decide_many(self, views): {body}"
    )
    with referee(folder, script) as settings:
        done = run_bot(settings, code)
    assert done.returncode == 70
    assert done.stderr.count("Traceback") == 1
    assert message in done.stderr
    assert done.stderr.splitlines()[-1] == "erqiwang: the bot failed in decide_many at tables 5, turns 12"


def test_it_is_one_object_for_all_tables_unless_a_factory_says_otherwise():
    assert factory_of(Cautious)() is not factory_of(Cautious)()
    one = factory_of(Cautious)
    assert one() is one()
    each = factory_of(lambda: Cautious())
    assert each() is not each()
    assert factory_of(LowestBot) is LowestBot


def test_it_plays_wherever_a_bot_plays():
    class Opens(Cautious):
        def decide_many(self, views):
            return [
                Bid(view.legal_bids()[0]) if isinstance(view.fallback(), Bid) else view.fallback()
                for view in views
            ]

    class Takes(LowestBot):
        def bid(self, view):
            return view.legal_bids()[0]

    together, alone = (play_board([each] * 4, 5) for each in (Opens, Takes))
    assert record_of(together) == record_of(alone)


def test_its_single_methods_ask_the_many():
    seen = []

    class Witness(BatchBot):
        def decide_many(self, views):
            (view,) = views
            seen.append((view.kind.name, self.randoms[view] is self.random))
            return [Bid(view.legal_bids()[0])] if view.legal_bids() else [view.fallback()]

        def table_over(self, view):
            self.last = view.settled

    bot = Witness()

    class Asks(LowestBot):
        def bid(self, view):
            return ask(bot, self, view).bid(view)

        def name_trump(self, view):
            return ask(bot, self, view).name_trump(view)

        def bury(self, view):
            return ask(bot, self, view).bury(view)

        def play(self, view):
            return ask(bot, self, view).play(view)

        def surrender(self, view):
            return ask(bot, self, view).surrender(view)

    def ask(one, other, view):
        one.random = other.random
        return one

    finished = play_board([Asks] * 4, 5)
    assert finished.tricks
    assert {kind for kind, _ in seen} == {"BID", "NAME_TRUMP", "BURY", "PLAY"}
    assert all(is_same for _, is_same in seen)


def test_a_single_method_refuses_another_kind_of_action():
    class Confused(BatchBot):
        def decide_many(self, views):
            return [Play(())]

    class Asks(LowestBot):
        def bid(self, view):
            confused = Confused()
            confused.random = self.random
            return confused.bid(view)

    with pytest.raises(TypeError, match=r"gave Play\(cards=\(\)\) where Bid was wanted"):
        play_board([Asks] * 4, 5)


def test_a_bot_error_names_tables_and_turns(folder):
    class Fails(BatchBot):
        def decide_many(self, views):
            raise OSError("no network")

    def script(requests, context):
        next(requests)
        yield joined()
        yield opened(1)
        yield opened(2)
        yield wire.encode_turns([turn(1, 10), turn(2, 11)])
        list(requests)

    with referee(folder, script) as settings, pytest.raises(BotError) as caught:
        play_session(settings, factory_of(Fails))
    assert str(caught.value) == "in decide_many at tables 1, 2, turns 10, 11"
    assert isinstance(caught.value.__cause__, OSError)
