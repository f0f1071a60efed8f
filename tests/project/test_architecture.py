"""The pages that explain the tree show it as it is: pictures, and paths that are there."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "architecture.md"
PAGES = (DOCUMENT, ROOT / "CONTRIBUTING.md")
MOST_LINES = 130
"""Two pages, without the pictures' own text."""

SPAN = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"(?:[\w<>.-]+/)+(?:[\w<>.-]+)?|[\w<>-]+\.(?:py|md|toml|backwire)")
LISTED = re.compile(r"[\w.]+(?:/|\.py)(?=[\s;:]|$)")
MADE = {".venv/bin/python"}


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import rooms

    return rooms


@pytest.fixture(scope="module")
def all_imports() -> list[tuple[str, str]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "packaging")
        import rooms

        return list(rooms.imports(ROOT))


def edges(text: str) -> dict[str, set[str]]:
    """What the picture of a Mermaid chart says: each box with those its arrows lead to."""
    found: dict[str, set[str]] = {}
    for line in text.splitlines():
        here, *there = re.findall(r'\["([^"]+)"\]', line) or [""]
        if here:
            found.setdefault(here, set()).update(there)
    return found


def reached(drawn: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    todo = [start]
    while todo:
        fresh = drawn[todo.pop()] - seen
        seen |= fresh
        todo += fresh
    return seen


@pytest.mark.parametrize("name", ["program", "engine", "canvas"])
def test_the_arrows_are_the_imports_and_lead_round_in_no_circle(
    rooms: ModuleType, all_imports: list[tuple[str, str]], name: str
):
    text = DOCUMENT.read_text("utf-8")
    drawn = edges(text.split(f"<!-- {name}: ")[1].split("<!-- end -->")[0])
    true = rooms.rooms(all_imports, rooms.PICTURES[name])
    assert set(drawn) == set(true)
    for room, others in drawn.items():
        assert others <= true[room], f"{room} does not import from {others - true[room]}"
        assert true[room] <= reached(drawn, room)
        assert room not in reached(drawn, room)


def test_the_pictures_are_as_the_script_draws_them(
    rooms: ModuleType, all_imports: list[tuple[str, str]]
):
    text = DOCUMENT.read_text("utf-8")
    assert rooms.drawn(text, all_imports) == text, "python3 packaging/rooms.py"


def test_a_new_import_makes_another_picture(rooms: ModuleType, tmp_path: Path):
    for name, line in {"style/a.py": "", "panels/b.py": "def f():\n    import app.style.a"}.items():
        file = tmp_path / "app" / name
        file.parent.mkdir(parents=True)
        file.write_text(line)
    (tmp_path / "app" / "style" / "__init__.py").touch()
    found = rooms.rooms(rooms.imports(tmp_path), rooms.program_room)
    assert rooms.arrows(found) == [("panels", "style")]
    (tmp_path / "app" / "style" / "a.py").write_text("from app.panels.b import f")
    later = rooms.rooms(rooms.imports(tmp_path), rooms.program_room)
    assert rooms.picture(later) != rooms.picture(found)


def paths(text: str) -> Iterator[str]:
    """The paths in a page's code spans, and in its map, where two spaces mean a folder deeper."""
    for span in SPAN.findall(text):
        yield from (found for found in PATH.findall(span) if "//" not in span)
    for block in re.findall(r"```\n(.*?)```", text, re.DOTALL):
        folder = ""
        for line in block.splitlines():
            if line.startswith("python3 "):
                yield from PATH.findall(line.split("   ")[0])
            elif line and not line.startswith("   "):
                here = line.lstrip()
                start = folder if line.startswith(" ") else ""
                names = re.split(r" {2,}", here)[0].split()
                yield from (start + found for found in names if LISTED.fullmatch(found))
                folder = folder if line.startswith(" ") else names[0]


def missing(text: str) -> list[str]:
    """The paths in a page that are not there; of a `<name>` its folder must be."""
    found = {path.split("<")[0] for path in paths(text)} - MADE
    return sorted(path for path in found if not (ROOT / path).exists())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_no_path_that_is_not_there(page: Path):
    assert len(set(paths(page.read_text("utf-8")))) > 20
    assert missing(page.read_text("utf-8")) == []


def test_a_path_that_is_not_there_is_found():
    text = (
        "`engine/gone.py` and `python3 run.py gone/`\n```\nengine/    it\n  op.py gone.py  two\n```"
    )
    assert missing(text) == ["engine/gone.py", "gone/"]
    text = (
        "`engine/ops/<family>.py`, `nowhere/<name>.py`, `RULES`\n```\ntests/    x\n  nope/   y\n```"
    )
    assert missing(text) == ["nowhere/", "tests/nope/"]


def test_the_document_has_two_pages_at_most():
    lines = DOCUMENT.read_text("utf-8").splitlines()
    assert len([line for line in lines if not line.startswith("    r")]) <= MOST_LINES
