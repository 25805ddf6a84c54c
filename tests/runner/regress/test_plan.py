from __future__ import annotations

import json

import pytest

from erqiwang_runner.errors import UsageError
from erqiwang_runner.regress.plan import RegressSettings, folder_of, hashes_of, plan_test, question_of
from erqiwang_runner.regress.summary import answer, markdown
from erqiwang_runner.regress.watch import Watch
from erqiwang_runner.sequential import Question


def settings(folder, **more):
    return RegressSettings(**{"new": "counter", "old": "random", "switches": {}, "out": folder, **more})


def test_the_plan_has_room_for_boards_that_are_left_out(tmp_path):
    planned = plan_test(settings(tmp_path / "t", delta=0.1))
    assert planned.test.limit == 2604
    assert planned.spec.boards == 2606
    assert planned.spec.set_type == "pair22"
    assert plan_test(settings(tmp_path / "u", profile="jiangxi")).spec.set_type in ("pair21", "pair22")


def test_three_seats_are_played_as_pairs_of_three(tmp_path):
    for slug in ("classic", "mobile", "qq", "jiangxi"):
        planned = plan_test(settings(tmp_path / slug, profile=slug))
        assert planned.spec.set_type == ("pair21" if planned.spec.rules.seats == 3 else "pair22")


def test_seen_boards_answer_no_other_question(tmp_path):
    plan_test(settings(tmp_path))
    plan_test(settings(tmp_path))
    assert question_of(tmp_path) == (Question.GAIN, 0.1)
    with pytest.raises(UsageError, match="cannot answer another question"):
        plan_test(settings(tmp_path, delta=0.2))
    with pytest.raises(UsageError, match="cannot answer another question"):
        plan_test(settings(tmp_path, question=Question.NO_REGRESSION))
    with pytest.raises(UsageError, match=r"not between 0\.001 and 1"):
        plan_test(settings(tmp_path, delta=0.0))


def test_a_changed_bot_begins_another_test(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("one")
    before = hashes_of(str(bot), "random", (), "classic")
    bot.write_text("two")
    after = hashes_of(str(bot), "random", (), "classic")
    assert before[1] == after[1]
    assert folder_of({"compared": before}) != folder_of({"compared": after})


def test_a_summary_can_be_pasted(test_of, boards_of):
    report = Watch(test_of(), boards_of(80, lead=3)).report()
    text = "\n".join(markdown(report, "new@2", "old@1", "classic, pair22", "erqi regress new old"))
    assert text.startswith("**new@2** against **old@1**: **better**\n\n| question |")
    assert "direction, not the size" in text
    header, rule, row = text.splitlines()[2:5]
    assert header.count("|") == rule.count("|") == row.count("|")


@pytest.mark.parametrize(
    ("question", "lead", "said"),
    [
        (Question.GAIN, 3, "better"),
        (Question.GAIN, -3, "no gain"),
        (Question.NO_REGRESSION, 3, "no regression"),
        (Question.NO_REGRESSION, -3, "regression"),
    ],
)
def test_answers_in_words(question, lead, said, test_of, boards_of):
    assert answer(Watch(test_of(question), boards_of(80, lead=lead)).report()) == said


def test_answers_without_a_verdict(test_of, boards_of):
    assert answer(Watch(test_of(), boards_of(12)).report()) == "inconclusive"
    spoilt = dict.fromkeys((0, 1, 2), 1)
    report = Watch(test_of(), boards_of(12, spoilt=spoilt)).report()
    assert answer(report) == "invalid"
    json.dumps(report.to_object(), allow_nan=False)
