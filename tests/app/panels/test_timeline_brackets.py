from app.panels.strip.timeline import brackets
from engine.rules import MISTAKES
from engine.study.question import hidden


def texts(desk, covered: bool = False) -> list[str]:
    frame = desk.playback.frame
    frame = hidden(frame, ("contribution",)) if covered else frame
    return [found.text for found in brackets(frame, desk.style)]


def test_a_bracket_joins_what_has_landed_on_one_node(desk):
    desk.open_shared(5)
    assert texts(desk) == []
    desk.playback.go(6)
    assert texts(desk) == ["Σ a: −2 + 6"]
    found = brackets(desk.playback.frame, desk.style)[0]
    assert (found.first, found.last) == (5, 6)


def test_while_covered_the_bracket_asks(desk):
    desk.open_shared(5)
    assert texts(desk, covered=True) == ["Σ a: −2 + ?"]


def test_the_newest_bracket_comes_first(desk):
    desk.open("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3})
    desk.playback.backward()
    desk.playback.go(11)
    assert texts(desk)[0] == "Σ b: 12 + 7"


def test_an_overwritten_number_is_lost(desk):
    desk.open("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3})
    desk.playback.set_rules(next(r for r in MISTAKES if r.name == "assign"))
    desk.playback.backward()
    desk.playback.to_end()
    assert "c: 6 lost" in texts(desk)
    assert all(found.lost for found in brackets(desk.playback.frame, desk.style))


def test_all_that_was_overwritten_is_lost(desk):
    desk.open("y = 2*a + 3*a + 5*a + 7*a", {"a": 1})
    desk.playback.set_rules(next(r for r in MISTAKES if r.name == "assign"))
    desk.playback.backward()
    desk.playback.to_end()
    assert "a: 15 lost" in texts(desk)


def test_under_assignment_a_covered_bracket_asks_what_the_number_becomes(desk):
    desk.open("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3})
    desk.playback.set_rules(next(r for r in MISTAKES if r.name == "assign"))
    desk.playback.backward()
    desk.playback.go(5)
    assert texts(desk, covered=True) == ["c: 6 → ?"]


def test_many_contributions_fold(desk):
    desk.open("y = " + " + ".join(["a"] * 30))
    desk.playback.backward()
    desk.playback.to_end()
    assert "Σ a: 27 + 1 + 1 + 1" in texts(desk)


def test_a_second_pass_says_what_the_first_has_left(desk):
    desk.open("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3})
    desk.playback.set_rules(next(r for r in MISTAKES if r.name == "no-zero-grad"))
    desk.playback.backward()
    desk.playback.to_end()
    assert "Σ a: 25 left over + 54 + 21" in texts(desk)
