"""The pass of a program on the sheet: its rules hold until the wiring is edited."""

from app.canvas.appearance.face import node_look
from app.canvas.appearance.looks import Looks
from app.panels.status_line import StatusLine
from engine.formats.expression import read
from engine.formats.native import Drawing
from engine.numbers import short, signed
from engine.rules import CORRECT, Recorded
from tests.helpers.canvas import CanvasFixture

A, B = 1, 2


def shown_of(expression: str, recorded: Recorded) -> Drawing:
    return Drawing(read(expression), recorded=recorded)


def grads_after(playback) -> dict[str, float]:
    playback.to_end()
    frame = playback.frame
    return {frame.graph.names[n]: frame.grads[n] for n in frame.graph.leaves}


def test_a_pass_begins_from_gradients_that_were_there_until_the_wiring_is_edited(
    document, playback
):
    recorded = Recorded({A: 2.0, 3: 6.0}, {A: 25.0}, {A: 28.0})
    document.start(shown_of("a = 2; b = 3; d = a*b", recorded))
    assert playback.rules.name == "program"
    assert not playback.rules.is_mistake
    assert playback.now.comparison is None
    assert grads_after(playback) == {"a": 28.0, "b": 2.0}
    ledger = Looks(playback.frame, short, signed).ledgers.ledger(A)
    assert (ledger.start, [chip.text for chip in ledger.chips], ledger.total) == (
        *("was 25", ["+3"]),
        "= 28",
    )
    playback.go(1)
    assert Looks(playback.frame, short, signed).ledgers.ledger(A).start == "was 25"
    document.set_value(B, 4.0)
    assert grads_after(playback) == {"a": 29.0, "b": 2.0}
    document.set_op(3, "add")
    assert playback.rules is CORRECT
    assert grads_after(playback) == {"a": 1.0, "b": 1.0}
    document.undo()
    assert grads_after(playback) == {"a": 29.0, "b": 2.0}


def test_measured_slopes_are_used_until_a_number_is_edited(document, playback):
    recorded = Recorded({A: 0.0, 2: 0.0}, {}, {A: 0.5}, slopes={(2, 0): 0.5})
    document.start(shown_of("a = 0; d = relu(a)", recorded))
    assert grads_after(playback) == {"a": 0.5}
    document.set_value(A, 1.0)
    assert grads_after(playback) == {"a": 1.0}
    document.undo()
    assert grads_after(playback) == {"a": 0.5}


def test_a_wrong_pass_is_run_only_where_it_is_chosen(document, playback):
    recorded = Recorded(
        *({A: 2.0, 2: 4.0}, {}, {A: 2.0}),
        fired=(2,),
        assigns=frozenset({(2, 0), (2, 1)}),
        wrong=True,
    )
    document.start(shown_of("a = 2; d = a*a", recorded))
    assert playback.rules is CORRECT
    assert grads_after(playback) == {"a": 4.0}
    playback.set_rules(recorded.rules)
    assert grads_after(playback) == {"a": 2.0}
    chips = Looks(playback.frame, short, signed).ledgers.ledger(A).chips
    assert [chip.state for chip in chips] == ["overwritten", "landed"]
    document.set_value(A, 3.0)
    assert grads_after(playback) == {"a": 3.0}
    assert playback.now.comparison is not None


def test_numbers_of_the_program_stand_beside_ours_until_any_edit(canvas: CanvasFixture):
    recorded = Recorded({A: 2.0, B: 3.0, 3: 5.0}, {}, {A: 7.0, B: 2.0}, wrong=True)
    canvas.document.start(shown_of("a = 2; b = 3; d = a*b", recorded))
    canvas.playback.to_end()

    def notes() -> list[str]:
        looks = (node_look(canvas.view.scene.looks, n) for n in (A, B, 3))
        return [number.note for look in looks for number in look.numbers if number.note]

    assert notes() == ["program 7", "program 5"]
    canvas.document.set_value(A, 4.0)
    assert notes() == []


def test_the_status_line_says_what_the_program_had(host):
    line = StatusLine(host.style, host.document, host.playback)
    recorded = Recorded({A: 2.0, 2: 4.0}, {}, {A: 4.0})
    host.document.start(shown_of("a = 2; d = a*a", recorded))
    assert "program" not in line.text()
    host.document.set_value(A, 3.0)
    assert "computed here now; the program had d 4" in line.text()
