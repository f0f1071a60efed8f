"""backwire export x.html and --course: what is written, and what is refused in one sentence."""

import io
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.__main__ import main
from app.document.examples import FOLDER
from app.lessons.course import Course, course, path_of
from app.takeaway.html_page import GENERATOR
from engine import from_expression, save
from tests.app.cli.test_running import refused
from tests.helpers.exported import Tags, data_of
from tests.helpers.sampling import sampled

NEURON, LESSON = str(FOLDER / "neuron.backwire"), str(path_of("two-paths"))


def test_a_graph_an_expression_and_a_lesson_become_one_file_each(tmp_path, capsys):
    for name, arguments in (
        ("neuron", [NEURON, "--ask", "sums"]),
        ("y = a*b", ["-e", "y = a*b", "--ask", "last", "--theme", "dark", "--cover"]),
        ("Two paths from a to L", [LESSON, "--cover"]),
    ):
        path = tmp_path / "x.html"
        assert main(["export", *arguments, "-o", str(path)]) == 0
        assert capsys.readouterr().out == f"{path}\n"
        data = data_of(path.read_text("utf-8"))
        assert data["title"] == name
        assert data.get("cover", False) == ("--cover" in arguments)
        assert data.get("theme", "auto") == ("dark" if "dark" in arguments else "auto")


def test_the_code_of_a_frame_names_the_step_and_where_the_page_will_lie(tmp_path, capsys):
    path = tmp_path / 'a "b".html'
    look = (
        'sandbox="allow-scripts" allow="clipboard-write" loading="lazy" '
        'style="width:100%;height:840px;border:0"'
    )
    for more, source, address in (
        ((), "a%20%22b%22.html#step=3", None),
        (
            ("--address", "https://a.org/?p=1&q=<"),
            "https://a.org/?p=1&amp;q=&lt;#step=3",
            "https://a.org/?p=1&q=<",
        ),
    ):
        call = ["export", "-e", "y = a*b", "-o", str(path), "--frame", "3", *more]
        assert main(call) == 0
        code = f'<iframe src="{source}" {look} title="Backwire: y = a*b"></iframe>'
        assert capsys.readouterr().out == f"{path}\n{code}\n"
        elements = Tags(path.read_text("utf-8")).elements
        assert [of.get("data-address") for tag, of in elements if tag == "main"] == [address]


def test_the_code_of_a_frame_names_numbers_and_mistake_of_a_copied_link(tmp_path, capsys):
    path = tmp_path / "y.html"
    call = ("export", "-e", "L = step*w_1", "-o", str(path), "--mistakes", "assign")
    for given, end in (
        ("https://a.org/y.html#step.=7&w_1=-0.5&step=3&mistake=assign", None),
        ("w_1=+inf&step=2", "#w_1=inf&step=2"),
        ("#w_1=1e99", "#w_1=1e99"),
        ("w_1=2", "#w_1=2"),
    ):
        assert main([*call, "--frame", given]) == 0
        [code] = Tags(capsys.readouterr().out.split("\n", 1)[1]).elements
        assert code[1]["src"] == f"y.html{end or given.removeprefix('https://a.org/y.html')}"


def test_a_mistake_goes_through_the_whole_page(tmp_path):
    path = tmp_path / "x.html"
    assert main(["export", "-e", "y = a*a", "--mistake", "assign", "-o", str(path)]) == 0
    assert '"rules": "assign"' in data_of(path.read_text("utf-8"))["record"]["head"]


def test_mistakes_are_offered_once_each_on_a_page_that_asks_nothing(tmp_path, capsys):
    path = tmp_path / "x.html"
    call = ("export", "-e", "y = a*a", "-o", str(path))
    assert main([*call, "--mistakes", "assign,recursive,assign"]) == 0
    data = data_of(path.read_text("utf-8"))
    assert [each["name"] for each in data["mistakes"]] == ["assign", "recursive"]
    assert not any(step.get("questions") for step in data["steps"])
    for more, says in (
        (("--mistakes", "assign,x"), "no mistake called x"),
        (("--mistakes", "assign", "--ask", "all"), "--ask none"),
    ):
        assert main([*call, *more]) in (1, 2)
        assert says in capsys.readouterr().err


def test_of_mistakes_that_are_offered_one_is_chosen_at_first(tmp_path, capsys):
    path = tmp_path / "x.html"
    call = ["export", "-e", "y = a*a", "-o", str(path), "--mistakes", "assign", "--frame", "4"]
    assert main([*call, "--mistake", "recursive"]) == 0
    assert 'src="x.html#step=4&amp;mistake=recursive"' in capsys.readouterr().out
    text = path.read_text("utf-8")
    assert [each["name"] for each in data_of(text)["mistakes"]] == ["assign", "recursive"]
    assert '"rules"' not in data_of(text)["record"]["head"], "they are the reader's"
    (main_part,) = [of for tag, of in Tags(text).elements if tag == "main"]
    assert main_part["data-opening"] == "#mistake=recursive"


def test_the_course_becomes_a_folder(tmp_path, capsys, monkeypatch):
    folder, units = tmp_path / "course", sampled(course().units, every=3)
    monkeypatch.setattr("app.takeaway.lesson_page.course", lambda: Course(tuple(units)))
    assert main(["export", "--course", str(folder)]) == 0
    count = sum(len(unit.lessons) for unit in units) + 2
    assert capsys.readouterr().out.startswith(f"{folder}: {count} files, ")
    assert (folder / "index.html").is_file()
    assert (folder / ".github" / "workflows" / "pages.yml").is_file()


def test_the_folder_of_a_course_replaces_files_of_others_only_when_agreed(
    tmp_path, capsys, monkeypatch
):
    unit = course().units[0]
    unit = replace(unit, lessons=unit.lessons[:1])
    monkeypatch.setattr("app.takeaway.lesson_page.course", lambda: Course((unit,)))
    call = ("export", "--course", str(tmp_path))
    first = course().units[0].lessons[0].name
    assert main([*call]) == main([*call, "--cover"]) == 0, "its own pages are replaced unasked"
    mine = {f"{first}.html": "<!DOCTYPE html>mine", ".github/workflows/pages.yml": "on: push"}
    written = (tmp_path / "index.html").read_bytes()
    capsys.readouterr()

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def said(stdin: io.StringIO | None, *options: str) -> tuple[object, str]:
        for name, text in mine.items():
            (tmp_path / name).write_text(text, "utf-8")
        monkeypatch.setattr("sys.stdin", stdin)
        code: object = 0
        try:
            code = main([*call, *options])
        except SystemExit as ended:
            code = ended.code
        return code, capsys.readouterr().err

    for answer in (io.StringIO("y\n"), Terminal("n\n"), Terminal(""), None):
        code, told = said(answer)
        assert (code, told.count("--replace")) == (2, 1)
        assert all(name in told for name in mine)
        assert all((tmp_path / name).read_text("utf-8") == text for name, text in mine.items())
        assert (tmp_path / "index.html").read_bytes() == written, "nothing else is written either"
    for answer, options in ((Terminal("y\n"), ()), (io.StringIO(), ("--replace",))):
        assert said(answer, *options)[0] == 0
        assert "mine" not in (tmp_path / f"{first}.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("code", "arguments", "words"),
    [
        (1, ["-e", "y =", "-o", "x.html"], "something is missing"),
        (1, ["nowhere.toml", "-o", "x.html"], "nowhere.toml can't be read"),
        (1, ["-e", "y = a", "-o", "no/folder/x.html"], "there is no folder"),
        (1, ["-e", "y = a*b", "--mistake", "none such", "-o", "x.html"], "no mistake called"),
        (2, ["-o", "x.html"], "give a FILE or -e EXPR"),
        (2, [LESSON, "--ask", "all", "-o", "x.html"], "--ask goes with a graph"),
        (2, [LESSON, "--set", "a=2", "-o", "x.html"], "--set goes with a graph"),
        (2, ["-e", "y = a*b", "--ask", "some", "-o", "x.html"], "invalid choice"),
        (2, ["-e", "y = a*b", "--step", "3", "-o", "x.html"], "unrecognized arguments: --step"),
        (1, ["-e", "y = a*b", "--frame", "60", "-o", "x.html"], "5 steps, and no step 60"),
        (2, ["-e", "y = a*b", "--frame", "0", "-o", "x.html"], "not a whole number from 1"),
        (1, ["-e", "y = a*b", "--frame", "c=3", "-o", "x.html"], "no leaf 'c' to give a number"),
        (1, ["-e", "y = a*b", "--frame", "mistake=x", "-o", "x.html"], "not offer the mistake 'x'"),
        (2, ["-e", "y = a*b", "--frame", "a=apples", "-o", "x.html"], "apples"),
        (2, ["-e", "y = a*b", "--frame", "a=2&step=x", "-o", "x.html"], "not a whole number from"),
        (2, ["-e", "y = a*b", "--address", "javascript:1", "-o", "x.html"], "is no address such"),
        (2, ["-e", "y = a*b", "--address", "http://a#b", "-o", "x.html"], "is no address such"),
        (2, ["--course", "c", "--address", "http://a"], "--course takes a folder"),
        (2, ["--course", "c", "--mistakes", "assign"], "--course takes a folder"),
        (2, ["--course", ""], "--course wants the name of a folder"),
        (2, ["--course", "c", "-e", "y = a*b"], "--course takes a folder"),
        (2, ["-e", "y = a*b", "-o", "x.html", "--replace"], "--replace goes with --course"),
    ],
)
def test_a_wrong_call_is_one_sentence_and_writes_nothing(
    tmp_path, monkeypatch, capsys, code, arguments, words
):
    monkeypatch.chdir(tmp_path)
    assert words in refused(capsys, code, "export", *arguments)
    assert not list(tmp_path.iterdir())


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path, capsys):
    path = tmp_path / "course"
    path.write_text("mine", "utf-8")
    assert "is a file, not a folder" in refused(capsys, 1, "export", "--course", str(path))
    assert path.read_text("utf-8") == "mine"


@pytest.fixture
def small_course(monkeypatch) -> None:
    """A course of two files, as only their names matter."""
    files = {"index.html": "<!DOCTYPE html>", ".github/workflows/pages.yml": "on: push"}
    monkeypatch.setattr("app.takeaway.lesson_page.course_files", lambda *_a, **_k: files)


def test_the_folder_of_a_course_is_not_left_through_links(small_course, tmp_path, capsys):
    for k, (name, target, content) in enumerate(
        (
            ("index.html", "file", "mine"),
            ("index.html", "file", f'<meta name="generator" content="{GENERATOR}">'),
            ("index.html", "dangling", ""),
            ("index.html", "folder", ""),
            (".github", "folder", ""),
        )
    ):
        folder, outside = tmp_path / f"course {k}", tmp_path / f"outside {k}"
        (outside / "folder").mkdir(parents=True)
        (outside / "file").write_text(content, "utf-8")
        folder.mkdir()
        (folder / name).symlink_to(outside / target)
        for options in ([], ["--replace"]):
            said = refused(capsys, 1, "export", "--course", str(folder), *options)
            assert f"{folder / name} is a link" in said
            assert (outside / "file").read_text("utf-8") == content
            assert [each.name for each in folder.iterdir()] == [name], (name, target)
            assert {each.name for each in outside.rglob("*")} == {"folder", "file"}, (name, target)


def test_what_no_page_can_replace_is_named_at_once(small_course, tmp_path, capsys):
    for name, make, words in (
        ("index.html", Path.mkdir, "index.html can't be written: it is a folder, not a file"),
        ("index.html", os.mkfifo, "index.html can't be written: it is a pipe, not a file"),
        (".github/workflows/pages.yml", Path.mkdir, "pages.yml can't be written: it is a folder"),
        (".github/workflows", Path.touch, "workflows is a file, not a folder"),
        (".github", Path.touch, ".github is a file, not a folder"),
    ):
        folder = tmp_path / words
        (folder / name).parent.mkdir(parents=True)
        make(folder / name)
        before = {*folder.rglob("*")}
        for options in ([], ["--replace"]):
            assert words in refused(capsys, 1, "export", "--course", str(folder), *options), name
            assert {*folder.rglob("*")} == before, name


def test_steps_that_no_strip_has_are_told_before_the_layout(qapp, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("app.takeaway.estimated_layout.laid_out_drawing", None)  # can't be called
    for steps, says in {"1": "2 to 6 steps, not 1", "1,99": "there is no step 99"}.items():
        strip = ["--strip", steps, "-o", str(tmp_path / "x.svg")]
        assert says in refused(capsys, 1, "export", "-e", "y = a*b", *strip), steps


@pytest.mark.parametrize(
    "options", [["-o", "x.html"], ["--worksheet", "-o", "x.pdf"], ["-o", "x.gif"]]
)
def test_the_limit_of_an_export_is_told_before_the_layout(
    qapp, tmp_path, monkeypatch, capsys, options: list[str]
):
    def fail(*_arguments: object) -> None:
        raise AssertionError("laid out")

    monkeypatch.setattr("app.takeaway.estimated_layout.laid_out_drawing", fail)
    monkeypatch.setattr("app.takeaway.estimated_layout.node_positions", fail)
    monkeypatch.chdir(tmp_path)
    terms = " + ".join(f"a{k}*b{k}" for k in range(300))
    said = refused(capsys, 1, "export", "-e", f"y = {terms}", *options)
    assert "steps" in said
    save(from_expression("y = a*b"), "small.txt")
    assert main(["export", "small.txt", *options]) != 0
    assert "laid out" in capsys.readouterr().err, "a graph within the limits goes on to its layout"
