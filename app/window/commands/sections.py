"""What the Graph menu does with sections."""

from __future__ import annotations

from app.document.sections import COLOURS
from app.window.actions import Action
from app.window.commands import conditions as when


def _colour(place: int, name: str) -> Action:
    return Action(
        f"section_colour-{name.lower()}",
        name,
        lambda w: w.sectioning.colour(place),
        menu="Graph/Section colour",
        tip=f"Make the selected sections {name.lower()}",
        enabled=when.section_chosen,
        checked=lambda w: w.sectioning.shows(place),
    )


SECTIONS: tuple[Action, ...] = (
    Action(
        "section",
        "Add &section",
        lambda w: w.sectioning.add(),
        ("Ctrl+Shift+G",),
        "",
        "Graph",
        "Draw a titled box around the selection; it moves what lies in it",
        gap=True,
    ),
    Action(
        "next_section",
        "Select next section",
        lambda w: w.sectioning.choose_next(),
        ("Shift+S",),
        "",
        "Graph",
        "Select the sections one after the other",
        when.has_sections,
    ),
    Action(
        "select_content",
        "Select what lies in section",
        lambda w: w.sectioning.choose_content(),
        menu="Graph",
        tip="Select the nodes and sections in the selected section as well",
        enabled=when.section_chosen,
    ),
    *(_colour(place, name) for place, name in enumerate(COLOURS)),
)
