"""Actions that copy what is explained: derivations and the narrated pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from app.window.actions import Action
from app.window.commands import conditions as when
from app.workbench.gradients.chain_rule import Derivation, derivation
from app.workbench.selection import explained
from engine.rules import UNKNOWN

if TYPE_CHECKING:
    from app.window.context import Context


def copy_text(context: Context) -> None:
    """Copy why the gradient is what it is, as text."""
    from app.workbench.study.copying import derivation_text

    text = derivation_text(_explained(context), context.style.digits, context.style.notation)
    _copy(context, text, "The derivation")


def copy_latex(context: Context) -> None:
    """Copy the formulas of a gradient as LaTeX."""
    from app.workbench.study.copying import derivation_latex

    text = derivation_latex(_explained(context), context.style.digits, context.style.notation)
    if text:
        _copy(context, text, "The derivation in LaTeX")
    else:
        context.messages.toast("There is no formula to copy: no contribution comes here.")


def copy_pass(context: Context) -> None:
    """Copy a sentence for each step of the pass, in the chosen voice."""
    from app.workbench.study.copying import pass_text

    now, voice, style = context.playback.now, context.settings.voice, context.style
    text = pass_text(now.frame, voice, style.digits, now.comparison, style.notation)
    if text:
        _copy(context, text, "The pass")
    else:
        context.messages.toast("There is no step to copy yet.")


def _explained(context: Context) -> Derivation:
    now = context.playback.now
    node = explained(now.frame, context.selection)
    assert node is not None  # else the action is not enabled
    return derivation(now.frame, node, now.comparison)


def _copy(context: Context, text: str, what: str) -> None:
    QGuiApplication.clipboard().setText(text)
    context.messages.toast(f"{what} is on the clipboard.")


def something_explained(context: Context) -> bool:
    """Return whether Why explains a node."""
    hidden = context.playback.now.rules is UNKNOWN  # what is explained would be another rule
    return not hidden and explained(context.playback.frame, context.selection) is not None


COPYING: tuple[Action, ...] = (
    Action(
        "copy_text",
        "Derivation as text",
        copy_text,
        tip="Copy the chain rule of the selected node, or of this step, as text",
        enabled=something_explained,
    ),
    Action(
        "copy_latex",
        "Derivation as LaTeX",
        copy_latex,
        tip="Copy the chain rule of the selected node, or of this step, as LaTeX",
        enabled=something_explained,
    ),
    Action(
        "copy_pass",
        "Pass as text",
        copy_pass,
        tip="Copy a sentence for each step, in the chosen voice",
        enabled=when.in_a_pass,
    ),
)
