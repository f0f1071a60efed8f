"""Help: the answer line of a question, rung by rung.

1  the slip that a wrong number gives away, without the right number
2  by how much the node changes when the input does, from two forward runs
3  worked: the computation of the right number
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from app.controls.spans import Span, Spans, filled, number_span, plain_text, verbatim
from app.lessons.lesson import Choice
from app.workbench.gradients.formulas import (
    along,
    bracketed,
    enumerated,
    input_names,
    names_text,
    values_text,
)
from app.workbench.modes.evidence import told_experiment
from app.workbench.modes.quiz import WORKED_RUNG, JudgedAnswer, Quiz
from app.workbench.words.narration import step_numbers
from app.workbench.words.sentences import Case, sentence
from app.workbench.words.strip import Option, are_numbers
from engine.asking.answering import first_try_feedback, rule_sentence
from engine.asking.beliefs import belief_numbers
from engine.asking.hand_run import next_slip_sentence
from engine.asking.inference import BY_NAME as IDEAS
from engine.asking.inference import Answered, denied, likeliest_first
from engine.asking.judging import Judgement, number_choices, number_text, quoted
from engine.asking.kinds import ASKED_BEFORE_PASS, KINDS, SIGN_WORDS, answer, long_name
from engine.asking.nudge import USUAL_CHANGE, ripple
from engine.asking.paths import path_count, paths_in
from engine.asking.question import Question, changed_value, facts, final_gradient
from engine.asking.reasons import because, reason_for
from engine.graph import OpNode, Root
from engine.numbers import HOLE_BEGINS, HOLE_ENDS, Digits, counted, short, signed
from engine.problems import by_convention, name_with_op
from engine.rules import CORRECT
from engine.trace import Trace, evaluate_values

_WORDS_BY_TEXT: Final = {short(sign): word for sign, word in SIGN_WORDS.items()}
"""Verb for the root, by the sign of the gradient as an answer gives it."""
_ONE_PATH: Final = "{answer} path leads from **{node}** to **{root}**."
_LEAVES_NAMED: Final = 3
"""Leaves up to which a prompt says of each that it stays."""
_GUESS_PROMPT: Final = "Guess; then try it."
_KEYS_HINT: Final = "keys 1–{most} choose, Enter answers"
_TYPE_HINT: Final = "type one of the numbers, Enter answers"


def outside_pass_sentence(
    question: Question,
    trace: Trace,
    blank: Span | Spans,
    digits: Digits,
    longest: int,
    *,
    done: bool = False,
) -> Spans:
    """Return the sentence of a change, a sign or a number of paths, with its blank."""
    graph, fields = trace.graph, dict[str, Span | Spans | str](answer=blank)
    fields["node"] = graph.brief(question.node, longest)
    fields["root"] = graph.brief(trace.root, longest)
    if question.kind == "change":
        old = trace.values[question.leaf]
        fields["leaf"] = graph.brief(question.leaf, longest)
        fields["old"] = number_span(old, "value", short(old, digits))
        fields["new"] = number_span(question.to, "value", short(question.to, digits))
    text = KINDS[question.kind].blank
    if question.kind == "paths" and done and answer(question, trace) == 1:
        text = _ONE_PATH
    return filled(text, **fields)


def outside_pass_prompt(question: Question, trace: Trace, digits: Digits, longest: int) -> Spans:
    if question.kind != "change":
        return verbatim(KINDS[question.kind].prompt)
    graph, plan = trace.graph, trace.graph.plan(question.node)
    others = [node for node in graph.leaves if node in plan.order and node != question.leaf]
    if len(others) > _LEAVES_NAMED:
        return verbatim(f"All else stays. {_GUESS_PROMPT}")
    unchanged = [
        f"{graph.brief(n, longest)} stays {short(trace.values[n], digits)}" for n in others
    ]
    return verbatim(f"{enumerated(unchanged)}. {_GUESS_PROMPT}" if unchanged else _GUESS_PROMPT)


def lesson_text(text: str) -> Spans:
    """Return a text that a lesson wrote, in which `**` makes words bold."""
    return filled(text.replace("{", "{{").replace("}", "}}"))


def answer_label(question: Question, text: str) -> str:
    """Return an answer as it is shown: a sign as the verb `rises`, `falls` or `stays`."""
    return _WORDS_BY_TEXT.get(text, text) if question.kind == "sign" else text


def given_label(question: Question, text: str, trace: Trace) -> str:
    """Return a wrong answer as it is shown: a click as the name of the node."""
    if question.kind == "next":
        return trace.graph.brief(int(text))
    return answer_label(question, text.strip().replace("-", "−"))


def right_label(quiz: Quiz, question: Question, trace: Trace, digits: Digits) -> str:
    """Return the right answer as it is shown, for every kind of question that a lesson asks."""
    lesson_question = quiz.ask_of(question)
    if lesson_question is not None:
        right = lesson_question.right_choice
        return "" if right is None else right.text
    if question.kind == "next":
        return trace.graph.brief(question.node)
    return answer_label(question, number_text(question, answer(question, trace), digits))


def options(
    quiz: Quiz, question: Question, trace: Trace | None, digits: Digits
) -> tuple[Option, ...]:
    """Return the options of a multiple choice; () where the answer is typed."""
    lesson_questions, lesson_question = quiz.lesson_questions, quiz.ask_of(question)
    texts: Sequence[str] = ()
    if lesson_question is not None and lesson_question.choices:
        texts = [choice.text for choice in lesson_question.choices]
    elif trace is not None and lesson_questions is not None:
        has_choices = lesson_questions.by_choices or KINDS[question.kind].choices
        numbers = number_choices(question, trace, digits) if has_choices else ()
        texts = [number_text(question, x, digits) for x in numbers]
    typed, struck = quiz.typed.get(question, ""), quiz.wrong_answers(question)
    return tuple(
        Option(question, label, x, "chosen" if x == typed else "struck" if x in struck else "")
        for label, x in ((answer_label(question, text), text) for text in texts)
    )


def option_keys_text(found: Sequence[Option]) -> Spans:
    """Return the line about the keys that choose an option."""
    text = _TYPE_HINT if are_numbers(found) else _KEYS_HINT.format(most=len(found))
    return (Span(text, "secondary"),)


# help


def outside_pass_hint(question: Question, trace: Trace, digits: Digits) -> str:
    """Return the hint to a question outside the pass: unfinished work, or a ripple for a sign."""
    graph = trace.graph
    if question.kind == "change":
        old = short(trace.values[question.node], digits)
        return f"{_new_value(question, trace, digits)} = …; before it was {old}."
    if question.kind == "sign":
        shown_ripple = ripple(graph, question.node, USUAL_CHANGE, trace.values)
        change, root = short(shown_ripple.change(trace.root), digits), graph.brief(trace.root)
        raised = f"Raise {graph.brief(question.node)} by {short(USUAL_CHANGE)}"
        return f"{raised} and {root} changes by {change}."
    if question.kind != "paths":
        return rule_sentence(question, trace, digits)
    path_counts, wires = _path_counts(question, trace), len(_ways_on(question, trace))
    if not wires:
        return f"{graph.brief(question.node)} is the root: no wire is left to go along."
    if len(path_counts) == 1:
        lead_on = counted(wires, "One wire leads on", "{count} wires lead on")
        return f"{lead_on}, to {', '.join(path_counts)}; count from there."
    texts = [f"{name} {count:,}" for name, count in path_counts.items()]
    return f"Ways from there on: {', '.join(texts)}."


def outside_pass_worked(question: Question, trace: Trace, digits: Digits) -> Spans:
    """Return the computation of the right answer, without a full stop."""
    right, graph = answer(question, trace), trace.graph
    if question.kind == "change":
        new, old = changed_value(question, trace), trace.values[question.node]
        return filled(
            "{found} = {new}; {new} − {old} = {number}",
            found=_new_value(question, trace, digits),
            new=short(new, digits),
            old=bracketed(short(old, digits)),
            number=number_span(right, "value", signed(right, digits)),
        )
    if question.kind == "sign":
        gradient = final_gradient(question.node, trace)
        return filled(
            "{node}.grad is {gradient}, so {root} {does}",
            node=graph.brief(question.node),
            gradient=number_span(gradient, "gradient", short(gradient, digits)),
            root=graph.brief(trace.root),
            does=answer_label(question, short(right)),
        )
    if question.kind != "paths":
        number = number_span(right, KINDS[question.kind].role, number_text(question, right, digits))
        return filled("{name} is {number}", name=long_name(question, graph), number=number)
    path_counts = [f"{count:,}" for count in _path_counts(question, trace).values()]
    text = " + ".join(path_counts)
    return filled(
        "{text}", text=f"{text} = {short(right, digits)}" if path_counts[1:] else text or "1"
    )


def _new_value(question: Question, trace: Trace, digits: Digits) -> str:
    """Return `y is then 3 × 5`."""
    graph, node = trace.graph.with_values({question.leaf: question.to}), question.node
    name = graph.brief(node)
    if not isinstance(graph.nodes[node], OpNode):
        return f"{name} is then {short(question.to, digits)}"
    return f"{name} is then {values_text(evaluate_values(graph), graph, node, digits)}"


def _ways_on(question: Question, trace: Trace) -> list[tuple[str, int]]:
    """Return for each wire towards the root its consumer's name, and the paths from there."""
    graph = trace.graph
    targets = [t for t, _slot in graph.outgoing.get(question.node, ())]
    targets = [target for target in targets if not isinstance(graph.nodes[target], Root)]
    counts = [(target, path_count(graph, target, trace.root)) for target in targets]
    return [(name_with_op(graph, target, brief=True), paths) for target, paths in counts if paths]


def _path_counts(question: Question, trace: Trace) -> Mapping[str, int]:
    """Return the number of paths to the root through each consumer of the node, by its name."""
    counts = Counter[str]()
    for name, paths in _ways_on(question, trace):
        counts[name] += paths
    return counts


NAME_LENGTH: Final = 12
"""Maximum number of characters of a node's name."""
PATHS_WRITTEN: Final = 4
"""Maximum number of paths whose products are written out: a longer sum is no help."""
PRAISE_BY_TRIES: Final = (
    *("Right.", "Right."),
    *("Right the second time.", "Right the third time.", "Right the fourth time."),
)
"""By the number of tries, among them one that a verdict asked for; 0 if no answer was judged."""
_WOULD_GIVE: Final = "{idea} would give {number} here."
_GAVE_BEFORE: Final = "{idea} would give {number} here; at step {step:,} it gave {gave}."
_WRONG_ANSWER: Final = "**{typed}** is not it. "
_WRONG_AGAIN: Final = "**{typed}** is not it either. "
_SAME_AGAIN: Final = "**{typed}** again. "


def wrong_answer_line(
    quiz: Quiz, wrong: Sequence[JudgedAnswer], trace: Trace, digits: Digits
) -> Spans:
    """Return the verdict on the wrong answers of a try: on the first, and on those that follow."""
    first, *others = wrong
    if quiz.rung > 1 and first.judgement is not None:
        hint = second_hint(quiz, first.question, trace, digits)
        return (*wrong_again(quiz, first), *hint)
    spans = [*wrong_verdict(slip_feedback(quiz, first, trace, digits))]
    for other in others:
        if other.judgement is not None and other.judgement.kind == "follows":
            consequence = first_try_feedback(other.judgement, trace)
            spans += [Span("  "), *with_bold_number(consequence, other.text)]
    return tuple(spans)


def wrong_verdict(text: Spans) -> Spans:
    """Return what is said of a wrong answer behind the sign for it."""
    return (Span("✘ ", "error", bold=True), *text)


def wrong_answers(
    quiz: Quiz, trace: Trace, digits: Digits
) -> Iterator[tuple[Question, str, str, Spans]]:
    """Yield the wrong answers of a try: question, answer, right answer, and the verdict."""
    for question, given in quiz.last_answers.items():
        if given.right:
            continue
        lesson_question = quiz.ask_of(question)
        chosen = None if lesson_question is None else lesson_question.choice(given.text)
        if chosen is not None:
            typed, line = given.text, verbatim(chosen.say)
        else:
            typed = given_label(question, given.text, trace)
            line = slip_feedback(quiz, given, trace, digits)
        yield question, typed, right_label(quiz, question, trace, digits), line


def lesson_question_line(quiz: Quiz, question: Question) -> Spans:
    """Return the line below a question that a lesson wrote: "" until it was answered or helped."""
    last_answer, lesson_question = quiz.last_answers.get(question), quiz.ask_of(question)
    if quiz.refusal:
        return verbatim(quiz.refusal)
    if question in quiz.done:
        right = None if lesson_question is None else lesson_question.right_choice
        mark = Span("Worked: ", "secondary") if quiz.shown else Span("✓ ", bold=True)
        return () if right is None else (mark, *_choice_text(right))
    if last_answer is not None and lesson_question is not None:
        wrong = lesson_question.choice(last_answer.text)
        cross = Span("✘ ", "error", bold=True)
        return () if wrong is None else (cross, *_choice_text(wrong))
    return ()


def _choice_text(choice: Choice) -> Spans:
    if not choice.say:
        return filled("**{text}**", text=choice.text)
    return (*filled("**{text}**: ", text=choice.text), *lesson_text(choice.say))


def wrong_again(quiz: Quiz, given: JudgedAnswer) -> Spans:
    """Return the verdict on a wrong answer before the second help.

    An experiment argues alone: that half of a number is right would confirm the belief behind it.
    """
    typed = answer_label(given.question, quoted(given.text))
    last = quiz.wrong_answers(given.question)[-2:]
    again = _SAME_AGAIN if last == 2 * (given.text,) else _WRONG_AGAIN
    return wrong_verdict(filled(again if quiz.tries > 1 else _WRONG_ANSWER, typed=typed))


def slip_feedback(quiz: Quiz, given: JudgedAnswer, trace: Trace, digits: Digits) -> Spans:
    """Return the slip that a wrong answer gives away, without the right number."""
    if (lesson_question := quiz.ask_of(given.question)) is not None:
        chosen = lesson_question.choice(given.text)
        return () if chosen is None else lesson_text(chosen.say)
    if given.judgement is None:  # a click on a node: the text is its id
        fired = [e.sender for e in trace.events[: given.question.step - 1] if e.wire]
        return verbatim(next_slip_sentence(trace.graph, trace.root, fired, int(given.text)))
    if given.question.kind == "sign":
        typed, slip = answer_label(given.question, given.text), given.judgement.slip
        reason = slip and reason_for(slip, 0.0, given.question, trace, digits)
        hint = verbatim(reason.first.text) if reason else first_hint(given.question, trace, digits)
        return (*filled(_WRONG_ANSWER, typed=typed), *hint)
    asked = tuple(question for question, found in quiz.last_answers.items() if not found.right)
    judged = _likeliest_first(quiz, given.judgement)
    return with_bold_number(first_try_feedback(judged, trace, asked, digits), given.text)


def _likeliest_first(quiz: Quiz, judged: Judgement) -> Judgement:
    """Return a judgement whose first slip is of the belief that `infer` finds behind it."""
    history = [each.slips for a in quiz.record.attempts for each in a.tries if each.slips]
    names = likeliest_first([slip.name for slip in judged.slips], history, quiz.open_beliefs)
    ordered = sorted(judged.slips, key=lambda slip: names.index(slip.name))
    return replace(judged, slips=tuple(ordered))


def with_bold_number(text: str, typed: str) -> Spans:
    """Return a sentence that begins with the typed number in bold."""
    number = quoted(typed)
    if text.startswith(number):
        return (Span(number, bold=True), Span(text.removeprefix(number)))
    return filled("**{number}**: {text}", number=number, text=text[:1].lower() + text[1:])


def second_hint(quiz: Quiz, question: Question, trace: Trace, digits: Digits) -> Spans:
    """Return the experiment that shows the answer, or else the unfinished work."""
    if (told := told_experiment(quiz, question, trace, digits)) is not None:
        return with_changes(told.text)
    wire, graph = question.wire, trace.graph
    if wire is not None and trace.graph.op(wire[0]).is_kink(*facts(question, trace).inputs):
        return verbatim(graph.op(wire[0]).convention)
    return verbatim(_unfinished_work(quiz.helped_blank(question), trace, digits))


_HOLE: Final = f"{HOLE_BEGINS}[^{HOLE_ENDS}]*"
_CHANGE: Final = re.compile(
    rf"(?<!\S)([+−±][\d.]+(?:e−?\d+)?|\+{_HOLE}{HOLE_ENDS}|{_HOLE}±{HOLE_ENDS})"
)


def with_changes(text: str) -> Spans:
    """Return a sentence with its changes, such as +0.01, in the colour of values."""
    parts = _CHANGE.split(text)
    return tuple(
        Span(part, "value", bold=True) if k % 2 else Span(part)
        for k, part in enumerate(parts)
        if part
    )


def _has_operation(products: str) -> bool:
    """Return whether a product or a sum is left to be computed."""
    return " × " in products or " + " in products


def first_hint(question: Question, trace: Trace, digits: Digits) -> Spans:
    """Return the rule that a question is about."""
    return verbatim(rule_sentence(question, trace, digits))


def _unfinished_work(question: Question, trace: Trace, digits: Digits) -> str:
    """Return the work without its result; where nothing is computed, the rule."""
    graph, node = trace.graph, question.node
    if question.kind == "value" and isinstance(graph.nodes[node], OpNode):
        return f"{values_text(trace.values, graph, node, digits)} = …"
    if question.kind == "final":
        if _has_operation(products := _products(question, trace, digits)):
            return f"{products} = …"
    elif question.kind in ASKED_BEFORE_PASS:
        return outside_pass_hint(question, trace, digits)
    if question.kind != "sum":
        return rule_sentence(question, trace, digits)
    at = facts(question, trace)
    before = short(at.before, digits)
    if not at.adds:
        return f"It held {before}; only what comes last stays."
    return f"{before} + {bracketed(short(at.contribution, digits))} = …"


def _products(question: Question, trace: Trace, digits: Digits) -> str:
    """Return the products of the slopes along all paths; "" if there are many."""
    paths = paths_in(trace, question.node, PATHS_WRITTEN + 1)
    if not 0 < len(paths) <= PATHS_WRITTEN:
        return ""
    return " + ".join(
        " × ".join(bracketed(short(slope, digits)) for slope in path.factors) or "1"
        for path in paths
    )


def worked_line(questions: Sequence[Question], trace: Trace, digits: Digits) -> Spans:
    """Return the computation of the right numbers of a step, with its reasons where it has some."""
    last = [q for q in questions if q.kind != "local" or len(questions) == 1]
    reasons = [because(question, trace, digits) for question in last]
    spans: list[Span] = [Span("Worked: ", "secondary")]
    if argued := [told.text for told in reasons if told is not None and all(reasons)]:
        return (*spans, Span(" ".join(argued)))
    kinds = {question.kind: question for question in questions}
    parts: list[Spans] = []
    if local := kinds.get("local") or kinds.get("contribution"):
        parts.append(_slope_worked(local, trace, digits))
    if sent := kinds.get("contribution"):
        numbers = step_numbers(facts(sent, trace), digits)
        parts.append(sentence("contribution", "worked", numbers))
    if total := kinds.get("sum"):
        at = facts(total, trace)
        fields = {**step_numbers(at, digits), "receiver": trace.graph.brief(at.receiver)}
        fields |= {} if at.adds else {"after": short(at.after, digits)}
        case: Case = "worked sum" if at.adds else "worked replaced"
        parts.append(sentence("contribution", case, fields))
    others = [q for q in questions if q.kind in ("value", "next", *ASKED_BEFORE_PASS)]
    parts += [_other_worked(question, trace, digits) for question in others]
    for place, part in enumerate(parts):
        spans += [*((Span("; "),) if place else ()), *part]
    return (*spans, Span("."))


def _slope_worked(question: Question, trace: Trace, digits: Digits) -> Spans:
    """Return `the slope of a × b along a is b = −3`."""
    graph, wire, at = trace.graph, question.wire, facts(question, trace)
    assert wire is not None
    slot = trace.rules.slope_slot(at.op, at.slot)
    slope = at.op.filled(at.op.slopes[slot], input_names(graph, question.node, digits))
    is_number = not any(letter.isalpha() for letter in slope)
    fields = {
        **step_numbers(at, digits),
        "formula": names_text(graph, question.node, digits),
        "by": along(graph, wire, NAME_LENGTH),
        "slope": slope,
    }
    if slot != at.slot:
        return sentence("contribution", "worked mistake", fields)
    # `is b = −3` needs a formula besides the number, and by convention the formula has no value
    has_formula = not is_number and not by_convention(graph, wire, trace.values)
    return sentence("contribution", "worked slope" if has_formula else "worked rule", fields)


def _other_worked(question: Question, trace: Trace, digits: Digits) -> Spans:
    graph, right = trace.graph, answer(question, trace)
    if question.kind == "value" and isinstance(graph.nodes[question.node], OpNode):
        numbers = values_text(trace.values, graph, question.node, digits)
        value = number_span(right, "value", short(right, digits))
        return filled("{numbers} = {value}", numbers=numbers, value=value)
    if question.kind == "next":
        return filled("{node} may fire", node=name_with_op(graph, question.node, brief=True))
    if question.kind in ASKED_BEFORE_PASS and question.kind != "final":
        return outside_pass_worked(question, trace, digits)
    products = _products(question, trace, digits)
    return filled(
        "{name}.grad = {products}{number}",
        name=graph.brief(question.node, NAME_LENGTH),
        products=f"{products} = " if _has_operation(products) else "",
        number=number_span(right, "gradient", short(right, digits)),
    )


def right_answer_line(
    quiz: Quiz, questions: Sequence[Question], trace: Trace, digits: Digits
) -> Spans:
    """Return the praise when all blanks are right: the try, a remark on digits, the rule."""
    answers = [quiz.last_answers[q] for q in questions if q in quiz.last_answers]
    judged = [g.judgement for g in answers if g.right and g.judgement is not None]
    is_typed = quiz.lesson_questions is None or not quiz.lesson_questions.by_choices
    remarks = (first_try_feedback(found, trace, digits=digits) for found in judged if is_typed)
    praise = PRAISE_BY_TRIES[min(quiz.tries + quiz.helped, WORKED_RUNG + 1)]
    said = _praise_of_belief(quiz, questions, trace, digits)
    if not said and (remark := next(filter(None, remarks), "")):
        praise = f"{praise.removesuffix('Right.')} {remark}".strip()
    if not said and quiz.tries <= 1:
        said = _would_have_said(quiz, trace, digits)
    text = f"{praise} {said or reason_of_right(questions, trace, digits)}".rstrip()
    return (Span("✓ ", bold=True), Span(text))


def _praise_of_belief(
    quiz: Quiz, questions: Sequence[Question], trace: Trace, digits: Digits
) -> str:
    """Return what is said of the belief that a right answer mends; "" where none showed.

    That is the last wrong answer at this step, or else the belief of an earlier step that would
    have given another number here.
    """
    for question in reversed(questions):
        tries = (a.tries for a in quiz.pass_attempts if a.question == question)
        wrong = [each.slips for each in next(tries, ()) if each.slips]
        slips = wrong[-1] if wrong else ()
        found = (praise_of_belief(name, question, trace, digits) for name in slips)
        if praise := next(filter(None, found), ""):
            return praise
    return ""


def praise_of_belief(name: str, question: Question, trace: Trace, digits: Digits) -> str:
    """Return what is said once the belief behind a slip is mended; "" where it has no reason."""
    numbers = belief_numbers(question, trace, ())
    found = next(((slip, number) for slip, number in numbers if slip.name == name), None)
    reason = None if found is None else reason_for(*found, question, trace, digits)
    return "" if reason is None else reason.praise.text


def _would_have_said(quiz: Quiz, trace: Trace, digits: Digits) -> str:
    """Return what the belief of an earlier wrong answer would have said here; "" without one."""
    if trace.rules is not CORRECT:
        return ""
    attempts = [a for a in quiz.pass_attempts if a.tries and a.question.wire is not None]
    answered = [
        Answered(each.question, trace, each.right_first, each.tries[0].slips, each.tries[0].text)
        for each in attempts
        if each.values == attempts[-1].values
    ]
    found = denied(answered, quiz.open_beliefs, digits)
    if found is None:
        return ""
    title, template = IDEAS[found.idea].title, _GAVE_BEFORE if found.step else _WOULD_GIVE
    number, gave = (short(x, digits) for x in (found.number, found.gave))
    idea = title[:1].upper() + title[1:]
    return template.format(idea=idea, number=number, step=found.step, gave=gave)


def reason_of_right(questions: Sequence[Question], trace: Trace, digits: Digits) -> str:
    """Return why a right number is right; outside a pass the work."""
    if questions[0].kind in ASKED_BEFORE_PASS and questions[0].kind != "final":
        return f"{plain_text(outside_pass_worked(questions[0], trace, digits))}."
    wires = [q for q in questions if q.wire is not None]
    question = next((q for q in wires if q.kind in ("local", "contribution")), None)
    told = because(question or wires[-1], trace, digits) if wires else None
    return "" if told is None else told.text
