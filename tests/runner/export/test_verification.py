from __future__ import annotations

import json
from copy import deepcopy

import pytest

from erqiwang_runner.cli.__main__ import run


def tables(lines):
    return [line for line in lines if line["kind"] == "table"]


@pytest.mark.parametrize("name", ["seeded", "committed"])
def test_an_honest_export_agrees(name, export_of, capsys):
    assert run(["tournament", "verify", str(export_of(name))]) == 0
    said = capsys.readouterr().out
    assert "16 records: played again, scored again, hashed again" in said
    assert "4 board sets have all their tables" in said
    assert "the plan of 4 boards is complete: 4 played\n" in said
    assert "1 group, chosen again from the results before them" in said
    assert "those of standings.json" in said
    assert "not checked: that the bots were the programs" in said
    assert said.endswith("everything agrees\n")
    expected = "seed text 'seed'" if name == "seeded" else "committed secret and the entropy of 'the beacon'"
    assert expected in said


def test_without_records_the_play_is_not_checked(export_of, capsys):
    assert run(["tournament", "verify", str(export_of("seeded", "--no-records")), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["agrees"] is True
    assert "the play of 16 tables: their records are not in the file" in found["not_checked"]


def swap_scores(lines):
    scores = tables(lines)[3]["scores"]
    scores[:] = scores[1:] + scores[:1]


def swap_hands(lines):
    hands = tables(lines)[0]["record"]["hands"]
    hands[0], hands[1] = hands[1], hands[0]


def swap_seats(lines):
    entries = tables(lines)[5]["entries"]
    entries[0], entries[1] = entries[1], entries[0]


def swap_columns(lines):
    columns = tables(lines)[5]["columns"]
    columns[0], columns[1] = columns[1], columns[0]


def another_trick(lines):
    record = tables(lines)[2]["record"]
    record["tricks"][0]["winner"] = (record["tricks"][0]["winner"] + 1) % 4


def another_record(lines):
    first, second = tables(lines)[:2]
    first["record"]["id"], second["record"]["id"] = second["record"]["id"], first["record"]["id"]


def another_deal(lines):
    for line in tables(lines)[:4]:
        line["deal_index"] = 9


def set_field(place, name, value):
    def edit(lines):
        tables(lines)[place][name] = value

    return edit


def drop_set(lines):
    kept = [line for line in lines if line.get("n") != 2]
    kept[0]["tables"] = 12
    return kept


def drop_table(lines):
    del lines[4]
    lines[0]["tables"] = 15


def twice(lines):
    lines[1:1] = [deepcopy(line) for line in lines[1:5]]


def other_seed(lines):
    lines[0]["seed"] = "another"


def other_group(lines):
    lines[0]["groups"] = [[0, 2, 1, 3]]
    for line in tables(lines):
        line["entries"] = [{1: 2, 2: 1}.get(each, each) for each in line["entries"]]


def other_format(lines):
    lines[0]["schedule"]["rule"] = "swiss"


def other_declarer(lines):
    line = tables(lines)[0]
    line["declarer"] = (line["declarer"] + 1) % 4


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (swap_scores, "but its record ends with"),
        (swap_hands, "seat 0 was dealt"),
        (swap_seats, "on its seats instead of"),
        (swap_columns, "columns"),
        (another_trick, "its record breaks the rules"),
        (another_record, "its record is that of table"),
        (another_deal, "but the plan gives its board deal 0"),
        (set_field(0, "moves_hash", "0" * 64), "another moves hash"),
        (set_field(0, "deal_hash", "0" * 64), "another deal hash"),
        (other_declarer, "in its record"),
        (drop_set, "1 boards are neither played nor given up, the first is 2"),
        (drop_table, "3 tables instead of 4"),
        (twice, "there twice"),
        (other_seed, "deal 0 has another deal hash"),
        (other_group, "met, but the results before it make"),
        (other_format, "rounds of [1] groups instead of [1, 1, 1, 1, 1]"),
    ],
    ids=lambda each: getattr(each, "__name__", str(each)),
)
def test_what_was_changed_is_found(edit, said, export_of, change, capsys):
    folder = export_of("seeded")
    change(folder, edit)
    assert run(["tournament", "verify", str(folder)]) == 1
    out = capsys.readouterr().out
    assert "the first of" in out
    assert said in out.splitlines()[-1]


def test_a_rating_that_does_not_follow_from_the_boards_is_found(export_of, capsys):
    file = export_of("seeded") / "standings.json"
    found = json.loads(file.read_text())
    found["tables"][0]["rows"][0]["elo"]["value"] += 1
    file.write_text(json.dumps(found))
    assert run(["tournament", "verify", str(file.parent)]) == 1
    assert "standings.json: tables.0.rows.0.elo.value is claimed to be" in capsys.readouterr().out


def test_without_claimed_ratings_that_is_said(export_of, capsys):
    (folder := export_of("seeded")).joinpath("standings.json").unlink()
    assert run(["tournament", "verify", str(folder)]) == 0
    assert "there is no standings.json beside the file" in capsys.readouterr().out


def other_secret(lines):
    lines[0]["commitment"]["secret"] = "11" * 32


def other_manifest(lines):
    commitment = lines[0]["commitment"]
    commitment["manifest"] = commitment["manifest"].replace('"boards":4', '"boards":3')


def other_schedule(lines):
    lines[0]["schedule"]["round_look_back"] = 7


def other_bot(lines):
    lines[0]["entries"][0]["artefact_hash"] = "f" * 64


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (other_secret, "the revealed secret is not the one that was committed to"),
        (other_manifest, "boards: the manifest says 3, the export 4"),
        (other_bot, "artefact_hash of entry 0"),
        (other_schedule, "schedule.round_look_back: the manifest says 0, the export 7"),
    ],
)
def test_what_does_not_fit_the_commitment_is_found(edit, said, export_of, change, capsys):
    folder = export_of("committed")
    change(folder, edit)
    assert run(["tournament", "verify", str(folder), "--json"]) == 1
    assert any(said in each for each in json.loads(capsys.readouterr().out)["differences"])


def test_what_does_not_say_its_schedule_is_not_checked_for_it(export_of, change, capsys):
    folder = export_of("seeded")
    change(folder, lambda lines: lines[0].pop("schedule") and None)
    assert run(["tournament", "verify", str(folder)]) == 0
    assert "not checked: how the groups were chosen" in capsys.readouterr().out


def test_before_the_reveal_the_deals_are_not_checked(export_of, change, capsys):
    folder = export_of("committed")
    change(folder, lambda lines: lines[0]["commitment"].update(secret=None))
    assert run(["tournament", "verify", str(folder)]) == 0
    assert "not checked: the deals: a commitment whose secret is not revealed yet" in capsys.readouterr().out
