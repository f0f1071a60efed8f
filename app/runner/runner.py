"""Runs a learner's program and writes what its backward passes did, as lines of JSON.

    python runner.py REQUEST.json

This file alone goes to the learner's Python, 3.8 or later, so it uses the standard library only and
is never imported by Backwire. It judges nothing: it writes facts (operands, data, gradients before
and after, names, calls, slopes by trying), of which `engine.formats.recording` makes a graph.

    Guard      refuses writes elsewhere, other programs, the network: accidents, not ill will
    Absences   what an import of a missing library gives
    Observer   finds classes of numbers as they are defined, and notes calls and passes
    Teller     writes a pass: names by the shortest path, calls, slopes and assignments by trying
    Program    runs a script or the cells of a notebook, and ends in any case

Calls and order are noted in the first tenth of a second, then in passes 1, 2, 4, 8 … of a line
alone: a second run notes the last one, whose number is known by then.
"""
# pyright: basic, reportAttributeAccessIssue=false, reportArgumentType=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false

import sys

_AT_START = set(sys.modules)

import __future__

import ast
import builtins
import dis
import functools
import io
import json
import linecache
import os
import re
import shutil
import signal
import threading
import time
import traceback
import types
from collections import deque, namedtuple
from importlib.machinery import ModuleSpec

BACKWARD = {
    *("backward", "backprop", "back", "back_propagation", "backpropagate", "backpropagation"),
    *("backward_pass", "run_backward", "back_prop"),
}
"""Names under which learners start a backward pass."""
CHILDREN = (
    *("_prev", "prev", "_prevs", "_children", "children", "_child", "_parents", "parents"),
    *("_parent", "_inputs", "inputs", "_operands", "operands", "_deps", "_src"),
)
DATA, GRAD = ("data", "value", "val", "_data", "_value"), ("grad", "gradient", "_grad")
STEP = (
    *("_backward", "backward_fn", "_backward_fn", "grad_fn", "_grad_fn", "_back", "_bw"),
    *("backprop_fn", "_backprop", "_backward_func"),
)
SLOPES = ("_local_grads", "local_grads", "_grads", "local_gradients", "_local_derivatives")
SIGN = ("_op", "op", "_operation", "operation", "operator", "_operator")
LABEL = ("label", "_label", "name")
DUNDERS = {
    "__%s%s__" % (side, name)
    for side in ("", "r", "i")
    for name in ("add", "sub", "mul", "truediv", "pow", "matmul")
} | {"__neg__", "__abs__", "__call__"}
DRAWING = {
    *("matplotlib", "graphviz", "seaborn", "tqdm", "IPython", "ipywidgets", "plotly", "torchviz"),
    *("pyvis", "manim", "pydot", "pylab"),
}
"""Libraries that only draw: where one is missing, nothing is drawn, and the program goes on."""
OURS = ("micrograd", "backwire")
"""Libraries in whose place, where they are missing, there is a class of ours."""
STAND_IN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "micrograd.py")
POINTS, NUDGE = (-2.5, -1.25, -0.5, 0.25, 0.75, 1.5, 3.0), 1e-4
"""Where an operation of one number is tried, on both sides of 0, and how far beside its input."""
NODES, COUNTED, LINES, CALLS, NAMES = 50_000, 1_000_000, 60, 40, 200_000
"""Most nodes of a pass, nodes that are counted, lines that start passes, calls around a node, and
names that are looked at."""
WARM = 0.1
"""Seconds in which every pass is noted."""
TEXT = 200
"""Most characters of a name, a label or an error."""
_UNAUDITED = (
    *(("os", "mkfifo", 0), ("os", "mknod", 0), ("_gdbm", "open", 0), ("_dbm", "open", 0)),
    *(("_posixshmem", "shm_open", 0), ("readline", "write_history_file", 0)),
    ("readline", "append_history_file", 1),
)
"""Functions that make files, of which Python tells no audit hook, and the place of the path among
their arguments."""
_ATTACH = 24
"""The action of SQLite that opens one more file."""
_RUNS_LATER = 0x2A0
"""Flags of the code of a generator and of a coroutine."""
leave = os._exit  # the program gets another one


class Over(BaseException):
    """The run ends now: its time is up, it was stopped, or it ends itself."""


# ------------------------------------------------------------------------------ the guard


def cut(text):
    """Return the beginning of a text of the program, which may be of a class of its own."""
    return str.__getitem__(text, slice(TEXT))


def title(cls):
    """Return the name of a class, whatever its metaclass says."""
    return cut(type.__dict__["__name__"].__get__(cls))


def said_by(error):
    """Return the message of an error, "" if it can't say it."""
    try:
        return cut(str(error))
    except Exception:
        return ""


class Guard:
    """Refuses writes outside of the run's folder, other programs and the network.

    It is no sandbox: a library in C walks past it.
    """

    WRITES = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
    PATHS = {
        **dict.fromkeys(("os.remove", "os.rmdir"), ((0, 1, True),)),
        **dict.fromkeys(("os.mkdir", "os.chmod"), ((0, 2, False),)),
        **dict.fromkeys(("os.chown", "os.utime"), ((0, 3, False),)),
        **dict.fromkeys(("os.truncate", "sqlite3.connect"), ((0, None, False),)),
        **dict.fromkeys(("os.setxattr", "os.removexattr"), ((0, None, False),)),
        "os.rename": ((0, 2, True), (1, 3, True)),
        "os.link": ((0, 2, False), (1, 3, True)),
        "os.symlink": ((1, 2, True),),
    }
    """The arguments of an event that are paths which it changes, each with its folder, if open, and
    whether it changes the name and not what that leads to."""
    STARTS = {
        *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork"),
        *("os.forkpty", "os.startfile", "os.kill", "os.killpg", "pty.spawn", "webbrowser.open"),
    }
    NETWORK = {
        *("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.__new__"),
        *("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"),
        "socket.getnameinfo",
    }
    ONLY = {
        "os.kill": lambda process, number: process != os.getpid() and number != 0,
        "socket.__new__": lambda _made, _family, kind, _protocol: kind & 15 == 3,  # raw
    }
    """Which of these events are refused, where not all are."""

    def __init__(self, request):
        own = [os.path.realpath(each) for each in request["writable"]]
        self.own, self.beside = tuple(own), os.path.dirname(request["source"])
        self.network = request["network"]
        self.refused, self.later = [], {}
        self.watched = {*self.PATHS, *self.STARTS, *self.NETWORK, "open", "import"}

    def __call__(self, event, args):
        if event not in self.watched:
            return
        if event == "open":
            self.check_file(*args)
        elif event == "import":
            self.replace(args[0])
        elif event in self.PATHS:
            self.check_paths(event, args)
        elif event in self.ONLY and not self.ONLY[event](*args):
            return
        elif event in self.STARTS:
            self.refuse("start", "")
        elif not self.network:
            self.refuse("network", "")

    def check_file(self, path, mode, flags):
        """Refuse to open a file outside to write to it; some tell no flags, but a mode."""
        writes = (flags or 0) & self.WRITES or set("wax+") & set(mode or "")
        is_path = isinstance(path, (str, bytes, os.PathLike))
        if writes and is_path and os.fsdecode(path).lower() != os.devnull:
            self.check(path)

    def check_paths(self, event, args):
        for path, folder, is_name in self.PATHS[event]:
            self.check(args[path], -1 if folder is None else args[folder], is_name)
        if event == "os.symlink":  # leads on from the folder that it lies in
            link = self.resolved(os.fsdecode(args[1]), args[2], True)
            self.check(os.path.join(os.path.dirname(link), os.fsdecode(args[0])))

    def check(self, path, folder=-1, is_name=False):
        """Refuse to change a path, or what is open, outside of the run's own folders."""
        opened = self.opened(path) if isinstance(path, int) else None
        if opened == "" or path in (":memory:", b":memory:", ""):
            return
        path = self.resolved(opened or os.fsdecode(path), folder, is_name)
        whole = "" if is_name else os.sep  # their own folders have no name to change
        if not any((path + whole).startswith(own + os.sep) for own in self.own):
            beside = os.path.dirname(path) == self.beside
            self.refuse("write", os.path.basename(path) if beside else path)

    def resolved(self, path, folder, is_name):
        """Return the real path of a path from an open folder; of a name, with that as it is."""
        if folder >= 0:
            path = os.path.join(self.opened(folder), path)
        parent, name = os.path.split(path.rstrip(os.sep))
        if is_name and name not in ("", ".", ".."):
            return os.path.join(os.path.realpath(parent), name)
        return os.path.realpath(path)

    def opened(self, number):
        """Return the path of an open file or folder, "" where the system can't tell."""
        known = os.path.exists("/proc/self/fd")
        return os.readlink("/proc/self/fd/%d" % number) if known else ""

    def refuse(self, what, name):
        """Note what was wanted, and raise the error that the program gets."""
        name = cut(name)
        if len(self.refused) < 5 and [what, name] not in self.refused:
            self.refused.append([what, name])
        raise PermissionError("a run in Backwire may not do this (%s %s)" % (what, name))

    def watch_unaudited(self):
        """Watch the calls of which Python tells no audit hook, as their modules are imported."""
        self.later = {
            "os": [("open", self.told_whole)],
            "_sqlite3": [("connect", self.authorized)],
            "_tkinter": [("create", lambda _call: self.no_window)],
            "_posixsubprocess": [("fork_exec", lambda _call: self.no_process)],
        }
        for module, name, place in _UNAUDITED:
            change = functools.partial(self.checked, place)
            self.later.setdefault(module, []).append((name, change))
        for module in ("_posixsubprocess", *(self.later.keys() & sys.modules.keys())):
            self.replace(module)

    def replace(self, module):
        """Replace these functions of a module, which is imported for that."""
        if module == "_posixsubprocess" and module not in self.later:  # once more
            self.refuse("start", "")
        for name, change in self.later.pop(module, ()):
            try:
                changed = change(getattr(__import__(module), name))
                for each in (module, os.name) if module == "os" else (module,):
                    setattr(sys.modules[each], name, changed)
            except (ImportError, AttributeError):
                pass  # not on this system

    def checked(self, place, function):
        def call(*args, **keywords):
            path = args[place] if len(args) > place else keywords.get("path")
            folder = keywords.get("dir_fd")
            if path is not None:
                self.check(path, -1 if folder is None else folder)
            return function(*args, **keywords)

        return call

    def authorized(self, function):
        """Return `sqlite3.connect` whose connections open no other file outside."""

        def may(action, name, *_where):
            if action == _ATTACH:
                self.check("?" if name is None else name)
            return 0

        def call(*args, **keywords):
            connection = function(*args, **keywords)
            connection.set_authorizer(may)
            return connection

        return call

    def told_whole(self, function):
        """Return `os.open` that tells the hook the whole path from an open folder."""

        def call(path, flags, mode=0o777, *, dir_fd=None):
            if dir_fd is not None and flags & self.WRITES and self.opened(dir_fd):
                path, dir_fd = os.path.join(self.opened(dir_fd), os.fsdecode(path)), None
            return function(path, flags, mode, dir_fd=dir_fd)

        return call

    def no_window(self, *_args, **_keywords):
        raise sys.modules["_tkinter"].TclError("a run in Backwire has no window")

    def no_process(self, *_args, **_keywords):
        self.refuse("start", "")  # as multiprocessing would


# ------------------------------------------------------------------------------ missing libraries


class Absences:
    """Asked last for a module: what only draws is left out, all else fails at its first use."""

    def __init__(self, own):
        self.own, self.missing, self.guarded = own, {}, {}

    def find_spec(self, name, path=None, target=None):
        top, dot, _rest = name.partition(".")
        if dot and getattr(sys.modules.get(top), "__loader__", None) is not self:
            return None
        frame = sys._getframe(1)
        while frame and (
            frame.f_code.co_filename == __file__ or "importlib" in frame.f_code.co_filename
        ):
            if frame.f_code.co_name == "find_spec" and "util" in frame.f_code.co_filename:
                return None  # the program asks whether it is there
            frame = frame.f_back
        if frame is None or not self.own(frame.f_code.co_filename) or self.expects(frame):
            return None
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        top = spec.name.partition(".")[0]
        if top in OURS:  # one module under all its names, so that there is one class
            return sys.modules.get(top)
        self.missing.setdefault(top, "left out" if top in DRAWING else "imported")
        module = Absent(spec.name)
        object.__setattr__(module, "_absences", self)
        return module

    def exec_module(self, module):
        if module.__name__ in OURS and not hasattr(module, "Value"):
            with open(STAND_IN, encoding="utf-8") as file:
                exec(compile(file.read(), STAND_IN, "exec"), module.__dict__)

    def expects(self, frame):
        """Return whether the program itself says what to do without this import."""
        name = frame.f_code.co_filename
        if name not in self.guarded:
            tree = ast.parse("".join(linecache.getlines(name)))
            tries = [n for n in ast.walk(tree) if isinstance(n, ast.Try) and n.handlers]
            self.guarded[name] = [(n.lineno, n.body[-1].end_lineno) for n in tries]
        return any(first <= frame.f_lineno <= last for first, last in self.guarded[name])

    def use(self, top):
        self.missing[top] = "needed"
        raise ModuleNotFoundError("No module named %r" % top)

    def stand_in(self, top):
        return Quiet(top) if top in DRAWING else AbsentName("absent", (), {"top": top, "all": self})


class Absent(types.ModuleType):
    """Stands in for a missing library."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "trange":
            return range
        return self._absences.stand_in(self.__name__.partition(".")[0])


class AbsentName(type):
    """A name of a missing library: a class, so that isinstance and inheritance can be written."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return cls.all.stand_in(cls.top)

    def __call__(cls, *_args, **_keywords):
        cls.all.use(cls.top)


class Quiet:
    """A drawing that is not made; around a loop, as tqdm is, the loop itself."""

    def __init__(self, top):
        object.__setattr__(self, "_top", top)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Quiet(self._top)

    def __call__(self, *args, **_keywords):
        return args[0] if args and self._top == "tqdm" else Quiet(self._top)

    def __iter__(self):
        return iter((Quiet(self._top), Quiet(self._top)))

    def __getitem__(self, key):
        return Quiet(self._top)

    def __setitem__(self, key, value):
        pass

    def __setattr__(self, name, value):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return False


# ------------------------------------------------------------------------------ observing


def number(x):
    """Return a number as a float; None for an array, a text and all else."""
    if isinstance(x, (str, bytes)):
        return None
    try:
        return float(x)
    except Exception:
        try:
            return float(x.item())
        except Exception:
            return None


def first(thing, names):
    """Return the first of these names that an object has as an attribute; None without one."""
    return next((name for name in names if hasattr(thing, name)), None)


def line_of(frame):
    """Return the line that a frame is at; before 3.10 one that has an f_trace tells its first."""
    if sys.version_info >= (3, 10):
        return frame.f_lineno
    lines = [line for at, line in dis.findlinestarts(frame.f_code) if at <= frame.f_lasti]
    return lines[-1] if lines else frame.f_lineno


class Look:
    """How a class keeps its numbers, found on its first object."""

    def __init__(self, thing):
        self.data, self.grad, self.step = (first(thing, names) for names in (DATA, GRAD, STEP))
        self.sign, self.slopes = first(thing, SIGN), first(thing, SLOPES)
        self.kids = [name for name in CHILDREN if hasattr(thing, name)]
        self.labels = [name for name in LABEL if hasattr(thing, name)]


class Serial:
    """One call of a function, kept on its frame, with the calls around it, inner first."""

    __slots__ = ("outer", "own")
    total = 0

    def __call__(self, *_args):
        return None


class Tap:
    """Notes that a node's own step ran, then runs it."""

    __slots__ = ("fired", "place", "step")

    def __init__(self, step, place, fired):
        self.step, self.place, self.fired = step, place, fired

    def __call__(self, *args, **keywords):
        self.fired.append(self.place)
        return self.step(*args, **keywords)

    def __getattr__(self, name):  # programs look into the closure of a step
        return getattr(self.step, name)


class Pass:
    """One backward pass: its nodes, operands first, with their numbers before and after."""

    names = {}
    nth = 0
    before = None
    fired = ()
    adds_to = None

    def __init__(self, number, where, nodes, children):
        self.number, self.where, self.nodes, self.scopes = number, where, nodes, []
        index = self.index = {id(thing): i for i, thing in enumerate(nodes)}
        every = ([index.get(id(kid)) for kid in children(thing)] for thing in nodes)
        self.kids = [[kid for kid in kids if kid is not None] for kids in every]

    @property
    def is_circle(self):
        """Whether a number is made of itself, as by a += that changes it in place."""
        return any(kid >= i for i, kids in enumerate(self.kids) for kid in kids)


class Line:
    """A line of the program that starts passes: how often, its first and its last pass."""

    def __init__(self):
        self.times, self.first, self.last, self.unseen = 0, None, None, None


class Observer:
    """Notes which calls made a number, and what each backward pass did to the numbers below it."""

    def __init__(self, homes, passes=()):
        self.homes, self.wanted = homes, set(passes)
        self.numbers, self.users, self.looks = set(), set(), {}
        self.methods = {}  # (class, name): the function as written, and as watched
        self.codes, self.counted, self.side, self.starters = set(), {}, {}, set()
        self.lines, self.passes, self.inside, self.noting = {}, 0, False, not passes or 1 in passes
        self.recent = deque(maxlen=2000)
        self.unshown = {}  # of a line: a pass that is too large or of no single numbers
        self.touched = {}  # the line of the last pass that reached a leaf
        self.seen = self.progress = lambda *_what: None
        self.started = time.monotonic()
        self.make_class = builtins.__build_class__

    def own(self, filename):
        """Return whether a file is the learner's."""
        return filename.startswith("<cell ") or (
            filename.startswith(self.homes)
            and "site-packages" not in filename
            and filename != __file__  # a program in a folder around it
        )

    # classes

    def build_class(self, function, name, *bases, **keywords):
        """Make a class as Python does, and observe it if it is one of numbers."""
        cls = self.make_class(function, name, *bases, **keywords)
        package = str(function.__globals__.get("__name__")).partition(".")[0]
        if self.own(function.__code__.co_filename) or package in OURS:
            self.users.add(cls)
            self.look_at(cls)
        return cls

    def look_at(self, cls):
        """Watch a class of numbers; of another one what starts a pass, such as a tape's."""
        made = vars(cls)
        is_number = "__add__" in made and ("__mul__" in made or cls.__name__ == "Value")
        if is_number or any(base in self.numbers for base in cls.__mro__):
            self.users.discard(cls)
            self.numbers.add(cls)
        self.watch(cls)

    def watch(self, cls):
        """Watch the methods of a class that are not watched yet."""
        for name, function in list(vars(cls).items()):
            known = self.methods.get((cls, name), ())
            if not isinstance(function, types.FunctionType) or function in known:
                continue
            if function.__code__.co_filename == __file__:  # copied, as to a dataclass with slots
                self.methods[cls, name] = function.__wrapped__, function
            elif (wrapped := self.wrapped(cls, name, function)) is not None:
                self.methods[cls, name] = function, wrapped
                if self.noting or name in BACKWARD:
                    setattr(cls, name, wrapped)
        self.counted.clear()

    def wrapped(self, cls, name, function):
        """Return a method as it is watched; None if it is left as it is."""
        is_number = cls in self.numbers
        if is_number:
            self.codes.add(function.__code__)
        if name in BACKWARD:
            return self.started_pass(function, is_method=is_number)
        if is_number and (name in DUNDERS or not name.startswith("_")):
            return self.noted(name, function)
        return None

    def look_again(self, space):
        """Watch what was assigned to a class since, and functions that start a pass."""
        for cls in [*self.users, *self.numbers]:
            self.look_at(cls)
        for name in BACKWARD & space.keys():
            if isinstance(space[name], types.FunctionType) and space[name] not in self.starters:
                space[name] = self.started_pass(space[name])
                self.starters.add(space[name])

    def note(self, on):
        """Note calls from now on, or run the methods as they were written."""
        if on != self.noting:
            self.noting = on
            for (cls, name), (plain, wrapped) in self.methods.items():
                if name not in BACKWARD and vars(cls).get(name) in (plain, wrapped):
                    setattr(cls, name, wrapped if on else plain)

    # numbers

    def look(self, thing):
        cls = type(thing)
        if cls not in self.looks:
            self.looks[cls] = Look(thing)
        return self.looks[cls]

    def data(self, thing):
        return number(getattr(thing, self.look(thing).data or "", None))

    def noted(self, name, function):
        """Return a method that notes which call made its result; the innermost one owns it."""
        numbers, keep = self.numbers, self.keep_note

        @functools.wraps(function)
        def method(*args, **keywords):
            result = function(*args, **keywords)
            if args and type(args[0]) not in numbers:
                numbers.add(type(args[0]))
            if type(result) in numbers:
                keep(name, args + tuple(keywords.values()), result, sys._getframe(1))
            return result

        return method

    def keep_note(self, name, args, result, frame):
        if any(result is each for each in args):
            return
        if (note := self.note_of(result)) is not None:
            self.see_numbers(note, args, result)
            return
        self.recent.append(result)
        kept = [each if type(each) in self.numbers else number(each) for each in args]
        then = [self.data(each) if type(each) in self.numbers else None for each in kept]
        note = (name, kept, self.site(frame), then)
        try:
            object.__setattr__(result, "_backwire", note)
        except AttributeError:
            if len(self.side) > 4 * NODES:
                self.side.clear()
            self.side[id(result)] = (result, note)

    def see_numbers(self, note, args, result):
        """Note as a number the operand that a call around the own one made of it, as 0 + a does."""
        given = {number(each) for each in args if type(each) not in self.numbers}
        known = {id(each) for each in args}
        for k, each in enumerate(note[1] if given and self.look(result).kids else ()):
            is_made = type(each) in self.numbers and id(each) not in known
            if is_made and self.data(each) in given and not self.children(each):
                note[1][k] = self.data(each)

    def note_of(self, thing):
        found = getattr(thing, "__dict__", self.side).get("_backwire")
        return found if found is not None else self.side.get(id(thing), (None, None))[1]

    def children(self, thing):
        """Return the operands of a number, as its class keeps them."""
        look = self.look(thing)
        note = self.note_of(thing)
        given = [a for a in (note[1] if note else ()) if type(a) in self.numbers]
        for name in look.kids:
            kept = getattr(thing, name, None)
            found = self.numbers_in(kept)
            if found and isinstance(kept, (set, frozenset)):  # in the order of the call
                places = {id(each): k for k, each in reversed(list(enumerate(given)))}
                found.sort(key=lambda each: places.get(id(each), len(given)))
            if found:
                return found
        if look.kids:
            return []
        held = getattr(thing, "__dict__", {})
        found = [x for k, x in held.items() if k != "_backwire" and type(x) in self.numbers]
        return found or given  # kept by closures alone

    def numbers_in(self, kept):
        """Return the numbers in a tuple, list, set or dict, or in its pairs (operand, slope)."""
        if type(kept) in self.numbers:
            return [kept]
        if isinstance(kept, dict):
            kept = [*kept, *kept.values()]
        if not isinstance(kept, (tuple, list, set, frozenset)):
            return []
        flat = []
        for each in kept:
            flat.extend(each if isinstance(each, (tuple, list)) else (each,))
        return [each for each in flat if type(each) in self.numbers]

    # calls

    def outward(self, frame):
        """Return the innermost frame, from this one on, of the learner's code outside a class."""
        while frame is not None:
            code = frame.f_code
            counts = self.counted.get(code)
            if counts is None:
                counts = self.own(code.co_filename) and code not in self.codes
                self.counted[code] = counts
            if counts:
                break
            frame = frame.f_back
        return frame

    def site(self, frame):
        """Return the calls around a frame, inner first; found once for each call."""
        met, frame = [], self.outward(frame)
        while frame is not None and type(frame.f_trace) is not Serial and len(met) < CALLS:
            met.append(frame)
            frame = self.outward(frame.f_back)
        around, known = frame, None if frame is None else frame.f_trace
        calls = (known.own, *known.outer) if type(known) is Serial else ()
        for frame in reversed(met):
            code, me, made = frame.f_code, None, Serial()
            if code.co_argcount:
                me = frame.f_locals.get(code.co_varnames[0])
                me = me if type(me) in self.users else None
            Serial.total += 1
            kind = None if me is None else title(type(me))
            where = around and (around.f_code.co_filename, line_of(around))
            made.own = (code.co_name, Serial.total, None if me is None else id(me), kind, where)
            made.outer, around = calls[:CALLS], frame
            if frame.f_trace is None:
                frame.f_trace = made
            calls = (made.own, *made.outer)
        return calls

    # passes

    def started_pass(self, function, is_method=False):
        """Return a function that runs a backward pass, and notes what it did."""
        if function.__code__.co_flags & _RUNS_LATER:
            return function

        @functools.wraps(function)
        def backward(*args, **keywords):
            if is_method and args:
                self.numbers.add(type(args[0]))  # a dataclass with slots is another class
            root = next((each for each in args[:3] if type(each) in self.numbers), None)
            if self.inside or root is None:
                return function(*args, **keywords)
            self.inside = True
            line, found, tapped = self.begin(root, sys._getframe(1))
            whole = False
            try:
                result = function(*args, **keywords)
                whole = True
                return result
            finally:
                self.inside = False
                for thing, name, step in tapped:
                    setattr(thing, name, step) if step is not None else delattr(thing, name)
                self.end(line, found if whole else None)

        return backward

    def begin(self, root, frame):
        """Note a pass that begins: its line, and if calls are noted now, its nodes."""
        frame = self.outward(frame)
        where = ("", 0) if frame is None else (frame.f_code.co_filename, line_of(frame))
        self.passes += 1
        self.progress(self.passes)
        line = self.lines.setdefault(where, Line())
        line.times += 1
        if not self.noting or len(self.lines) > LINES:
            line.unseen = (self.passes, self.data(root))
            if self.passes + 1 in self.wanted:  # which asks what it adds to
                self.touch(self.order(root), where)
            return line, None, ()
        nodes = self.order(root)
        if len(nodes) > NODES:
            self.unshown[where] = self.passes, len(nodes)
            return line, None, ()
        found = Pass(self.passes, where, nodes, self.children)
        found.nth = line.times
        found.before, found.fired = self.read(nodes, "grad"), []
        held = (
            id(v) for v, grad, kids in zip(nodes, found.before, found.kids) if grad and not kids
        )
        found.adds_to = next((self.touched[v] for v in held if v in self.touched), None)
        while frame is not None and len(found.scopes) < 12:
            if self.own(frame.f_code.co_filename) and frame.f_code not in self.codes:
                found.scopes.append((frame.f_code.co_name, dict(frame.f_locals)))
            frame = frame.f_back
        return line, found, self.tap(found)

    def end(self, line, found):
        """Note a pass that came to its end, and decide whether the next one is noted."""
        if found is not None:
            self.read_after(found)
            line.first, line.last, line.unseen = line.first or found, found, None
            self.touch(found.nodes, found.where)
            if line.times & (line.times - 1) == 0:
                self.seen(found, line.times)
        coming = line.times + 1
        if self.wanted:
            self.note(self.passes + 1 in self.wanted)
            if self.passes >= max(self.wanted):
                raise Over("ok")
        else:
            warm = time.monotonic() - self.started < WARM
            self.note(warm or coming < 3 or coming & (coming - 1) == 0)

    def touch(self, nodes, where):
        """Note the line of a pass by the leaves among its nodes."""
        self.touched.update((id(thing), where) for thing in nodes if not self.children(thing))

    def read_after(self, found):
        """Read the numbers that a pass has left; where one is none, note what it is."""
        found.after, found.data = self.read(found.nodes, "grad"), self.read(found.nodes, "data")
        for thing, value in zip(found.nodes, found.data):
            if value is None:
                name = self.look(thing).data
                kept = getattr(thing, name or "", None)
                kind = str(getattr(kept, "shape", title(type(kept)))) if name else ""
                self.unshown[found.where] = found.number, cut(kind)

    def order(self, root):
        """Return the numbers below a root, operands first; of too many only some."""
        seen, found, stack = {id(root)}, [], [(root, iter(self.children(root)))]
        while stack:
            thing, coming = stack[-1]
            for each in coming:
                if id(each) not in seen:
                    seen.add(id(each))
                    stack.append((each, iter(self.children(each))))
                    break
            else:
                found.append(thing)
                stack.pop()
            if len(seen) > COUNTED:
                break
        return found

    def read(self, nodes, what):
        """Return the data or the gradients of nodes."""
        return [number(getattr(v, getattr(self.look(v), what) or "", None)) for v in nodes]

    def tap(self, found):
        """Put a tap on the step of each node; return what is to be put back."""
        tapped = []
        for place, thing in enumerate(found.nodes):
            name = self.look(thing).step
            step = getattr(thing, name, None) if name else None
            made = isinstance(getattr(type(thing), name or "", None), property)
            if callable(step) and not (made or isinstance(step, Tap)):
                of_class = getattr(step, "__self__", None) is thing
                try:
                    setattr(thing, name, Tap(step, place, found.fired))
                except AttributeError:
                    continue
                tapped.append((thing, name, None if of_class else step))
        return tapped


# ------------------------------------------------------------------------------ telling


def plain(x):
    """Return a number as JSON can hold it."""
    if x is None or x - x == 0:
        return x
    return "NaN" if x != x else "Infinity" if x > 0 else "-Infinity"


class Teller:
    """Writes a pass as JSON holds it: names, calls, and slopes by trying each node's own step."""

    def __init__(self, observer, space, place):
        self.observer, self.space = observer, space
        self.place = functools.lru_cache(None)(place)
        self.paths = {}  # of objects that hold numbers, such as a layer, by id
        self.passing = {}  # the names that loops bind, by function; "<module>" outside

    def told(self, found, times, final=False):
        """Return a pass as a table; `final` tries the steps, which runs code of the program."""
        kids = found.kids
        names = self.names(found)
        slopes, assigns = self.slopes(found) if final else ([None] * len(kids), {})
        sites, rows = {}, []
        for i, thing in enumerate(found.nodes):
            look, note = self.observer.look(thing), self.observer.note_of(thing)
            sign = getattr(thing, look.sign, "") if look.sign else ""
            sign = sign if isinstance(sign, str) else getattr(sign, "__name__", None)
            sign = cut(sign) if isinstance(sign, str) else title(type(sign))
            row = [kids[i], plain(found.data[i]), plain(found.before[i]), plain(found.after[i])]
            row += [self.label(thing, look), cut(names.get(i, ("",))[0]), sign]
            row += ["" if note is None else cut(note[0]), self.operands(note, found), slopes[i]]
            row += [assigns.get(i, []), -1 if note is None else self.call_number(note[2], sites)]
            row.append([plain(x) for x in note[3]] if note else [])
            rows.append(row)
        found.names = names
        return {
            "where": self.place(*found.where),
            "adds_to": found.adds_to and self.place(*found.adds_to),
            "number": found.number,
            "nth": found.nth,
            "times": times,
            "nodes": rows,
            "sites": [calls for _number, calls in sites.values()],
            "fired": list(found.fired),
            "trials": self.trials(found) if final else [],
        }

    def label(self, thing, look):
        found = (getattr(thing, name, None) for name in look.labels)
        return next((cut(each) for each in found if isinstance(each, str) and each), "")

    def operands(self, note, found):
        """Return the arguments of a call: the place of a node, or a number in a list."""
        out = []
        for each in note[1] if note else ():
            if type(each) in self.observer.numbers:
                place = found.index.get(id(each))
                out.append([plain(self.observer.data(each))] if place is None else place)
            else:
                out.append([plain(each)])
        return out

    def call_number(self, site, sites):
        """Return the place of the calls around a node among those of the pass, outer first."""
        if site not in sites:
            calls = []
            for function, serial, me, kind, where in reversed(site):
                if not function.startswith("<"):
                    path = self.paths.get(me, "") or (kind or "")
                    alone = function in ("__call__", "forward") and path
                    called = path if alone else "%s.%s" % (path, function) if path else function
                    calls.append([cut(called), serial, *(self.place(*where)[:2] if where else ())])
            sites[site] = len(sites), calls
        return sites[site][0]

    # names

    def names(self, found):
        """Return the shortest path to each node, of those that begin with no name of a loop."""
        names = dict(found.names)
        for path, thing, passing in self.named([*found.scopes, ("<module>", self.space)]):
            i = found.index.get(id(thing))
            if i is not None and (i not in names or names[i][1] > passing):
                names[i] = path, passing
        return names

    def read_loops(self, part, scope="<module>"):
        """Learn the names that loops bind: they say less than the path that they stand for."""
        for inner in ast.iter_child_nodes(part):
            if isinstance(inner, (ast.For, ast.comprehension)):
                bound = (n.id for n in ast.walk(inner.target) if isinstance(n, ast.Name))
                self.passing.setdefault(scope, set()).update(bound)
            self.read_loops(inner, inner.name if isinstance(inner, ast.FunctionDef) else scope)

    def named(self, scopes):
        """Yield (path, number, whether a loop binds it) for all that has a name, shortest first."""
        queue, seen = deque(), set()
        for name, scope in scopes:
            loops = self.passing.get(name, ())
            inner = name.startswith("<") and name != "<module>"  # a comprehension
            found = ((k, v) for k, v in list(scope.items()) if not k.startswith("_"))
            queue.extend((k, v, 0, inner or k in loops) for k, v in found)
        for _ in range(NAMES):
            if not queue:
                return
            path, thing, depth, passing = queue.popleft()
            if type(thing) in self.observer.numbers:
                yield path, thing, passing
            elif depth < 6 and id(thing) not in seen:
                seen.add(id(thing))
                parts = self.parts(path, thing)
                queue.extend((path + k, v, depth + 1, passing) for k, v in parts)

    def parts(self, path, thing):
        """Return what an object of the program holds, as (rest of the path, part)."""
        if isinstance(thing, (list, tuple)) and len(thing) <= 3000:
            return [("[%d]" % i, each) for i, each in enumerate(thing)]
        if isinstance(thing, dict) and len(thing) <= 3000:
            return [("[%r]" % (k,), each) for k, each in list(thing.items())]
        if type(thing).__name__ == "ndarray" and thing.dtype == object and thing.size <= 3000:
            return [(".flat[%d]" % i, each) for i, each in enumerate(thing.flat)]
        if any(cls in self.observer.users for cls in type(thing).__mro__):
            self.paths.setdefault(id(thing), path)
            return [("." + k, each) for k, each in list(getattr(thing, "__dict__", {}).items())]
        return []

    # slopes

    def slopes(self, found):
        """Return the slopes along each node's operands, and by node those to which it assigns.

        A step is run over 0 and over 1, with the data of the pass and an upstream gradient of 1;
        then every number is put back.
        """
        looks = [self.observer.look(v) for v in found.nodes]
        if any(look.data is None or look.grad is None for look in looks):
            return [None] * len(looks), {}
        held = [(getattr(v, k.data), getattr(v, k.grad)) for v, k in zip(found.nodes, looks)]
        slopes, assigns = [None] * len(looks), {}
        try:
            for thing, look, x, (now, _grad) in zip(found.nodes, looks, found.data, held):
                if x is not None and number(now) != x:
                    setattr(thing, look.data, x)
            for i, thing in enumerate(found.nodes):
                kids = [found.nodes[kid] for kid in found.kids[i]]
                slopes[i], sets = self.tried_step(thing, looks[i], kids)
                assigns[i] = sorted({found.index[id(kid)] for kid in sets})
        except Exception:  # data or gradients that can't be set
            pass
        finally:
            self.put_back(found.nodes, looks, held)
        return [s if s is None else [plain(x) for x in s] for s in slopes], assigns

    def put_back(self, nodes, looks, held):
        for thing, look, (data, grad) in zip(nodes, looks, held):
            for name, kept in ((look.data, data), (look.grad, grad)):
                if getattr(thing, name) is not kept:
                    setattr(thing, name, kept)

    def tried_step(self, thing, look, kids):
        """Return the slopes along a node's operands, and those to which its step assigns."""
        stored = self.stored(thing, look, kids)
        if stored is not None or not kids:
            return stored, []
        over_0, over_1 = (self.sent(thing, look, kids, start) for start in (0.0, 1.0))
        both = list(zip(kids, over_0 or (), over_1 or ()))
        once = {id(kid): (kid, x, y) for kid, x, y in reversed(both)}
        return over_0, [kid for kid, x, y in once.values() if x == y and kid is not thing]

    def stored(self, thing, look, kids):
        """Return the slopes that a node keeps itself, in a list or in pairs with its operands."""
        for name in [look.slopes] if look.slopes else look.kids:
            kept = getattr(thing, name, None)
            if isinstance(kept, (tuple, list)) and len(kept) == len(kids) > 0:
                pairs = [e[1] if isinstance(e, tuple) and len(e) == 2 else e for e in kept]
                slopes = [number(each) for each in pairs]
                if None not in slopes and not any(type(e) in self.observer.numbers for e in pairs):
                    return slopes
        return None

    def sent(self, thing, look, kids, start):
        """Return what a node's step leaves in each operand that held `start` before."""
        step = getattr(thing, look.step, None) if look.step else None
        if not callable(step):
            return None
        others = [(kid, self.observer.look(kid)) for kid in kids if kid is not thing]
        held = [
            (kid, k.step, vars(kid)[k.step])
            for kid, k in others
            if k.step in getattr(kid, "__dict__", ())
        ]
        try:
            for kid, kept in others:
                setattr(kid, kept.grad, start)
            for kid, name, _step in held:  # a step that calls the next ones is tried alone
                setattr(kid, name, lambda *_numbers: None)
            setattr(thing, look.grad, 1.0)
            try:
                step()
            except TypeError:
                step(1.0)
        except Exception:
            return None
        finally:
            for kid, name, kept in held:
                setattr(kid, name, kept)
        got, met = [], set()
        for kid in kids:
            left = number(getattr(kid, self.observer.look(kid).grad))
            got.append(0.0 if id(kid) in met else left)
            met.add(id(kid))
        return None if None in got else got

    def trials(self, found):
        """Return what each operation of one number gives elsewhere: [method, numbers, rows]."""
        out = {}
        for thing, kids in zip(found.nodes, found.kids):
            note = self.observer.note_of(thing) if len(kids) == 1 else None
            if note is None or note[0].startswith("_") or found.data[kids[0]] is None:
                continue
            kid, key = found.nodes[kids[0]], (note[0], tuple(note[1][1:]))
            alone = note[1] and note[1][0] is kid and all(type(x) is float for x in key[1])
            if alone and key not in out and len(out) < 60:
                out[key] = self.tried(kid, found.data[kids[0]], *key)
        return [
            [cut(name), [plain(x) for x in rest], rows]
            for (name, rest), rows in out.items()
            if rows
        ]

    def tried(self, kid, at, method, rest):
        """Return rows of input, value and slope of an operation, where it can be computed."""
        rows, look = [], self.observer.look(kid)
        for x in (*POINTS, at - NUDGE, at, at + NUDGE):
            try:
                made = type(kid)(x)
                out = getattr(made, method)(*rest)
                if self.observer.children(out) != [made]:
                    return []
                kept = self.stored(out, self.observer.look(out), [made])
                slope = (kept or self.sent(out, self.observer.look(out), [made], 0.0) or [None])[0]
                rows.append([x, plain(number(getattr(out, look.data))), plain(slope)])
            except Exception:
                continue
        return rows


# ------------------------------------------------------------------------------ running


class Said(io.RawIOBase):
    """What the program prints: the last characters are kept."""

    def __init__(self):
        self.kept = b""

    def writable(self):
        return True

    def fileno(self):
        return 1  # which leads nowhere by now

    def write(self, text):
        self.kept = (self.kept + bytes(text[-4000:]))[-4000:]
        return len(text)


Cell = namedtuple("Cell", ("title", "name", "source"))
"""A piece of the program: what it is called, the file name of its frames, its source."""


class Program:
    """One run: the request, the way back, and how it ended."""

    def __init__(self, request, answer):
        self.request, self.answer = request, answer
        self.source = request["source"]
        self.text = request["content"]  # whatever the file holds by now
        self.folder = os.path.dirname(self.source)
        self.is_notebook = self.source.lower().endswith(".ipynb")
        self.observer = Observer((self.folder + os.sep, STAND_IN), request["passes"])
        self.guard = Guard(request)
        self.absences = Absences(self.observer.own)
        self.main = types.ModuleType("__main__")
        self.space = self.main.__dict__
        self.teller = Teller(self.observer, self.space, self.place)
        self.observer.seen, self.observer.progress = self.tell, self.on_progress
        self.cells, self.errors, self.said = {}, [], Said()
        self.status, self.ending, self.last_told = "ok", False, 0.0

    # what comes back

    def send(self, **what):
        told = json.dumps(what, ensure_ascii=False, allow_nan=False)
        self.answer.write(told.encode("utf-8", "replace") + b"\n")  # half a character becomes ?
        self.answer.flush()

    def on_progress(self, passes):
        now = time.monotonic()
        if now - self.last_told > 0.2:
            self.last_told = now
            self.send(passes=passes)

    def tell(self, found, times, final=False):
        if found.is_circle and final:
            where = self.place(*found.where)
            self.errors.append([where, "Circle", "a number of this pass is made of itself"])
        if None not in found.data and not found.is_circle:
            self.send(graph=self.teller.told(found, times, final))

    def place(self, name, line):
        """Return where a line stands: the title of its cell or file, its number, its text."""
        cell = self.cells.get(name)
        lines = (
            cell.source.split("\n") if cell else [x.rstrip("\n") for x in linecache.getlines(name)]
        )
        text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        return [cut(cell.title if cell else os.path.basename(name)), line, cut(text)]

    # the run

    def run(self):
        """Run the program, then tell what was seen; never comes back."""
        self.send(passes=0)  # so that the parent knows that this is a Python that answers
        try:
            self.prepare()
            for cell in self.pieces():
                self.do(cell)
        except Over as over:
            self.status = str(over)
        except BaseException as error:
            self.note_error(error, None)
        try:
            self.ending = True
            self.finish()
        except BaseException as error:
            self.errors.append([["", 0, ""], title(type(error)), said_by(error)])
        self.end()

    def prepare(self):
        """Set bounds and the guard, and make this process look like `python file`."""
        import random

        random.seed(0)  # before a random.py beside the script can come in its place
        if "numpy" in self.text:
            self.seed_numpy()
        self.limit()
        for each in os.listdir(self.folder):
            name = each[:-3] if each.endswith(".py") else each
            if name in sys.modules and name not in _AT_START:
                del sys.modules[name]
        sys.argv, sys.path[0] = [self.source, *self.request["arguments"]], self.folder
        sys.dont_write_bytecode = True
        sys.setrecursionlimit(sys.getrecursionlimit() + 20)  # for the calls around the program's
        sys.modules["__main__"] = self.main
        if self.is_notebook:
            self.space.update(display=lambda *a, **k: None, get_ipython=lambda: Quiet("IPython"))
        else:
            self.space["__file__"] = self.source
        sys.meta_path.append(self.absences)
        builtins.__build_class__ = self.observer.build_class
        builtins.input = self.ask
        os._exit = self.leave
        sys.stdout = sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(self.said), "utf-8", "replace", write_through=True
        )
        self.observer.started = time.monotonic()
        self.guard.watch_unaudited()
        sys.addaudithook(self.guard)

    def seed_numpy(self):
        try:
            import numpy

            numpy.random.seed(0)
        except Exception:
            pass

    def limit(self):
        """Bound what this process may use, as far as the system can."""
        if hasattr(signal, "setitimer"):  # ends it also inside of C, where nobody listens
            signal.setitimer(signal.ITIMER_REAL, self.request["longest"])
        try:
            import resource
        except ImportError:
            return
        for what, most in ((resource.RLIMIT_FSIZE, 64 << 20), (resource.RLIMIT_CORE, 0)):
            try:
                resource.setrlimit(what, (most, most))
            except (ValueError, OSError):
                pass

    def ask(self, *_prompt):
        raise EOFError("nobody can type here")

    def leave(self, _code=0):
        raise OSError("over") if self.ending else Over("exit")  # a step that is tried goes on

    def note_over(self, status):
        if self.status == "ok":
            self.status = status

    # cells

    def pieces(self):
        """Yield the program as cells; a script is one."""
        if not self.is_notebook:
            yield Cell(os.path.basename(self.source), self.source, self.text)
            return
        book = json.loads(self.text)
        every = [
            *book.get("cells", []),
            *(c for w in book.get("worksheets", []) for c in w["cells"]),
        ]
        every = [cell for cell in every if cell.get("cell_type") == "code"]
        counts = [cell.get("execution_count") or cell.get("prompt_number") for cell in every]
        numbers = {count for count in counts if type(count) is int and 0 < count < 1 << 31}
        clear = len(numbers) == len(counts)
        for i, cell in enumerate(every):
            source = cell.get("source", cell.get("input", ""))
            source = source if isinstance(source, str) else "".join(source)
            title = "In [%s]" % counts[i] if clear else "code cell %d" % (i + 1)
            yield Cell(title, "<cell %d>" % (i + 1), python_of(source))

    def do(self, cell):
        """Run one piece, statement by statement, to its end or to its error."""
        self.cells[cell.name] = cell
        lines = cell.source.splitlines(True)
        linecache.cache[cell.name] = (len(cell.source), None, lines, cell.name)
        try:
            tree = ast.parse(cell.source, cell.name)
            self.teller.read_loops(tree)
            flags = 0
            for statement in tree.body:
                code = compile(ast.Module([statement], []), cell.name, "exec", flags, True)
                flags |= code.co_flags & __future__.annotations.compiler_flag
                exec(code, self.space)
                self.observer.look_again(self.space)
                if not self.observer.wanted:
                    self.observer.note(True)
        except Over:
            raise
        except BaseException as error:
            self.note_error(error, cell)

    def note_error(self, error, cell):
        """Note an error of the program with its place; sys.exit() is none."""
        if isinstance(error, SystemExit) and error.code in (None, 0):
            return
        trail = traceback.extract_tb(error.__traceback__)
        own = [each for each in trail if self.observer.own(each.filename)]
        line = own[-1].lineno if own else getattr(error, "lineno", 0) or 0
        name = own[-1].filename if own else cell.name if cell else self.source
        said = said_by(error)
        if isinstance(error, SyntaxError) and self.observer.own(str(error.filename)):
            name, line, said = error.filename, error.lineno or 0, cut(error.msg)
        self.errors.append([self.place(name, line), title(type(error)), said])
        if isinstance(error, SystemExit):
            self.note_over("exit")

    # the end

    def finish(self):
        """Tell the first and the last pass of each line, with the slopes of their steps."""
        sys.stdout = sys.stderr = io.StringIO()
        lines = self.observer.lines.values()
        if not (self.observer.wanted or any(line.first or line.unseen for line in lines)):
            self.find_largest()
        for line in lines:
            for found in dict.fromkeys((line.first, line.last)):
                if found is not None:
                    try:
                        self.tell(found, line.times, final=True)
                    except Exception as error:  # of the program's own code, as of a property
                        self.note_error(error, None)

    def find_largest(self):
        """No backward pass was seen: take the largest graph that a name or a late result holds."""
        observer, best = self.observer, []
        named = [thing for _path, thing, _loop in self.teller.named([("<module>", self.space)])]
        met = set()
        for thing in named[-500:] + list(observer.recent)[-500:]:
            nodes = () if id(thing) in met else observer.order(thing)
            met.update(map(id, nodes))
            best = nodes if NODES >= len(nodes) >= max(len(best), 2) else best
        if best:
            found = Pass(0, ("", 0), best, observer.children)
            found.before = [None] * len(best)
            observer.read_after(found)
            observer.lines["", 0] = line = Line()
            line.first = line.last = found

    def end(self):
        """Send how the run ended, and leave, whatever threads and exit functions there are."""
        observer = self.observer
        unseen = [line.unseen for line in observer.lines.values() if line.unseen]
        self.send(
            ended=self.status,
            passes=observer.passes,
            errors=self.errors[:20],
            missing=[[cut(top), use] for top, use in sorted(self.absences.missing.items())][:LINES],
            refused=self.guard.refused,
            said=self.said.kept.decode("utf-8", "replace")[-2000:],
            unshown=[[self.place(*where), *why] for where, why in observer.unshown.items()][:LINES],
            classes=sorted(map(title, observer.numbers))[:20],
            unseen=[[number, plain(data)] for number, data in unseen],
        )
        leave(0)

    def listen(self, stdin):
        """Wait for the parent to say that the run is over; if it is gone, end at once."""
        why = {b"t": "time", b"s": "stopped"}.get(os.read(stdin, 1))
        if why is None:
            self.guard.watched = ()  # else the folder itself would stay
            shutil.rmtree(self.request["writable"][0], ignore_errors=True)
            leave(1)
        for _ in range(40):
            if self.ending:
                return
            self.note_over(why)
            if os.name == "posix":
                signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
            else:
                signal.raise_signal(signal.SIGINT)
            time.sleep(0.05)
        self.end()

    def on_signal(self, *_args):
        if not self.ending and self.status != "ok":  # else the program sent it
            raise Over(self.status)


def python_of(source):
    """Return the Python of a cell without IPython's magics; `%time` and `%%capture` keep theirs."""
    if re.match(r"\s*%%(?!time\b|timeit\b|capture\b)", source):
        return ""
    try:
        ast.parse(source)
        return source
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        pass
    lines = []
    for line in source.split("\n"):
        line = re.sub(r"^(\s*)%time(?:it)? +(?=\S)", r"\1", line)
        line = re.sub(r"^(\s*)(?:[%!?].*|[\w.]+\?+\s*)$", r"\1pass", line)
        lines.append(re.sub(r"^(\s*[\w, ]+=\s*)[%!].*", r"\1None", line))
    return "\n".join(lines)


def main():
    """Run the program of the request; this process ends with it."""
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    answer, stdin = os.fdopen(os.dup(1), "wb"), os.dup(0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    if sys.version_info < (3, 8):
        said = "Python %d.%d is too old, and 3.8 is the first that can be observed"
        ended = {"ended": "start", "said": said % sys.version_info[:2]}
        answer.write(json.dumps(ended).encode() + b"\n")
        answer.close()
        leave(0)
    program = Program(request, answer)
    signal.signal(signal.SIGUSR1 if os.name == "posix" else signal.SIGINT, program.on_signal)
    threading.Thread(target=program.listen, args=(stdin,), daemon=True).start()
    program.run()


if __name__ == "__main__":
    main()
