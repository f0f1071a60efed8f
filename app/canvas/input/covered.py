"""What the canvas leaves alone while something is shown in place of the sheet."""

from typing import Final

from PySide6.QtCore import QEvent

BY_KEY: Final = frozenset(
    {
        QEvent.Type.ShortcutOverride,
        QEvent.Type.KeyPress,
        QEvent.Type.KeyRelease,
        QEvent.Type.ContextMenu,
        QEvent.Type.NativeGesture,
    }
)
"""What reaches the canvas with the keyboard focus."""
BY_MOUSE: Final = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.ContextMenu,
        QEvent.Type.ToolTip,
    }
)
"""What comes through from the widget over the sheet."""
