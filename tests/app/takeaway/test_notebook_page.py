"""backwire.page: the page of a Value in the output of a notebook's cell, and pages without Qt."""

import os
import subprocess
import sys
from base64 import b64decode
from html import escape
from pathlib import Path
from typing import Any

import pytest

from app.takeaway.notebook_page import HTML, page
from engine import EngineError, FormatError, Value
from engine.formats import report, value_display
from engine.formats.value_display import SVG, TEXT
from tests.helpers.exported import Tags, data_of

ROOT = Path(__file__).resolve().parents[3]
WITHOUT_QT = """
import sys
sys.modules["PySide6"] = None  # to import it, or of it, raises ImportError
from backwire import Value, page
p, q = Value(2.0), Value(-3.0)
total = p * q
shown = page(total)
shown.save(sys.argv[1])
print(shown, sorted(shown._repr_mimebundle_()))
from backwire.app.__main__ import main
for source in ("examples/shared-leaf.backwire", "lessons/two-paths.toml"):
    asked = () if source.endswith(".toml") else ("--ask", "last")
    print(main(["export", f"resources/{source}", *asked, "-o", sys.argv[1] + ".html"]))
"""


def value(label: str = "a") -> Value:
    a, b = Value(2.0, label=label), Value(-3.0, label="b")
    found = a * b + a
    found.label = "L"
    return found


def test_pages_are_made_where_there_is_no_qt(tmp_path):
    path = tmp_path / "x.html"
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_QT, str(path)],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith("QT")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[0] == (
        f"<page of total; .save(filename) writes it> ['{SVG}', '{HTML}', '{TEXT}']"
    )  # named as the program names it
    assert said[2::2] == ["0", "0"]
    nodes = data_of(path.read_text("utf-8"))["graphs"][0]["nodes"]
    assert [node["name"] for node in nodes if node["kind"] == "leaf"] == ["p", "q"]


def test_a_cell_holds_the_file_and_nothing_that_is_requested(tmp_path):
    hostile = "<b>'\"&amp;"
    made = page(value(hostile), step=4)
    made.save(tmp_path / "L.html")
    assert (tmp_path / "L.html").read_text("utf-8") == made.text
    found = Tags(made._repr_html_())
    (frame,) = [of for tag, of in found.elements if tag == "iframe"]
    assert frame["srcdoc"] == made.text
    assert frame["sandbox"] == "allow-scripts"
    assert "src" not in frame
    assert frame["title"] == "Backwire: L"
    (main,) = [of for tag, of in Tags(made.text).elements if tag == "main"]
    assert main["data-opening"] == "#step=4"
    root = value()
    root.label = hostile
    (frame,) = [
        of for tag, of in Tags(page(root, ask="none")._repr_html_()).elements if tag == "iframe"
    ]
    assert frame["title"] == f"Backwire: {hostile}"


def test_where_frames_are_removed_the_picture_stays(monkeypatch):
    root = value()
    shown = page(root, ask="none")
    bundle = shown._repr_mimebundle_()
    assert bundle[SVG] == root._repr_svg_()
    inside = bundle[HTML].partition(" title=")[2]
    assert "Trust this notebook, or run the cell, to step through L." in inside
    picture = inside.partition(f'src="data:{SVG};base64,')[2].partition('"')[0]
    assert b64decode(picture).decode() == bundle[SVG]

    def fails(*_arguments: object) -> bytes:
        raise EngineError("Graphviz is missing.")

    monkeypatch.setattr(value_display, "render", fails)
    bundle = shown._repr_mimebundle_()
    assert bundle.keys() == {HTML, TEXT}
    assert "<img" not in bundle[HTML]
    assert bundle[TEXT].endswith("The picture is left out: Graphviz is missing.")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"root": 3}, "What a page shows is a Value, not 3."),
        ({"ask": "some"}, "A page asks none, last, sums, all, not 'some'."),
        ({"step": 0, "ask": "none"}, "This page has 8 steps, and no step 0."),
        ({"step": 9, "ask": "none"}, "This page has 8 steps, and no step 9."),
        ({"step": "4", "ask": "none"}, "This page has 8 steps, and no step '4'."),
        ({"theme": "blue"}, "A page is auto, light, dark, not 'blue'."),
        ({"height": 0}, "A page is some px high, such as 560, not 0."),
        ({"height": -5}, "A page is some px high, such as 560, not -5."),
        ({"height": "640"}, "A page is some px high, such as 560, not '640'."),
        ({"mistakes": ["assign"]}, 'A page that offers mistakes asks nothing: ask="none".'),
        ({"mistakes": "x", "ask": "none"}, "There is no mistake called x; there are assign, "),
    ],
)
def test_what_is_no_page_is_one_sentence(given: dict[str, Any], says: str):
    with pytest.raises(EngineError) as refused:
        page(**{"root": value(), **given})
    assert str(refused.value).startswith(says)


def test_a_page_is_dark_where_its_notebook_is():
    assert '<html lang="en" data-theme="dark">' in page(value(), ask="none", theme="dark").text


def test_the_reader_may_be_offered_mistakes():
    names = ["assign", "recursive"]
    several = page(value(), ask="none", mistakes=[*names, "assign"]).text
    assert [each["name"] for each in data_of(several)["mistakes"]] == names
    assert "data-opening" not in several
    one = page(value(), ask="none", step=3, mistakes="assign").text
    assert [each["name"] for each in data_of(one)["mistakes"]] == ["assign"]
    assert 'data-opening="#step=3&amp;mistake=assign"' in one, "it is chosen at first"


def test_a_saved_page_is_called_as_its_file(tmp_path: Path):
    hostile = "Two paths <b>&amp;"
    page(value(), step=4).save(tmp_path / f"{hostile}.html")
    text = (tmp_path / f"{hostile}.html").read_text("utf-8")
    data = data_of(text)
    assert f"<title>{escape(hostile)}</title>" in text
    assert 'data-opening="#step=4"' in text
    record = data["record"]
    handed_in = report.read(f"{record['head']}{record['body']}\n}}\n")
    assert (data["title"], handed_in.title) == (hostile, hostile)
    assert record["page"] != data_of(page(value()).text)["record"]["page"], "its code, too"


def test_a_page_is_saved_as_what_it_is(tmp_path: Path):
    with pytest.raises(FormatError, match=r"x\.png can't be written: a page is a file \.html\."):
        page(value(), ask="none").save(tmp_path / "x.png")
    assert list(tmp_path.iterdir()) == []
