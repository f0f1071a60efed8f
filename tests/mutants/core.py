"""Mutants of the core: wiring, orders, passes, rules, frames, edits and files."""

from tests.mutants.mutant import Mutant, faults

FIRST_ROUND = """
for node in sorted(nodes):
    found = nodes[node]
    if not isinstance(found, Root) and is_name(found.label) and found.label not in taken:
        names[node] = found.label
        taken.add(found.label)
"""

MUTANTS: tuple[Mutant, ...] = (
    *faults(
        "order.py",
        ("post_order", "inputs(node)[::-1]", "inputs(node)"),
        ("post_order", "node not in seen", "True"),
        ("post_order", "seen.add(node)", "pass"),
        ("post_order", "opened.pop()", "opened.pop(0)"),
    ),
    *faults(
        "graph.py",
        (
            "Structure.pathless",
            "leaves.difference(self.plan(root).order)",
            "leaves.intersection(self.plan(root).order)",
        ),
        ("Structure.plan", "(root,)", "self._nodes"),
        ("Structure.plan", "{root}", "set()"),
        (
            "Structure.plan",
            "wants.intersection(inputs) or isinstance(self._nodes[node], Leaf)",
            "isinstance(self._nodes[node], Leaf)",
        ),
        (
            "Structure.plan",
            "wants.intersection(inputs) or isinstance(self._nodes[node], Leaf)",
            "wants.intersection(inputs)",
        ),
        ("Structure.plan", "root not in self._plans", "not self._plans"),
        ("Structure.outgoing", "slot", "0"),
        ("Graph.root", "marker.input if isinstance(marker, Root) else None", "self.active_root"),
        ("Graph.with_values", "object.__setattr__(result, 'structure', self.structure)", "pass"),
        (
            "Graph.__eq__",
            "mine == theirs and same_nodes(self.nodes, other.nodes)",
            "mine == theirs",
        ),
        ("Graph.to_networkx", "key=slot", "key=0"),
    ),
    *faults(
        "nodes.py",
        ("_make_float", "type(node.value) is not float", "False"),
        (
            "names_of",
            "not isinstance(found, Root) and is_name(found.label) and (found.label not in taken)",
            "not isinstance(found, Root) and is_name(found.label)",
        ),
        ("is_name", "label not in RESERVED", "True"),
        ("names_of", "name in taken", "False"),
        (
            "names_of",
            FIRST_ROUND,
            FIRST_ROUND.replace("sorted(nodes)", "sorted(nodes, reverse=True)"),
        ),
        ("_both_nan", "alike and math.isnan(one.value) and math.isnan(other.value)", "alike"),
        ("_derived", "base[0].isdigit()", "False"),
    ),
    *faults(
        "schedule.py",
        ("_fired", "rules.seed", "True"),
        ("_fired", "rules.passes + 1", "2"),
        ("_fired", "sweep > 1", "sweep > 2"),
        ("_fired", "Firing('zero', node, sweep)", "Firing('zero', node)"),
        ("_sends", "source in plan.wants", "source is not None"),
        ("_sends", "(slot, source, partial)", "(0, source, partial)"),
        ("_zeroed", "rules.zeroed == 'none'", "False"),
        ("_zeroed", "rules.zeroed == 'all' or isinstance(graph.nodes[n], Leaf)", "True"),
        ("_limited", "steps > EVENT_LIMIT", "steps >= EVENT_LIMIT"),
        ("Schedule.is_too_long", "len(self) > EVENT_LIMIT", "len(self) >= EVENT_LIMIT"),
        ("schedule_of", "rules is CORRECT", "True"),
        ("schedule_of", "(root, phase, rules)", "(root, phase)"),
        ("Schedule.arrivals", "tick.kind == 'contribution'", "True"),
        ("Schedule.firing_numbers", "enumerate(dict.fromkeys(fired), 1)", "enumerate(fired, 1)"),
        ("Schedule.turns", "firing.kind == last == 'zero'", "False"),
        ("Schedule.turns", "done >= first", "True"),
    ),
    *faults(
        "trace.py",
        ("_events", "upstream * local", "upstream + local"),
        ("_events", "upstream * local", "local"),
        ("_events", "before + contribution", "contribution"),
        ("_events", "before + contribution", "before - contribution"),
        ("_events", "rules.accumulate", "True"),
        ("_events", "1.0 if kind == 'seed' else 0.0", "2.0 if kind == 'seed' else 0.0"),
        ("_events", "1.0 if kind == 'seed' else 0.0", "1.0"),
        ("_events", "grads[node] = given", "pass"),
        ("_events", "grads[source] = after", "pass"),
        ("_events", "[values[source] for source in inputs]", "[values[s] for s in inputs[::-1]]"),
        ("_events", "values[node]", "0.0"),
        ("run_to_step", "phase == 'forward'", "phase == 'backward'"),
        ("run_again", "before.rules", "CORRECT"),
        ("evaluate_values", "values[source]", "values[node]"),
        ("resolve", "problem is not None", "False"),
        ("resolve", "node = found.input", "pass"),
    ),
    *faults(
        "rules.py",
        ("reversed_order", "reversed", "iter"),
        ("forward_order", "iter", "reversed"),
        (
            "recursive",
            "_wanted_inputs(graph, plan, node)[::-1]",
            "_wanted_inputs(graph, plan, node)",
        ),
        (
            "depth_first",
            "_wanted_inputs(graph, plan, node)[::-1]",
            "_wanted_inputs(graph, plan, node)",
        ),
        ("breadth_first", "queue.popleft", "queue.pop"),
        ("_own_input", "1 - slot", "slot"),
        ("_no_division", "None if op.name == 'div' else op.partials[slot]", "op.partials[slot]"),
        ("", "zeroed='leaves'", "zeroed='all'"),
        ("", "zeroed='none'", "zeroed='leaves'"),
        ("", "accumulate=False", "accumulate=True"),
        ("", "seed=False", "seed=True"),
        ("random_order", "random.Random(len(order)).shuffle(order)", "order.reverse()"),
    ),
    *faults(
        "frame.py",
        ("frame_at", "trace.events[:k]", "trace.events[: k + 1]"),
        ("frame_at", "event.after", "event.contribution"),
        ("frame_at", "k == len(trace)", "True"),
        ("Frame.ledger", "k < self.cursor", "k <= self.cursor"),
        ("Frame.__post_init__", "self.cursor - 1", "self.cursor"),
        ("frame_at", "max(0, min(cursor, len(trace)))", "min(cursor, len(trace))"),
        ("_forward_frame", "trace.computed[:k]", "trace.computed"),
    ),
    *faults(
        "edits.py",
        ("add", "number + 1", "number"),
        ("add", "isinstance(node, Root) and graph.active_root is None", "isinstance(node, Root)"),
        ("_replugged", "instead.get(s, s)", "instead.get(s)"),
        ("_plug", "slot + 1", "slot"),
        ("_check_wire", "loop(graph, source, wire[0])", "()"),
        ("_check_source", "source == wire[0]", "False"),
        (
            "_check_slot",
            "0 <= slot < len(graph.inputs(target))",
            "slot < len(graph.inputs(target))",
        ),
        ("set_op", "found.inputs[:slots]", "()"),
        ("_check_label", "len(label) > LABEL_LIMIT", "len(label) >= LABEL_LIMIT"),
    ),
)
