from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree

from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.plots.history import rating_history
from erqiwang_runner.results import Entry, FaultPolicy, Tournament

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
