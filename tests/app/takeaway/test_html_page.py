"""One file, whose bytes, size and policy are as promised, whatever stands in its labels."""

import os
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape

import pytest
from msgspec.structs import replace

from app.document.examples import FOLDER
from app.lessons.course import FOLDER as LESSON_FOLDER
from app.lessons.course import course as course_listed
from app.lessons.load import lesson
from app.style.theme import DARK, LIGHT
from app.takeaway import lesson_page
from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.graph_page import PageOptions, page_of_graph
from app.takeaway.html_page import html_page, page_script, resource
from app.takeaway.lesson_page import INDEX, WORKFLOW, course_files, page_of_lesson
from app.takeaway.page_data import PageData
from app.takeaway.page_parts import PHRASES
from engine import EngineError, from_expression
from engine.edits import set_label
from engine.formats.files import load_drawing
from engine.graph import LABEL_LIMIT, Graph, Leaf, OpNode, Root
from engine.rules import BY_NAME, MISTAKES
from tests.helpers.exported import Tags, data_of
from tests.helpers.sampling import is_whole, sampled, sized

HOSTILE = {
    "the end of a script": "</script><script>alert(1)</script>",
    "a comment": "<!--<script>",
    "quotes": "\"'><img src=x onerror=alert(1)>",
    "an entity": "&lt;b&gt;&amp;",
    "from right to left": "שלום 12 ب",
    "a template": "{data} {0} ${x} **a** `b`",
    "very long": "w" * LABEL_LIMIT,
    "long without a break, wide": "漢" * 80,
}


HOSTILE_OPTIONS = PageOptions("all" if is_whole() else "last")


def page_of(graph: Graph, options: PageOptions | None = None, title: str = "A graph") -> PageData:
    drawing = laid_out_drawing(graph)
    return page_of_graph(drawing, title, options or PageOptions())


def chain(length: int) -> Graph:
    """A graph whose backward pass takes two steps for each of these nodes, and one."""
    text = "; ".join(["v0 = a*b", *(f"v{k} = v{k - 1}*w{k}" for k in range(1, length))])
    return from_expression(text, {"a": 1.1, "b": 0.9} | {f"w{k}": 1.01 for k in range(1, length)})


PARTS_OF_THE_WINDOW = re.compile(
    r"[Pp]ress Backward|[Oo]pen (Mistakes|Train|Numeric)|File →|below the sheet|Click|click |"
    r"Enter\b|Fire anyway|[Rr]ight-click|By hand is on|"
    r"(?<!computer, )the page (Why|Numeric|Mistakes)"
)


def test_the_same_input_gives_the_same_bytes(tmp_path):
    texts: list[str] = []
    for seed in "12":  # sets and hashes are in another order
        path = tmp_path / f"{seed}.html"
        call = [sys.executable, "-m", "app", "export", str(FOLDER / "double.backwire"), "-o", path]
        subprocess.run(call, env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
        texts.append(path.read_text("utf-8"))
    assert texts[0] == texts[1]


def test_the_course_has_small_pages_that_send_their_readers_to_no_part_of_the_window(
    monkeypatch: pytest.MonkeyPatch,
):
    """One test, since it takes long to make all its pages; or some, the first for the others."""
    pages = cache(lambda name: page_of_lesson(lesson(name)))
    first, *_others = chosen = sampled([head.name for head in course_listed().lessons], 6)
    monkeypatch.setattr(
        lesson_page,
        "page_of_lesson",
        lambda asked, *_, **__: pages(asked.name if asked.name in chosen else first),
    )
    files = course_files()
    names = [head.name for head in course_listed().lessons]
    ways = {name: data_of(files[f"{name}.html"])["onward"] for name in (first, names[-1])}
    after = names[names.index(first) + 1]
    assert [address for _text, address in ways[first]] == [f"{after}.html", INDEX]
    assert ways[first][0][0] == f"Next lesson: {lesson(after).title}"
    assert ways[names[-1]] == [["All lessons", INDEX]]
    onward = [(text, address) for text, address in ways[first]]
    assert files[f"{first}.html"] == html_page(replace(pages(first), onward=onward))
    assert_index(files)
    course = files if is_whole() else {f"{name}.html": files[f"{name}.html"] for name in chosen}
    assert_small(course)
    assert_without_window(course)


def assert_without_window(course: Mapping[str, str]) -> None:
    raw = "".join(path.read_text("utf-8") for path in LESSON_FOLDER.glob("*.toml"))
    assert [phrase for phrase in PHRASES if phrase not in raw] == []
    for name in course.keys() - {INDEX, WORKFLOW}:
        for step in data_of(course[name])["steps"]:
            if step.get("on_computer"):
                assert step["on_computer"].startswith("On a computer: ")
                continue
            sentences = [question["sentence"] for question in step.get("questions", ())]
            for text in [*step.get("text", ()), step.get("task", []), *sentences]:
                words = "".join(span if isinstance(span, str) else span[0] for span in text)
                assert not PARTS_OF_THE_WINDOW.search(words), (name, step["title"])


def assert_small(course: Mapping[str, str]) -> None:
    neuron = load_drawing(FOLDER / "neuron.backwire")
    asked = PageOptions("all" if is_whole() else "sums")
    for page in (page_of_lesson(lesson("one-neuron")), page_of_graph(neuron, "", asked)):
        assert len(html_page(page).encode()) < 240_000
    length = sized(4, 34)
    long_page = page_of(chain(length))
    assert 3 * length - 2 <= len(long_page.steps) <= 3 * length + 8
    products = sized(27, 108)
    tree = page_of(from_expression("+".join(["a*b"] * products)), PageOptions("none"))
    assert 6 * products - 8 <= len(tree.steps) <= 6 * products + 12
    assert len(html_page(tree).encode()) < 190_000 + 2_000 * products
    assert len(html_page(long_page).encode()) < 200_000 + 4_000 * length
    assert sum(len(text.encode()) for text in course.values()) < 5_000_000


def test_a_hostile_label_breaks_nothing():
    graph = from_expression("e = a*b; L = e + a", {"a": 3, "b": -2})
    plain = Tags(html_page(page_of(graph, HOSTILE_OPTIONS)))
    for name, label in sampled(HOSTILE.items(), 2):
        try:
            assert_as_plain(label, plain)
        except AssertionError as broken:
            raise AssertionError(name) from broken


def assert_as_plain(label: str, plain: Tags) -> None:
    graph = from_expression("e = a*b; L = e + a", {"a": 3, "b": -2})
    node = graph.node_named("e")
    assert node is not None
    graph = set_label(graph, node, label)
    title = f"\u202e{label}\u2067"  # these marks are refused in labels, and may be in a title
    text = html_page(page_of(graph, HOSTILE_OPTIONS, title))
    found = Tags(text)
    tags, plain_tags = ([tag for tag, _attributes in each.elements] for each in (found, plain))
    assert [tag for tag in tags if tag != "bdi"] == plain_tags
    assert found.scripts[2:] == plain.scripts[2:]
    operations, _, formulas = found.scripts[1].partition("const FORMULAS")
    plain_operations, _, plain_formulas = plain.scripts[1].partition("const FORMULAS")
    assert operations == plain_operations
    assert re.fullmatch(r"[\w\s(){}\[\]=>,.&|!?:;<+*/-]*", formulas, re.ASCII)
    # longer labels ask whether they fit, and nothing of them is in what runs
    names = set(re.findall(r"[^\W\d]\w*", formulas))
    assert names <= {*re.findall(r"[^\W\d]\w*", plain_formulas), "fits"}
    assert "<" not in found.scripts[0]
    data = data_of(text)
    assert data["title"] == title
    assert label in [node["name"] for node in data["graphs"][0]["nodes"]]


def test_the_policy_names_script_and_style_and_nothing_else_could_run():
    text = html_page(page_of_lesson(lesson("two-paths")))
    found = Tags(text)
    script = found.scripts[1]
    style = text.partition("<style>")[2].partition("</style>")[0]
    policy = next(
        attributes["content"] or ""
        for tag, attributes in found.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    for name, block in (("script", script), ("style", style)):
        digest = b64encode(sha256(block.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert policy.endswith("img-src data:; base-uri 'none'; form-action 'none'")
    for tag, attributes in found.elements:
        assert tag not in ("link", "iframe", "object", "embed", "base", "form", "img")
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        assert not {"src", "href", "srcset", "action"} & attributes.keys()


def test_without_a_script_it_is_the_list_of_all_steps_with_the_answers_at_its_end():
    page = page_of_lesson(lesson("two-paths"))
    text = html_page(page)
    words, _, answers = text.partition("<details>")
    assert text.count("<h1>") == 1
    for step in page.steps:
        assert f"<h2>{escape(step.title)}</h2>" in words
    assert "passes ? to <b>a</b>" in words
    assert "<li>−10</li>" in words
    assert "✓" not in words, "a later blank tells an earlier one"
    assert "5 × (−2)" in answers.replace("<b>", "").replace("</b>", "")
    assert "now −5" not in words.replace("<b>", "").replace("</b>", "")


def test_a_page_asks_at_the_steps_that_were_chosen():
    graph = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
    asked = {
        ask: [
            (q.record.kind, q.record.step)
            for s in page_of(graph, PageOptions(ask)).steps
            for q in s.questions
        ]
        for ask in ("none", "last", "sums", "all")
    }
    assert asked["none"] == []
    assert asked["last"] == [("contribution", 7)]
    assert asked["sums"] == [("sum", 6)]
    assert [step for _kind, step in asked["all"]] == [2, 3, 4, 5, 6, 6, 7]
    wrong = page_of(graph, PageOptions("none", rules=BY_NAME["assign"]))
    assert any("forgets the" in str(step.says) for step in wrong.steps)


def test_what_has_no_page_is_refused_in_one_sentence():
    with pytest.raises(EngineError, match="up to 1,000 steps; both passes of this graph take 1,0"):
        page_of(from_expression("+".join(["a*b"] * 170)))
    chain = {k: OpNode("neg", (k - 1,)) for k in range(2, 403)}
    line = Graph({1: Leaf(1.0), **chain, 403: Root(402)}, 403, 404)
    with pytest.raises(EngineError, match=r"here about 401: let it ask sums, last or none\."):
        page_of(line)
    assert page_of(line, PageOptions("last"))
    with pytest.raises(EngineError, match="root"):
        page_of(Graph())
    wide, offers = "+".join(f"x{k}" for k in range(70)), PageOptions("none", mistakes=MISTAKES)
    with pytest.raises(EngineError, match="1 to 60 leaves; this one has 70"):
        page_of(from_expression(wide), offers)


def assert_index(files: Mapping[str, str]) -> None:
    index = Tags(files[INDEX])
    links = [attributes["href"] for tag, attributes in index.elements if tag == "a"]
    assert len(links) == 18
    assert set(links) == files.keys() - {INDEX, WORKFLOW}
    assert not index.scripts
    assert "deploy-pages" in files[WORKFLOW]
    actions = re.findall(r"uses: (\S+)", files[WORKFLOW])
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", action) for action in actions)


def test_the_colours_of_a_page_are_those_of_the_themes():
    sheet = resource("page.css")
    for theme, start in ((LIGHT, ":root {"), (DARK, '[data-theme="auto"]'), (DARK, '"dark"] {')):
        block = sheet.split(start, 1)[1].split("}", 1)[0]
        for name, colour in re.findall(r"--([a-z-]+?(?:-\d)?): (#\w+)", block):
            field, _, place = re.sub(r"-(\d)$", r"/\1", name).replace("-", "_").partition("/")
            found = getattr(theme, {"sibling": "siblings"}.get(field, field), None)
            if place:
                found = (theme.sibling_tints if "tint" in field else theme.siblings)[int(place)]
            assert found is not None, name
            assert found.name() == colour, name


def test_the_script_writes_no_markup_and_asks_no_network():
    script = page_script()
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in script
    for word in ("fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "import(", "http:"):
        assert word not in script.replace("http://www.w3.org/2000/svg", "")
