"""Whatever the code cites from the rule book stands in docs/rules.md."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BOOK = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
ANCHORS = re.findall(r'<a id="([^"]+)"></a>', BOOK)
# No decision was ever taken under these numbers.
UNUSED = {26, 27}


def code() -> list[Path]:
    sources = [ROOT / name for name in ("sdk", "referee", "runner", "proto", "bench", "tests")]
    return sorted(
        path for source in sources for suffix in ("py", "proto", "md") for path in source.rglob(f"*.{suffix}")
    )


def cited(pattern: str) -> dict[str, str]:
    """What the code cites, and one file that does."""
    found = {}
    for path in code():
        for match in re.findall(pattern, path.read_text(encoding="utf-8")):
            found.setdefault(match, str(path.relative_to(ROOT)))
    return found


def missing(citations: dict[str, str]) -> dict[str, str]:
    return {name: path for name, path in citations.items() if name.lower() not in ANCHORS}


def test_every_cited_ruling_is_explained() -> None:
    rulings = cited(r"(?<![A-Za-z0-9])R-\d\db?(?![0-9])")
    assert len(rulings) > 50
    assert missing(rulings) == {}


def test_every_cited_contradiction_is_explained() -> None:
    contradictions = cited(r"(?<![A-Za-z0-9-])C-\d{1,2}(?![0-9])")
    assert contradictions
    assert missing(contradictions) == {}


def test_every_cited_statement_is_quoted() -> None:
    statements = cited(r"\b(00[0-4] no\. \d+)")
    assert {name: path for name, path in statements.items() if f"| {name} |" not in BOOK} == {}


def test_every_cited_section_exists() -> None:
    sections = cited(r"rule book (\d(?:\.\d+)?)")
    headings = set(re.findall(r"^#+ (\d(?:\.\d+)?)\.? ", BOOK, re.M))
    assert {name: path for name, path in sections.items() if name not in headings} == {}


def test_every_ruling_stands_once_and_in_order() -> None:
    assert [name for name, times in Counter(ANCHORS).items() if times > 1] == []
    rulings = [name for name in ANCHORS if name.startswith("r-")]
    assert rulings == sorted(rulings)
    assert {int(name[2:4]) for name in rulings} == set(range(1, 76)) - UNUSED


@pytest.mark.parametrize("anchor", [name for name in ANCHORS if name.startswith("r-")])
def test_every_ruling_has_question_decision_and_reason(anchor: str) -> None:
    _, _, rest = BOOK.partition(f'<a id="{anchor}"></a>')
    entry = rest.partition("<a id=")[0].partition("\n#")[0]
    question = re.match(r"\*\*(R-\d\db?) · [^*]+\?\*\*\n(.+?)\*Why:\*\s.+", entry, re.S)
    assert question is not None
    assert question[1].lower() == anchor
    assert len(question[2]) > 10


def test_every_link_within_the_book_leads_somewhere() -> None:
    headings = {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.+)$", BOOK, re.M)
    }
    links = re.findall(r"\]\(#([^)]+)\)", BOOK)
    assert len(links) > 20
    assert [link for link in links if link not in headings and link not in ANCHORS] == []


def test_lines_are_short() -> None:
    numbered = enumerate(BOOK.splitlines(), 1)
    assert [number for number, line in numbered if len(line) > 120 and not line.startswith("|")] == []
