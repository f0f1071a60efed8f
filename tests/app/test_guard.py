"""No error leaves an override of a Qt method: there it would end the process."""

import sys
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize
from PySide6.QtWidgets import QHBoxLayout, QWidget

import app
from app.guard import exception_safe
from tests.helpers.tables import in_turn


def _gone() -> QObject:
    import shiboken6

    found = QObject()
    shiboken6.delete(found)
    return found


ERRORS = {
    "a bare text": lambda: int("x"),
    "an index": lambda: [][3],
    "a key": lambda: {}[5],
    "a division": lambda: 1 / 0,
    "a thing that has gone": lambda: _gone().objectName(),
}


@exception_safe
class Broken(QWidget):
    """A widget in which everything fails."""

    def __init__(self, fail) -> None:
        super().__init__()
        self.fail = fail

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.User:
            self.fail()
        return super().event(event)

    def sizeHint(self) -> QSize:
        return self.fail()


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_in_a_handler_goes_to_the_hook(qapp, monkeypatch, name):
    told: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, _error, _trace: told.append(kind))
    broken = Broken(ERRORS[name])
    assert QCoreApplication.sendEvent(broken, QEvent(QEvent.Type.User)) is False
    assert len(told) == 1
    with pytest.raises(told[0]):
        ERRORS[name]()


@in_turn("name", ERRORS)
def test_an_error_in_another_override_reaches_its_caller(qapp, name):
    host = QWidget()
    row = QHBoxLayout(host)
    row.addWidget(Broken(ERRORS[name]))
    with pytest.raises(Exception):  # noqa: B017, PT011  any of them, but no crash
        host.sizeHint()


def test_every_override_in_the_application_is_guarded(qapp):
    root = Path(app.__file__).parent
    bare: list[str] = []
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        if path.name in ("__init__.py", "__main__.py"):
            continue
        module = import_module(".".join(parts))
        for kind in vars(module).values():
            if isinstance(kind, type) and kind.__module__ == module.__name__:
                bare += [f"{kind.__qualname__}.{name}" for name in _unguarded(kind)]
    assert bare == []


def test_no_class_is_guarded_that_does_not_ask_for_it():
    class Bare(QWidget):
        def event(self, event: QEvent) -> bool:
            return super().event(event)

    assert _unguarded(Bare) == ["event"]
    assert "__init_subclass__" not in vars(QObject)
    assert _unguarded(exception_safe(Bare)) == []


def _unguarded(kind: type) -> list[str]:
    """The event handlers and overrides of a class that errors may leave."""
    theirs = [base for base in kind.__mro__ if base.__module__.startswith("PySide6.")]
    return [
        name
        for name, method in vars(kind).items()
        if type(method) is FunctionType
        and not name.startswith("__")
        and any(name in vars(base) for base in theirs)
        and not hasattr(method, "__wrapped__")
    ]
