"""Questions: shows the card of Predict over the canvas, and the line to the wire it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QPainter,
    QPainterPath,
    QPolygonF,
)
from PySide6.QtWidgets import QApplication

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.card_place import (
    CORNER,
    EDGE,
    GAP,
    LABEL,
    NODE,
    OTHER,
    WIRE,
    Taken,
    card_place,
    cost,
    leader,
)
from app.canvas.paint.painter import label_wires
from app.style.strokes import hairline
from app.workbench.asking import Asking
from app.workbench.question_words import asked, verdict
from app.workbench.shown import Shown
from engine.frame import Frame
from engine.study.question import Question

if TYPE_CHECKING:
    from app.canvas.editing.question_card import QuestionCard

ROW = 40
"""Height of a row of the card, in px at 100 %."""
SMALLEST_SHARE, PRESENTED_SHARE = 0.9, 0.45
"""Share of its size to which everything is reduced at most to make room for the card: nearly all,
or its labels can't be read any more; in a presentation they are large.
"""
_LEADER, _DASH = 1.6, (2.0, 3.0)
"""Width of the line in px, and its dashes in widths of it."""


class Questions(QObject):
    """The card on one canvas; `corners` are rectangles of the canvas that it had better not cover.

    It is made when Predict first asks something.
    """

    def __init__(self, canvas: CanvasContext, corners: Callable[[], Sequence[QRectF]]) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self._corners = corners
        self._about: Question | None = None
        self._line: list[QPointF] = []
        self._attempts = 0
        self._was_on = False
        self._has_room = False
        """Whether everything has been moved up for the card, if it could be."""
        self.card: QuestionCard | None = None
        canvas.playback.shown.connect(self._follow)
        canvas.style.changed.connect(self.choose_place)
        for signal in (canvas.camera.zoomed, canvas.camera.shifted):
            signal.connect(self._keep_place)
        canvas.modes.card_wanted.connect(self._focus)

    @property
    def shown(self) -> bool:
        """Return whether the card is shown."""
        return self.card is not None and not self.card.isHidden()

    @property
    def area(self) -> QRectF:
        """Return what the card covers of the canvas; empty while it is hidden."""
        return QRectF(self.card.geometry()) if self.card is not None and self.shown else QRectF()

    def paint(self, painter: QPainter) -> None:
        """Paint the line from the card to what it is about, in sheet coordinates."""
        if not self.shown or not self._line:
            return
        to_sheet = self._canvas.camera.to_sheet
        line = QPolygonF([to_sheet(point) for point in self._line])
        painter.save()
        painter.setClipPath(self._uncovered(line.boundingRect()), Qt.ClipOperation.IntersectClip)
        painter.setPen(hairline(self._canvas.theme.selection, _LEADER, _DASH))
        painter.drawPolyline(line)
        painter.restore()

    def _uncovered(self, area: QRectF) -> QPainterPath:
        """Return an area without its nodes and labels: a line through them would strike them."""
        scene, near = self._canvas.scene, area.adjusted(-1, -1, 1, 1)
        labels = (scene.labels.rect(wire) for wire in label_wires(scene, near))
        boxes = (scene.boxes[n].rect for n in scene.node_index.within(near) if n in scene.boxes)
        clip = QPainterPath()
        clip.addRect(near)
        for rect in (*labels, *boxes):
            if rect is not None and rect.intersects(near):
                covered = QPainterPath()
                covered.addRect(rect)
                clip -= covered
        return clip

    def choose_place(self, fitted: bool = False) -> None:
        """Choose the place of the card, and draw the line to what it is about."""
        if not self.shown or self.card is None:
            return
        if not fitted:
            self._fit()
        place, taken = self._best_place()
        if cost(place, _important(taken)) and self._make_room():
            place, taken = self._best_place()
        self._put(place, taken)

    # private

    def _follow(self, shown: Shown) -> None:
        asking, frame = shown.asking, shown.frame
        wanted = asking is not None and wants_card(asking, frame)
        if not wanted or asking is None:
            self._hide()
        else:
            self._show(asking, frame)
        if asking is None and self._has_room:
            self._has_room = False
            self._canvas.framing.reserve(0.0)
        self._was_on = asking is not None and asking.mode == "predict"
        self._attempts = 0 if asking is None else len(asking.record.attempts)

    def _show(self, asking: Asking, frame: Frame) -> None:
        from app.canvas.editing.question_card import QuestionCard

        if self.card is None:
            self.card = QuestionCard(self._canvas.style, self._canvas.modes, self._canvas.widget)
        card, was_shown = self.card, self.shown
        takes_keys = not self._was_on or not was_shown or card.has_focus()
        card.show_step(asking, frame)
        now = asking.question(frame)
        about = now or asking.questions(frame)[-1]
        self._fit()
        card.show()
        card.raise_()
        moved = about.wire != getattr(self._about, "wire", None) or not was_shown
        self._about = about
        if moved:
            self.choose_place(fitted=True)
        else:
            self._keep_place()
        if takes_keys and self._may_take_keys():
            card.focus_field()
        self._announce(asking, frame, now)

    def _focus(self) -> None:
        if self.card is not None and self.shown:
            self.card.focus_field()

    def _may_take_keys(self) -> bool:
        """Return whether nobody is typing somewhere else."""
        focus = QApplication.focusWidget()
        typing = focus is not None and focus.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        view = self._canvas.widget.parentWidget()
        return focus is None or not typing or (view is not None and view.isAncestorOf(focus))

    def _hide(self) -> None:
        if self.card is not None and self.shown:
            if self.card.has_focus():
                view = self._canvas.widget.parentWidget()
                if view is not None:
                    view.setFocus()
            self.card.hide()
            self._repaint_line()
            self._line = []

    def _announce(self, asking: Asking, frame: Frame, now: Question | None) -> None:
        """Tell a screen reader what was said of an answer, and what is asked now."""
        if not QAccessible.isActive() or self.card is None or frame.whole is None:
            return
        told: list[str] = []
        digits = self._canvas.style.digits
        if len(asking.record.attempts) > self._attempts and asking.last_given is not None:
            told.append(verdict(asking.last_given, frame.whole, digits))
        if asking.told:
            told.append(asking.told)
        elif now is not None:
            told.append(asked(now, frame.whole, digits))
        announce(self.card, " ".join(told))

    # where it is

    def _fit(self) -> None:
        if self.card is not None:
            self.card.fit(self._canvas.widget.width() - 2 * round(EDGE))

    def _best_place(self) -> tuple[QRectF, list[Taken]]:
        """Return the place of the card, and what it had better not cover."""
        assert self.card is not None
        canvas, taken = QRectF(self._canvas.widget.rect()), self._taken()
        return card_place(QSizeF(self.card.size()), canvas, taken), taken

    def _make_room(self) -> bool:
        """Move everything up, and make it smaller, as far as it can still be read; or return False.

        So it stays until the mode ends.
        """
        asking, frame = self._canvas.playback.now.asking, self._canvas.playback.frame
        if self.card is None or asking is None or self._has_room:
            return False
        self._has_room = True
        framing, camera = self._canvas.framing, self._canvas.camera
        rows = min(self.card.rows.most, len(asking.level.kinds)) - len(asking.questions(frame))
        below = self.card.height() + max(rows, 0) * self._canvas.style.px(ROW) + EDGE + GAP
        free = self._canvas.widget.height() - below - 2 * GAP
        share = PRESENTED_SHARE if self._canvas.style.presented else SMALLEST_SHARE
        if free < share * self._canvas.scene.bounds().height() * camera.scale:
            return False
        framing.reserve(below)
        return True

    def _keep_place(self, _what: object = None) -> None:
        """Stay where that covers nothing that is asked about; else choose another place."""
        if not self.shown or self.card is None:
            return
        canvas, place = QRectF(self._canvas.widget.rect()), QRectF(self.card.geometry())
        low = canvas.bottom() - EDGE - place.bottom()  # it may have grown
        place.translate(0, min(low, 0.0))
        taken = self._taken_first()
        if cost(place, taken) or not canvas.contains(place):
            self.choose_place()
        else:
            self._put(place, taken)

    def _put(self, place: QRectF, taken: Sequence[Taken]) -> None:
        assert self.card is not None
        self.card.move(place.topLeft().toPoint())
        to = taken[0].rect.adjusted(GAP, GAP, -GAP, -GAP) if taken else QRectF()
        line = leader(QRectF(self.card.geometry()), to) if taken else []
        if line != self._line:
            self._repaint_line()
            self._line = line
            self._repaint_line()

    def _repaint_line(self) -> None:
        rect = QPolygonF(self._line).boundingRect()
        self._canvas.repaint.on_screen(rect.adjusted(-_LEADER, -_LEADER, _LEADER, _LEADER))

    def _taken(self) -> list[Taken]:
        """Return what the card had better not cover, in screen px; the label asked about first."""
        scene, camera = self._canvas.scene, self._canvas.camera
        near = scene.node_index.within(camera.visible_area)
        scale, right, down = camera.scale, camera.offset.x(), camera.offset.y()
        boxes = (scene.boxes[node] for node in near if node in scene.boxes)
        others = [
            QRectF(b.x * scale + right, b.y * scale + down, b.w * scale, b.h * scale) for b in boxes
        ]
        return [
            *self._taken_first(),
            *(Taken(rect, OTHER) for rect in others),
            *(Taken(rect, CORNER) for rect in self._corners()),
        ]

    def _taken_first(self) -> list[Taken]:
        """Return what is asked about, in screen px."""
        on_screen = self._canvas.camera.rect_on_screen
        return [
            Taken(on_screen(rect).adjusted(-GAP, -GAP, GAP, GAP), weight)
            for rect, weight in self._asked_about()
            if not rect.isNull()
        ]

    def _asked_about(self) -> Iterator[Taken]:
        """Yield label, nodes and wire of the question, in sheet px."""
        scene, about = self._canvas.scene, self._about
        if about is None:
            return
        wire = about.wire
        if wire is None:
            yield Taken(scene.bounds((about.node,)), LABEL)
            return
        label, course = scene.labels.rect(wire), scene.courses.get(wire)
        if label is not None:
            yield Taken(label, LABEL)
        for node in (about.node, scene.sheet.graph.source(wire)):
            if node is not None:
                yield Taken(scene.bounds((node,)), NODE)
        for chord in () if course is None else course.chords:
            rect = QRectF(chord.p1(), chord.p2()).normalized().adjusted(-1, -1, 1, 1)
            yield Taken(rect, WIRE)


def announce(card: QuestionCard, text: str) -> None:
    """Let a screen reader say a text."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(card, text))


def _important(taken: Sequence[Taken]) -> list[Taken]:
    """Return what is asked about of all that is taken."""
    return [found for found in taken if found.weight > OTHER]


def wants_card(asking: Asking, frame: Frame) -> bool:
    """Return whether Predict has something to ask or to explain, and its card is open."""
    if asking.mode != "predict" or not asking.card_open:
        return False
    return asking.question(frame) is not None or asking.is_done(frame)
