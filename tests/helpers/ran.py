"""Programs of learners for tests: their class of numbers, and a way to run several at once."""

import json
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.runner.run import Request, Run
from engine.formats.recording import RunResult

VALUE = """
import math

class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __repr__(self):
        return f"Value(data={self.data})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def __pow__(self, k):
        out = Value(self.data**k, (self,), f"**{k}")
        def _backward():
            self.grad += k * self.data ** (k - 1) * out.grad
        out._backward = _backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")
        def _backward():
            self.grad += (1 - t * t) * out.grad
        out._backward = _backward
        return out

    def __neg__(self): return self * -1
    def __sub__(self, other): return self + (-other)
    def __radd__(self, other): return self + other
    def __rmul__(self, other): return self * other
    def __truediv__(self, other): return self * other**-1

    def backward(self):
        order, seen = [], set()
        def visit(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    visit(child)
                order.append(v)
        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()
"""
"""The class of a lecture, as most learners write it down."""
PASS = """
a, b = Value(2.0, label="a"), Value(-3.0, label="b")
c = a * b + a
c.backward()
"""


def notebook(*cells: str, counts: Iterable[object] | None = None) -> str:
    """The text of a notebook whose code cells were run in turn."""
    numbers = list(range(1, len(cells) + 1)) if counts is None else list(counts)
    return json.dumps(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {},
            "cells": [
                {"cell_type": "code", "source": text, "execution_count": n, "outputs": []}
                for text, n in zip(cells, numbers, strict=True)
            ],
        }
    )


def run_all(requests: Mapping[Any, Request], most: int = 4) -> dict[Any, RunResult]:
    """Run programs, `most` at a time, each to its end."""
    waiting, running = list(requests.items()), dict[Any, Run]()
    results: dict[Any, RunResult] = {}
    while waiting or running:
        while waiting and len(running) < most:
            name, request = waiting.pop(0)
            running[name] = Run(request)
        for name, run in list(running.items()):
            if not run.poll():
                results[name] = run.result
                del running[name]
        time.sleep(0.005)
    return results


def state(folder: Path) -> dict[str, Any]:
    """All that lies in a folder: links, contents, times."""
    found = {}
    for path in sorted(folder.rglob("*")):
        told = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[str(path)] = (told.st_mode, told.st_nlink, told.st_mtime_ns, content)
    return found


def file_in(folder: Path, name: str, text: str | bytes) -> Path:
    """A file in a folder of its own, for there may be others beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
