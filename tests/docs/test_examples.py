"""Every example runs: those of docs/*.md, and those in the docstrings of the packages."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted((ROOT / "docs").glob("*.md"))
MODULES = sorted(
    ".".join(path.relative_to(ROOT / source).with_suffix("").parts)
    for source in ("sdk", "referee", "runner")
    for path in (ROOT / source).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


def examples_in(text: str) -> str:
    """The blocks fenced as `pycon`; every other line is left empty, so that line numbers stay."""
    inside, lines = False, []
    for line in text.splitlines():
        fence = line.startswith("```")
        inside = line == "```pycon" if fence and not inside else inside and not fence
        lines.append(line if inside and not fence else "")
    return "\n".join(lines) + "\n"


def run(test: doctest.DocTest) -> doctest.TestResults:
    report: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not results.failed, "".join(report)
    return results


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_examples_of_the_documents(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(examples_in(text), {}, path.name, str(path), 0)
    assert run(test).attempted == len(re.findall(r"^>>> ", text, re.M))


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_modules(name: str) -> None:
    module = importlib.import_module(name)
    tests = [test for test in doctest.DocTestFinder(exclude_empty=True).find(module) if test.examples]
    assert tests
    for test in tests:
        run(test)


def test_the_rule_book_has_examples() -> None:
    assert "rules.md" in {path.name for path in DOCUMENTS}
    assert sum(name.startswith("erqiwang.rules.") for name in MODULES) >= 5
