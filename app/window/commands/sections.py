"""Actions for sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from app.canvas.scene.hit_test import content
from app.document.sections import COLOURS
from app.window.actions import Action, sheet_action
from app.window.commands import conditions as when

if TYPE_CHECKING:
    from app.window.context import Context


def add_section(context: Context) -> None:
    """Draw a section around the selection, and edit its title."""
    context.shell.show_work()
    context.canvas.editing.add_section()


def colour_chosen(context: Context, place: int) -> None:
    """Give the selected sections a colour of `COLOURS`, as one step."""
    document = context.document
    gesture = document.new_gesture()
    for number in sorted(context.selection.sections):
        changed = replace(document.sheet.sections[number], colour=place)
        document.sections.set(number, changed, "Colour section", gesture)


def choose_next(context: Context) -> None:
    """Select the next section, bring it into view, and focus the canvas."""
    context.shell.show_work()
    context.selection.choose_next_section()
    context.canvas.framing.show_sections(context.selection.sections)


def choose_content(context: Context) -> None:
    """Add the content of the selected sections to the selection."""
    nodes, boxes = content(context.canvas.scene, context.selection.sections)
    context.selection.add(nodes, boxes)


def _colour(place: int, name: str) -> Action:
    return sheet_action(
        f"section_colour-{name.lower()}",
        name,
        lambda c: colour_chosen(c, place),
        tip=f"Make the selected sections {name.lower()}",
        enabled=when.section_chosen,
        checked=lambda c: when.section_colour_is(c, place),
    )


SECTIONS: tuple[Action, ...] = (
    sheet_action(
        "section",
        "Add &section",
        add_section,
        ("Ctrl+Shift+G",),
        tip="Draw a titled box around the selection; it moves what lies in it",
    ),
    sheet_action(
        "next_section",
        "Select next section",
        choose_next,
        ("Shift+S",),
        tip="Select the sections one after the other",
        enabled=when.has_sections,
    ),
    sheet_action(
        "select_content",
        "Select what lies in section",
        choose_content,
        tip="Select the nodes and sections in the selected section as well",
        enabled=when.section_chosen,
    ),
    *(_colour(place, name) for place, name in enumerate(COLOURS)),
)
