from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from random import Random

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.plots.history import draw_history, rating_history
from erqiwang_runner.plots.llr import draw_llr
from erqiwang_runner.plots.standings import draw_crosstable, draw_elo
from erqiwang_runner.regression import RegressionTest
from erqiwang_runner.results import Entry, EntryRole, FaultPolicy, Tournament
from erqiwang_runner.sequential import Hypotheses, Question
from erqiwang_runner.standings import standings_of

TOURNAMENT = Tournament("t", "classic", "klein4", "pool", FaultPolicy.FORFEIT, 24)
ENTRIES = [Entry(number, f"bot{number}@1") for number in range(5)]


def test_pictures_of_an_export_in_both_formats_and_always_the_same(export_of, tmp_path, capsys):
    folder = export_of("seeded")
    assert run(["plot", str(folder), "--out", str(tmp_path / "one")]) == 0
    assert run(["plot", str(folder), "--out", str(tmp_path / "two"), "--format", "svg"]) == 0
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == [f"{name}.{kind}" for name in ("crosstable", "elo", "history") for kind in ("png", "svg")]
    for name in names:
        content = (tmp_path / "one" / name).read_bytes()
        if name.endswith(".png"):
            assert content.startswith(b"\x89PNG\r\n")
        else:
            assert content == (tmp_path / "two" / name).read_bytes()
            assert ElementTree.fromstring(content).tag.endswith("svg")
            assert b"bot1@1" in content


def test_without_matplotlib_one_line_says_what_to_install(export_of, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(["plot", str(export_of("seeded")), "--out", str(tmp_path / "out")]) == 69
    assert "pip install 'erqiwang[plots]'" in capsys.readouterr().err


def test_an_unknown_format_is_refused(export_of, tmp_path):
    assert run(["plot", str(export_of("seeded")), "--out", str(tmp_path), "--format", "gif"]) == 64


def test_points_are_taken_only_where_all_groups_have_played_equally(play_set):
    def scores(n, table, entries):
        return [3 * entry - sum(entries) + entry for entry in entries]

    boards = [play_set("klein4", (0, 1, 2, 3), n, scores) for n in range(6)]
    boards += [play_set("klein4", (1, 2, 3, 4), n, scores, group_id=1) for n in range(4)]
    fits = rating_history(TOURNAMENT, ENTRIES, boards[::-1])
    assert [fit.boards for fit in fits] == [1, 2, 3, 4]
    assert set(fits[0].elo) == {0, 1, 2, 3, 4}
    assert fits[-1].elo[4][0] > fits[-1].elo[0][0]


@pytest.fixture
def texts(monkeypatch):
    """What words stand in the pictures that are saved, with the room that they take, and each picture's size.

    Numbers are left out: matplotlib keeps those beyond the ends of an axis, and does not draw them.
    """
    saved = []

    def look(figure, file, **options):
        figure.draw_without_rendering()
        written = [each for each in figure.findobj(Text) if any(map(str.isalpha, each.get_text()))]
        boxes = {each: each.get_window_extent() for each in written}
        saved.append((figure.bbox, boxes))

    monkeypatch.setattr(Figure, "savefig", look)
    return saved


def lie_apart(boxes):
    found = [box for box in boxes if box.width > 0]
    return all(
        Bbox.intersection(one, other) is None or min(_overlap(one, other)) <= 1
        for place, one in enumerate(found)
        for other in found[:place]
    )


def _overlap(one, other):
    both = Bbox.intersection(one, other)
    return both.width, both.height


@pytest.mark.parametrize(("bots", "name"), [(4, "b"), (24, "a-bot-of-an-author-with-a-really-long-name")])
def test_nothing_is_cut_off_and_no_names_overlap(bots, name, play_set, texts, tmp_path):
    roles = {bots - 1: EntryRole.ANCHOR, bots - 2: EntryRole.ANCHOR}
    entries = [
        Entry(number, f"{name}-{number}@2026.12-rc1", roles.get(number, EntryRole.CONTESTANT))
        for number in range(bots)
    ]
    luck = Random(1)

    def scores(n, table, group):
        raw = [luck.randint(-9, 9) + entry for entry in group]
        return [4 * each - sum(raw) for each in raw]

    groups = [tuple(luck.sample(range(bots), 4)) for _ in range(2 * bots)]
    boards = [
        play_set("klein4", group, n, scores, group_id=place)
        for place, group in enumerate(groups)
        for n in range(2)
    ]
    (table,) = standings_of(TOURNAMENT, entries, boards, {}).tables
    title = "a-tournament-with-a-name-of-as-many-letters-as-a-name-may-have-64"
    file = tmp_path / "picture.png"
    draw_elo(table, title, file)
    draw_crosstable(table, title, file)
    draw_history(rating_history(TOURNAMENT, entries, boards), entries, title, file)
    pair = [play_set("pair22", (0, 1), n, scores) for n in range(60)]
    test = RegressionTest(0, 1, 24, Question.GAIN, Hypotheses.asking(Question.GAIN, 0.2))
    draw_llr(test, pair, f"{entries[0].bot} against {entries[1].bot}", file)
    assert len(texts) == 4
    for page, boxes in texts:
        for text, box in boxes.items():
            assert page.x0 - 1 <= box.x0 <= box.x1 <= page.x1 + 1, text
            assert page.y0 - 1 <= box.y0 <= box.y1 <= page.y1 + 1, text
        names = [box for text, box in boxes.items() if name in text.get_text() and text.get_rotation() == 0]
        assert len(names) >= 1
        assert lie_apart(names)


def test_a_test_without_any_luck_is_drawn_too(play_set, tmp_path):
    def scores(n, table, group):
        return [1 if entry == 0 else -1 for entry in group]

    boards = [play_set("pair22", (0, 1), n, scores) for n in range(40)]
    test = RegressionTest(0, 1, 24, Question.GAIN, Hypotheses.asking(Question.GAIN, 0.2))
    draw_llr(test, boards, "one against another", tmp_path / "llr.svg")
    assert (tmp_path / "llr.svg").stat().st_size > 1000
