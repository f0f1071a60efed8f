"""Moves lead from one situation to the next, as the window would; checks look at the result."""

import pytest

from app.lessons.course import FOLDER
from app.lessons.lesson import Check
from app.lessons.parsing import EXAMPLES, check_of, move_of, start_of
from app.lessons.situation import PlaneFile, Situation, after_move, at_start, situation_of
from app.lessons.step_checks import CHECKS, failure_text, holds
from engine import from_expression, load
from engine.errors import EngineError
from engine.graph import Graph
from tests.helpers.tables import in_turn

SHARED = from_expression("e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5})
CURVED = from_expression("q = tanh(x); y = q*w", {"x": 0.5, "w": 2})
BOWL = from_expression("loss = ((w1-1)**2 + (w2-5)**2) * 0.5", {"w1": 2, "w2": 3})


def after(graph: Graph, start: str, *moves: str, **settings: object) -> Situation:
    """Return the situation after moves, each as a lesson file writes it."""
    from msgspec.structs import replace

    begun = replace(situation_of(graph), **settings)
    situation = at_start(begun, *start_of(start, begun, asks=False))
    for text in moves:
        situation = after_move(situation, move_of(text, situation.graph))
    return situation


def gradient(situation: Situation, name: str) -> float | None:
    node = situation.graph.node_named(name)
    assert node is not None
    return situation.known_frame.grads.get(node)


def test_a_value_that_is_set_leaves_the_pass_where_it_is():
    situation = after(SHARED, "end", "b = -1")
    assert (situation.cursor, gradient(situation, "a")) == (7, 0.0)


def test_a_step_goes_to_a_place_of_the_backward_pass():
    situation = after(SHARED, "values", "step 5")
    assert (gradient(situation, "a"), gradient(situation, "b")) == (5.0, None)
    assert after(SHARED, "end", "step 5") == situation


def test_nodes_fire_by_hand_also_too_early():
    done = after(SHARED, "hand", "fire L", "fire d", "fire e")
    assert gradient(done, "a") == -5.0
    early = after(SHARED, "hand", "fire L", "fire e", "fire d")
    assert gradient(early, "a") == 5.0  # e fired before anything had come


def test_an_edit_of_the_wiring_takes_the_pass_back_to_its_beginning():
    wired = after(SHARED, "end", "wire f e.1")
    assert (wired.phase, wired.cursor, wired.graph.inputs(3)[0]) == ("backward", 0, 5)
    assert after(SHARED, "end", "root d").graph.root_name == "d"
    unfolded = after(CURVED, "end", "unfold q")
    unfolded = at_start(unfolded, "end")
    assert len(unfolded.graph.nodes) > len(CURVED.nodes)
    assert gradient(unfolded, "x") == pytest.approx(gradient(after(CURVED, "end"), "x"))


def test_a_mistake_takes_the_pass_back_and_changes_what_it_gives():
    wrong = after(SHARED, "end", "mistake assign")
    assert wrong.cursor == 0
    assert gradient(after(SHARED, "end", "mistake assign", "step 7"), "a") == -10.0
    assert after(SHARED, "end", "mistake assign", "mistake none", "step 7") == after(SHARED, "end")


def test_gradient_descent_halves_the_distance_at_each_update():
    once = after(BOWL, "descent", "update", rate=0.5)
    assert (once.loss, once.epochs) == (2.5, 1)
    assert [once.graph.nodes[leaf].value for leaf in once.graph.leaves] == [1.5, 4.0]  # pyright: ignore
    ten = after(BOWL, "descent", "rate 0.5", "epochs 10")
    assert ten.loss == pytest.approx(2.5 / 4**9)


def test_a_network_learns_xor_from_its_seed():
    trained = after(SHARED, "training", "epochs 100", sizes=(2, 1), rate=0.5)
    assert trained.loss == pytest.approx(1.0)
    begun = after(SHARED, "training", "epochs 100", "seed 1", sizes=(2, 1), rate=0.5)
    assert (begun.epochs, begun.loss) == (0, pytest.approx(1.1811764993422))
    assert after(SHARED, "training", "epochs 9", "rate 5", sizes=(2, 1)).epochs == 0


def test_settings_of_a_page_are_set():
    assert after(SHARED, "end", "h 1e-15").h == 1e-15
    assert after(SHARED, "end", "method central").method == "central"
    assert after(SHARED, "values", "rate 2", "seed 3").rate == 2.0


@in_turn("start", ["values", "backward 3", "end", "hand", "descent"])
def test_a_step_begins_where_it_says_whatever_was_before(start: str):
    plain = after(SHARED, start)
    fired = after(SHARED, "hand", "fire L")
    later = at_start(fired, *start_of(start, fired, asks=False))
    assert (later.phase, later.cursor, later.mode) == (plain.phase, plain.cursor, plain.mode)
    assert later.hand == plain.hand


def test_a_step_begins_at_a_wire_or_a_node_wherever_its_step_is_now():
    def begins(text: str, graph: Graph, *, asks: bool = False) -> tuple[str, int]:
        return start_of(text, situation_of(graph), asks=asks)

    longer = from_expression("k = a*1; e = k*b; d = e + k; L = d*f; M = L + 1", {"a": 3})
    assert begins("e.1", SHARED) == ("backward", 6)
    assert begins("e.1", SHARED, asks=True) == ("backward", 5)  # it is asked for next
    assert begins("e.1", longer) == ("backward", 7)
    assert begins("a", SHARED) == ("backward", 6)  # the step that completes its gradient
    assert begins("d", SHARED) == ("backward", 2)


def test_a_step_begins_in_the_forward_pass():
    found = after(SHARED, "forward 2")
    assert (found.phase, found.cursor) == ("forward", 2)
    assert [found.known_frame.values.get(SHARED.node_named(name)) for name in "edL"] == [
        -6.0, -3.0, None,
    ]  # fmt: skip


STATES = """
value          / { value = "e", is = -6 }        / end                 / end; a = 1
value any      / { value = "any", above = 9 }    / values; a = 10      / values
grad           / { grad = "a", not = 5 }         / end                 / backward 5
grad unknown   / { grad = "a", not = 5 }         / end                 / values
grad any       / { grad = "any", below = 0 }     / end                 / backward 2
readers        / { readers = "f", above = 1 }    / end; wire f e.1     / end
wired          / { wired = "e.1", from = "f" }   / end; wire f e.1     / end
nodes          / { nodes = "tanh", is = 0 }      / CURVED values; unfold q / CURVED values
root           / { root = "d" }                  / end; root d         / end
at             / { at = "backward 5" }           / end                 / backward 4
at end         / { at = "end" }                  / end                 / backward 6
at in a pass   / { at = "backward 0" }           / backward 0          / values
order          / { order = "done" }              / hand; fire L; fire d; fire e / hand; fire L; fire e; fire d
order by hand  / { order = "done" }              / hand; fire L; fire d; fire e / end
mistake        / { mistake = "assign" }          / end; mistake assign / end
differs        / { differs = true }              / end; mistake assign / end; mistake division-sends-nothing
checked        / { checked = true }              / end                 / end; mistake mul-own-input
h              / { h = true, below = 1e-9 }      / end; h 1e-15        / end
method         / { method = "central" }          / end; method central / end
rate           / { rate = true, is = 2 }         / end; rate 2         / end
wrong          / { wrong = true, is = 0 }        / DOTS values; b2 = 0 / DOTS values
wrong unknown  / { wrong = true, not = 9 }       / DOTS end            / values
wrong rewired  / { wrong = true, not = 9 }       / DOTS end            / DOTS values; wire x2 v3.1
epochs         / { epochs = true, above = 4 }    / BOWL descent; epochs 5 / BOWL descent
loss           / { loss = true, below = 2 }      / BOWL descent; epochs 9 / BOWL descent; epochs 1
"""  # noqa: E501
"""A check, a situation in which it holds, and one in which it does not: start and moves, on SHARED
unless another graph is named."""
ROWS = [[cell.strip() for cell in row.split(" / ")] for row in STATES.strip().splitlines()]
GRAPHS = {"CURVED": CURVED, "BOWL": BOWL, "DOTS": load(FOLDER / "why-wrong.backwire")}


def reached(text: str) -> Situation:
    """The situation of a cell of the table."""
    start, *moves = text.split("; ")
    name, _space, rest = start.partition(" ")
    if name == "DOTS":
        return after(GRAPHS[name], rest, *moves, plane=PlaneFile("moons", 3, 14, (2, 2, 1)))
    return after(GRAPHS[name], rest, *moves) if name in GRAPHS else after(SHARED, start, *moves)


def check(text: str, situation: Situation) -> Check:
    import tomllib

    return check_of(tomllib.loads(f"check = {text}")["check"], situation.graph)


@in_turn(("text", "holding", "other"), [row[1:] for row in ROWS])
def test_a_check_tells_the_state_it_asks_for_from_another(text: str, holding: str, other: str):
    right, wrong = reached(holding), reached(other)
    assert holds(check(text, right), right)
    assert not holds(check(text, wrong), wrong)
    assert "and the check asks for " in failure_text(check(text, wrong), wrong)


def test_each_check_is_tried_and_has_an_example_that_can_be_read():
    assert {row[0].split()[0] for row in ROWS} == set(CHECKS) == set(EXAMPLES)
    for kind, text in EXAMPLES.items():
        named = from_expression("e = a*b; y = e + a")
        assert check(text, situation_of(named)).kind == kind


def test_numbers_that_differ_by_rounding_alone_are_equal():
    sums = from_expression("y = a + b", {"a": 0.1, "b": 0.2})
    situation = situation_of(sums)
    assert holds(check('{ value = "y", is = 0.3 }', situation), situation)
    assert not holds(check('{ value = "y", above = 0.3 }', situation), situation)


@in_turn("move", ["step 8", "fire L", "epochs 1", "update", "wire L e.1"])
def test_a_move_that_can_not_be_made_is_refused_with_a_sentence(move: str):
    with pytest.raises(EngineError, match=r"^[A-Z].*"):
        after(SHARED, "values", move)
