"""Monitors of a virtual X server: parts of its one screen, which Qt takes for screens."""

import ctypes
import os
from types import TracebackType
from typing import Self

_Window = ctypes.c_ulong


class _Monitor(ctypes.Structure):
    """XRRMonitorInfo of libXrandr."""

    _fields_ = [
        ("name", ctypes.c_ulong),
        ("primary", ctypes.c_int),
        ("automatic", ctypes.c_int),
        ("noutput", ctypes.c_int),
        *((side, ctypes.c_int) for side in ("x", "y", "width", "height", "mwidth", "mheight")),
        ("outputs", ctypes.POINTER(ctypes.c_ulong)),
    ]


class _Resources(ctypes.Structure):
    """The beginning of XRRScreenResources."""

    _fields_ = [
        ("timestamp", ctypes.c_ulong),
        ("configured", ctypes.c_ulong),
        ("ncrtc", ctypes.c_int),
        ("crtcs", ctypes.POINTER(ctypes.c_ulong)),
        ("noutput", ctypes.c_int),
        ("outputs", ctypes.POINTER(ctypes.c_ulong)),
    ]


class Monitors:
    """Sets and removes monitors of the display named by an environment variable, or given."""

    def __init__(self, display: str = "") -> None:
        self._x, self._randr = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXrandr.so.2")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XDefaultRootWindow.restype = _Window
        self._x.XInternAtom.restype = ctypes.c_ulong
        self._randr.XRRGetScreenResources.restype = ctypes.POINTER(_Resources)
        name = (display or os.environ["DISPLAY"]).encode()
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(name))
        self._root = _Window(self._x.XDefaultRootWindow(self._display))

    def set(self, name: str, x: int, width: int, height: int, *, primary: bool = False) -> None:
        """Add a monitor, or change it; the primary one has the output of the server."""
        resources = self._randr.XRRGetScreenResources(self._display, self._root).contents
        outputs = (ctypes.c_ulong * 1)(resources.outputs[0])
        first = ctypes.cast(outputs, ctypes.POINTER(ctypes.c_ulong))
        size = (x, 0, width, height, width // 4, height // 4)
        found = _Monitor(self._atom(name), primary, 0, int(primary), *size, first)
        self._randr.XRRSetMonitor(self._display, self._root, ctypes.byref(found))
        self._x.XSync(self._display, 0)

    def remove(self, name: str) -> None:
        self._randr.XRRDeleteMonitor(self._display, self._root, ctypes.c_ulong(self._atom(name)))
        self._x.XSync(self._display, 0)

    def _atom(self, name: str) -> int:
        return self._x.XInternAtom(self._display, name.encode(), 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._x.XCloseDisplay(self._display)
