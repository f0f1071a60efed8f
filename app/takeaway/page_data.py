"""Page data: everything that an HTML page shows and asks, as JSON.

A page of a graph computes values and gradients at numbers of the reader's, by the formulas, the
order and the sentences that it is given (`LivePage`), where no question is asked. Other pages
compute none; they fold, compare and show.

**Texts** are lists of spans. A span is a string, or `[text, role, marks]`: the role is a colour of
the theme (`value`, `gradient`, `local`, `root`, `error`, `selection`, `secondary`, `text`), `typed`
(replaced by the reader's own answer), or `blank` (the box of the question); marks are letters:
`b` bold, `c` code, `s` struck. Numbers in texts are formatted for display, with U+2212 as minus.

**States** are the numbers on the figure, as a flat map from a key to a text:

    v3     value of node 3             l3.0   local derivative of node 3 along its slot 0
    g3     gradient of node 3          u3.0   upstream gradient of the last event on that wire
    c3.0   contribution on that wire   a3.0   gradient of its receiver after that event

`?` is a number that is asked for. A missing key is a number that is not known yet. A state is
stored as a difference: `set` has new and changed texts, `gone` the keys that are unknown again.
States are folded in one line over the whole page:

    for each step: its `shown`, then the `reveals` of each of its questions, one after the other

Moves of Show me are a branch: the first begins from the step's `shown`, each other continues the
branch of the move before.

**Questions** of a live page are about any numbers: a text may be a number of `results`, where an
`engine.conditions.Choice` has the formula that chooses between two others; a number may be a letter
of the question, or eN, its formula N. Of questions that differ in names and numbers alone the texts
are `shared`. Formulas come as the script's FORMULAS.

**Answers**: a typed number x is judged by the first of these that fits, where near(x, y, s) is
|x − y| ≤ 1e-9 · max(|y|, s); infinities and nan are near only themselves. A slip that is near the
right number is none; rounds(x, y) says that x is y rounded to two digits or more.

    right     near(x, number, scale)
    slip      near(x, slip.number); of several that give −number the least `rank`, else the first
    right     rounds(x, number), "rounded"
    slip      the first slip with rounds(x, slip.number)
    right     |x − number| ≤ 1 % of it, where one of `sources` is shown rounded; it says `digits`
    wrong     `wrong`

Wrong answers and hints climb the same rungs, one each. First wrong answer: what is said of
the slip, or `wrong`. Second: `wrong_again`, of the same number typed twice `wrong_same`, after a
hint `wrong_hinted`, and then its `second` or the question's. Third, and Show me: `worked`. Hint:
`hint` of the step once, which is no rung, then `rule`, `second`, `worked`. A second wrong number
that is the `asked` of the slip before it is no rung either: it answers the question of that
sentence. An answer is right first time if it is the first, without hint, Show me, or having been
seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from engine.formats.native import JsonNumber

PageSpan: TypeAlias = str | list[str]
PageText: TypeAlias = list[PageSpan]
"""Spans, see the head of this module."""
Chosen: TypeAlias = Any
"""A text; on a live page often an `engine.conditions.Choice` between several."""
PageTheme = Literal["auto", "light", "dark"]
AskedSteps = Literal["none", "last", "sums", "all"]
"""The steps of a graph's backward pass with questions; "last": the last one alone."""
PageCheck: TypeAlias = tuple[list[str], Literal["is", "not", "above", "below"], JsonNumber]
"""The keys of the numbers, any of which may pass; how they are compared; with which number."""
StepKind = Literal["forward", "backward", "end", "say", "do", "ask", "hunt", "free"]


class StateChange(Struct, omit_defaults=True):
    """The difference of two states: texts that are new or changed, and keys that are removed."""

    set: dict[str, str] = {}
    gone: list[str] = []


class NodeData(Struct, omit_defaults=True):
    """A node as the figure and the map draw it; `x` and `y` are its upper left corner, in px.

    `name` is its whole display name, `short` that of at most 16 characters. `symbol` is that of its
    operation, `formula` the operation with the names of its inputs. `captions` has a caption for
    each slot, such as `∂/∂a`. `seated` is the id of the node that a constant is drawn in.
    """

    id: int
    kind: Literal["leaf", "constant", "op", "root"]
    name: str
    short: str
    x: float
    y: float
    width: float
    height: float
    symbol: str = ""
    formula: str = ""
    captions: list[str] = []
    inputs: list[int | None] = []
    """The sources, slot by slot; None for an empty slot."""
    seated: int | None = None


class GraphData(Struct, omit_defaults=True):
    """One graph with its layout; all steps with this index are about it.

    `root` is the node that is differentiated. `arrivals` has for each node the wires (`"e.slot"`,
    as in keys of a state without their letter) whose contributions it gets, in their order.
    `courses` has for each wire that is drawn the path past the nodes, as in SVG.
    """

    nodes: list[NodeData]
    root: int
    width: float
    height: float
    arrivals: dict[str, list[str]] = {}
    courses: dict[str, str] = {}


class Focus(Struct, omit_defaults=True):
    """The subject of a step: a wire, whose `sender` fires to `receiver`, or a computed node.

    `wire` is `"sender.slot"`, "" for a node alone. `step` is the number in its pass.
    """

    receiver: int
    sender: int | None = None
    wire: str = ""
    step: int = 0


class RecordId(Struct, omit_defaults=True):
    """A question as a report names it, see `engine.formats.report`; in a text kind is "text"."""

    kind: str
    node: int
    slot: int | None = None
    step: int = 0


class ReasonData(Struct, omit_defaults=True):
    """What is said against a belief's number, if it has at most 100 characters.

    It is not said where one of `numbers`, those in it, is the right one. `mended` is said once a
    right answer follows, `asked` is the number that answers the question in `says`.
    """

    says: PageText
    numbers: list[str]
    mended: str
    asked: JsonNumber | None = None


class SlipData(Struct, omit_defaults=True):
    """A wrong number that gives away a belief; there is none where `wrong` has no number.

    `reason` answers it, where there is one, else `fact` does, if that is not []. `full` is the
    sentence with the right number, for the end page; `second` is its own second hint, if that
    differs from the question's. Of several with the negative of a right number the least `rank`
    is the likeliest.
    """

    name: str
    number: JsonNumber
    full: Chosen
    reason: Chosen
    fact: Chosen
    wrong: Chosen = ""
    second: Chosen = []
    rank: int = 0


class ChoiceData(Struct, omit_defaults=True):
    """One choice: its label, and the text that a record keeps.

    `says` is its verdict at a first try, `again` at a second; where both are empty, it is judged by
    its text. A choice of a node, or of a sign, has the name of its slip in `slip_name`.
    """

    label: str
    text: str
    right: bool = False
    verdict: Literal["right", "rounded", "slip", "wrong", "unread"] = "wrong"
    """How a record stores it."""
    says: PageText = []
    again: PageText = []
    slip_name: str = ""
    node: int | None = None
    """The node that a tap on the map chooses: who may fire next."""


class AnswerData(Struct, omit_defaults=True):
    """The right number, and the tolerance of an answer: see the head of this module.

    `sources` are numbers from which it is computed, `digits` is said where one of them is shown
    rounded and an answer is near enough; `because` is the reason for the number.
    """

    number: JsonNumber
    label: Chosen
    scale: JsonNumber = 0.0
    sources: list[JsonNumber] = []
    digits: Chosen = ""
    because: Chosen = ""


class SharedTexts(Struct, omit_defaults=True):
    """The texts of all questions of a live page that differ in names and numbers alone.

    They have holes for names, and for texts about wires, which a question gives as `names`.
    """

    sentence: Chosen
    answered: Chosen
    worked_sentence: Chosen
    worked: Chosen
    answer: AnswerData
    slips: list[SlipData]
    wrong: Chosen
    wrong_again: PageText
    wrong_hinted: PageText
    wrong_same: PageText
    rule: Chosen
    second: Chosen


class QuestionData(Struct, omit_defaults=True):
    """One blank; the questions of a step are asked one after the other.

    `sentence` has the blank as a span of role `blank`, `answered` is the sentence once it is
    right. Show me and a third wrong answer show this blank and the `rest` that follow in its
    sentence: `worked_sentence`, with `worked` below; all of these have `shown` in the record.
    `title` names the blank for a screen reader. Where `choices` is empty the answer is typed.
    `praise` are the verdicts on an answer that is right at the first, second and third try, or the
    only one. `key` is the state's key of the number, where the figure shows the typed text; that of
    a `sum` is `a`.
    """

    record: RecordId
    sentence: Chosen
    answered: Chosen
    worked_sentence: Chosen
    title: str
    rest: int = 0
    key: str = ""
    prompt: PageText = []
    answer: AnswerData | None = None
    choices: list[ChoiceData] = []
    slips: list[SlipData] = []
    wrong: Chosen = []
    wrong_again: PageText = []
    wrong_hinted: PageText = []
    wrong_same: PageText = []
    rule: Chosen = []
    second: Chosen = []
    worked: Chosen = []
    praise: list[PageText] = []
    reveals: StateChange | None = None
    like: int | None = None
    letters: dict[str, str | JsonNumber] = {}
    places: dict[str, int | list[str]] = {}
    names: dict[str, str] = {}


class MoveData(Struct, omit_defaults=True):
    """One move of Show me, or in a hunt or a task one step of the pass, which the reader takes.

    `verdict` is the remark on a wrong step of a task, about its own numbers alone.
    """

    says: PageText
    shown: StateChange | None = None
    focus: Focus | None = None
    label: str = ""
    text: list[PageText] = []
    """The paragraphs of the step with the numbers after this move; [] if all are as before."""
    verdict: PageText = []


LINK_NAMES: Final = ("step", "mistake")
"""What a link says beside numbers; a leaf with such a name has a point after it there."""


class LiveLeaf(Struct):
    """A leaf whose number the reader may change, and the number with which the page begins.

    `name` is shown, as in the figure; `key` is its name in a link.
    """

    node: int
    name: str
    key: str
    value: JsonNumber


class LivePage(Struct):
    """What a page needs to run both passes at other numbers.

    `computed` has for each operation its node, name and inputs, inputs before their readers;
    `ticks` the steps of the backward pass: `[node]` of a seed, `[node, -1]` of a gradient set back
    to 0, `[node, sender, slot]` of a contribution, and under a mistake, which takes the slope along
    another slot, that one too. `seed` is the root's first gradient; a contribution is added, or
    `replaces` what was held. `order` has all nodes with a value, inputs first.

    The remarks: `bad` has for each node the sentences that its value is nan, and that it is
    infinite; `conventions` for an operation the one about its slope; `overflow` and `steep`, by
    operation, are said where the first contribution is not finite although all values are, the
    latter if the slope is not.

    Texts of the page have holes for numbers: `engine.numbers.FieldNumber` says how one is written,
    `engine.asking.number_fields` has the keys.
    """

    leaves: list[LiveLeaf]
    constants: dict[str, JsonNumber]
    computed: list[list[int | str]]
    ticks: list[list[int]]
    order: list[int]
    bad: dict[str, list[str]]
    conventions: dict[str, str]
    overflow: str
    steep: dict[str, str]
    seed: float
    replaces: bool


class PassData(Struct, omit_defaults=True):
    """A pass that the reader may take in a task; `title` is its mistake, shown in a menu.

    `says` is the sentence about that mistake.
    """

    title: str
    live: LivePage
    moves: list[MoveData] = []
    says: str = ""


class RefusalData(Struct):
    """What is said of a node that is clicked while it waits, as `title` and `line`.

    `why` is what Why the order? shows in place of `line`; `remark` is about the click at the end.
    """

    title: PageText
    line: PageText
    why: str
    remark: str


class TurnData(Struct, omit_defaults=True):
    """A node in a pass by hand: why it may not fire, or not twice; how it fires.

    `waits` are the nodes that it waits for. `refusals` are of the sums of 2 ** k over those k in
    `waits` that have not fired.
    """

    never: str
    name: str
    move: MoveData | None = None
    waits: list[int] = []
    refusals: dict[str, RefusalData] = {}


class HandEnd(Struct):
    """What is said once all nodes have fired, in `order` or with some of them `early`.

    `works` are the titles by number of early clicks up to 2, that with a hole for more; `early`
    those by number of nodes. `order` is one sentence about any order that works, or one about the
    program's and one about another. `damage` names the `wrong` gradients, by node; `harmless` is
    said without any. Lists of nodes are put in for `{order}` and `{nodes}`, gradients for
    `{wrong}`.
    """

    works: list[PageText]
    early: list[PageText]
    order: list[str]
    damage: str
    harmless: str
    wrong: dict[str, str]


class HandData(Struct):
    """A pass by hand: the reader clicks the root, which gets its seed, then the nodes that fire.

    `unseeded` refuses a node before that; `counts` say how many have fired. Show me fires `shows`,
    one at a press. Holes of the texts have keys as on other pages by the order of the pass's
    ticks, whichever node fires first: beside them u7, the upstream gradient of event 7; g3 and r3,
    the gradient of node 3 and the right one.
    """

    begin: PageText
    unseeded: str
    seeded: MoveData
    turns: dict[str, TurnData]
    counts: list[str]
    end: HandEnd
    shows: list[int]


class DescentData(Struct):
    """Updates of `learners` against their gradients at a rate, epoch by epoch.

    `shown` are the texts of the figure after one. `says` has the sentences before the first epoch,
    after it, after a later one, and where no update is made as a number is not finite: in the
    first epoch, in a later one. `stale` is said of the loss, `stuck` where nothing moves;
    `losses` precedes them. `shows` is the number of epochs of a press of Show me, up to `most`.
    Keys of holes: v3 is also the leaf after its update, b3 before it, p3 before the one before; d3
    its gradient; `lost` the loss of the epoch before; `epochs` how many.
    """

    rate: JsonNumber
    learners: list[int]
    shown: StateChange | None
    says: list[Chosen]
    stale: PageText
    epoch: str
    losses: str
    stuck: str
    shows: int
    most: int


class TaskData(Struct, omit_defaults=True):
    """A task that the reader does on the page, with any numbers in the leaves.

    Of several `passes` the reader chooses one; the first is that of the step. Each check holds
    where one of its numbers is as it says: that of a key of the state such as `v3`; the number of
    `moves` taken, or of those `left`; the index of the `pass`; 1 for an `order` by hand that works;
    the `epochs`, the `rate` and the `loss`. Show me sets `numbers` by leaf, and takes the pass of
    the index `shows`. At most one of `hand` and `descent` is given.
    """

    passes: list[PassData]
    checks: list[PageCheck]
    numbers: dict[str, JsonNumber] = {}
    shows: int = 0
    hand: HandData | None = None
    descent: DescentData | None = None


class StepData(Struct, omit_defaults=True):
    """One step of a page.

    `graph` is an index of `PageData.graphs`. `says` is the narration, also the figure's text for a
    screen reader; `text` are the paragraphs of a lesson's step, `task` is its task. `lit` are nodes
    (`"3"`) and wires (`"3.0"`) with a ring, `watched` those with a dashed one. With `moves`, the
    task is done once the reader has made them all; with `doing`, once its checks hold.
    `on_computer` names a task that needs the program; the step is then passed over. `given`
    are the numbers of the graph, where they are needed on paper. `position` counts as in the
    window: `Step 3 of 9`. Where there are questions, `says` and `focus` are about the step that
    they ask for, and `says` is shown once they are answered. At the end of a live page, `text` is
    about its own numbers alone. In a hunt the question is about the pass that its `moves` step
    through.
    """

    kind: StepKind
    title: str
    graph: int = 0
    shown: StateChange | None = None
    says: PageText = []
    position: str = ""
    focus: Focus | None = None
    text: list[PageText] = []
    given: PageText = []
    task: PageText = []
    hint: PageText = []
    lit: list[str] = []
    watched: list[str] = []
    questions: list[QuestionData] = []
    moves: list[MoveData] = []
    on_computer: str = ""
    doing: TaskData | None = None
    """With it, the texts of the step and of its moves have holes for numbers."""
    live: LivePage | None = None
    """The pass that the questions of a lesson's step are about; with it, its texts have holes."""


class LessonRecord(Struct, omit_defaults=True):
    """The fields of a lesson in a progress file that are known before its first answer.

    The file is `{format: "backwire progress", version: 2, lessons: {[key]: {digest, at: the last
    step, states: "done" or "shown" for each step, seed, right, asked, seconds, ended: the day}},
    slips: [{name, kind, lesson: key, title, last: the day, next: the day after}], asked: [{kind,
    lesson: key, title, last: the day}], student: ""}`. `slips` has the first slip of each question
    that was first answered wrong, `asked` each kind once; kind "text" is in neither.
    """

    key: str
    digest: str
    title: str
    seed: int


class RecordData(Struct, omit_defaults=True):
    """The record that the reader copies.

    Of a graph it is a report. Its text is `head`; where the reader gave a name, ` "student": …,`
    and a line end; `body`; and where there are attempts, `,\n "attempts": [\n  `, the attempts with
    `,\n  ` between them, and `\n ]`; last `\n}\n`. An attempt is a JSON object with `": "` and
    `", "` between its parts. It has, in this order and without those that are empty, 0 or false:
    kind, node, slot, step (as `QuestionData.record`), hints, shown, seconds (always, with one
    decimal), values, tries, round, set. The last is the number of the set in `PageData.sets`, from
    1, at which Three more asked, `values` has its leaves by node. A try has text, verdict (`right`,
    `rounded`, `slip`, `wrong`) and answer, which counts the presses of Answer at its step from 1,
    in Three more those at its question. A text that is no number is no try.

    Of a lesson it is a progress file, see `LessonRecord`.

    The code that the end shows has 12 characters of `0123456789ABCDEFGHJKMNPQRSTVWXYZ`, base 32, in
    three groups of four with a hyphen between: `page` (4), questions right first time (2), answered
    or shown (2), with a hint (1, at most 31), shown (1, at most 31), a checksum (2): the sum over
    these ten characters of its index from 1 times its digit, times 37, modulo 1021.
    """

    form: Literal["report", "progress"]
    page: str
    head: str = ""
    body: str = ""
    lesson: LessonRecord | None = None


class MistakeData(Struct):
    """A mistake that the reader may choose for the backward pass: the steps under it, their order.

    `title` is shown, with the sentence `says` about it; `name` is for a link.
    """

    name: str
    title: str
    says: str
    steps: list[StepData]
    live: LivePage


class PageData(Struct, omit_defaults=True):
    """One page: the JSON that the script reads.

    `able` and `surprise` are those of a lesson, for its end; `cover` says that blanks have no field
    and a tap shows them. `begins` is the index of the step at which the page opens. `words` has the
    sentences of the engine that no step owns: `unread` (with `{text}`, of which 12 characters are
    quoted, the last of them `…`), `comma` (with `{text}`, `{whole}` and `{part}` of a number whose
    comma has two meanings), `empty`, and the praise by the try that was right: `first`, `second`
    and `third`, before `mended`, `digits` and `rounded_says`. So it has what is said of a pass that
    is over at the reader's numbers: `more`, `later` and the effects on the root, and of a wrong one
    `app.workbench.gradients.comparison.correct_pass_words`.
    """

    title: str
    kind: Literal["graph", "lesson"]
    graphs: list[GraphData]
    steps: list[StepData]
    record: RecordData
    theme: PageTheme = "auto"
    cover: bool = False
    hints: bool = True
    """Whether there are Hint and Show me; three wrong answers show the right one in any case."""
    able: str = ""
    surprise: str = ""
    onward: list[tuple[str, str]] = []
    """Titles and addresses of the links at the end, in the folder of a course."""
    begins: int = 0
    words: Mapping[str, str] = {}
    live: LivePage | None = None
    """With it, the texts of `shown`, `reveals` and `says` have holes for numbers."""
    still: str = ""
    """Why no leaf can be changed, where a reader would look for them."""
    sets: list[list[JsonNumber]] = []
    """With `live`, numbers of its leaves in their order, at which Three more asks."""
    mistakes: list[MistakeData] = []
    """With `live`, those that the reader may choose, each in place of `steps` and `live`."""
    correct: LivePage | None = None
    """The correct pass, where `live` is one with a mistake."""
    shared: list[SharedTexts] = []
    """With `live`, further fields of questions, by their `like`."""
    results: list[Any] = []
    """With `live`, the texts that conditions choose, and choices between them, by number."""
    texts: list[str] = []
    """With `live`, the texts that conditions are about."""
    digits: int = 4
    """Significant digits of numbers on the page."""
    said: list[StepData] = []
    """The steps at the page's own numbers, where `steps` have holes; not in the JSON."""
    script: str = ""
    """The operations that the page computes, as JavaScript; not in the JSON."""
