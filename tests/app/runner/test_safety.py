"""Hostile programs: each ends within its bound with a sentence, and changes nothing outside.

Each of them makes one pass first, which must be there in the end.
"""

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.runner import run as runs
from app.runner.run import Request, Run
from engine import FormatError
from engine.formats.program_graph import ProgramGraph
from engine.formats.recording import read_back, title_of_file, told
from engine.names import is_plain_line
from tests.helpers.ran import PASS, VALUE, file_in, notebook, run_all, state
from tests.helpers.sampling import sampled

WRITE = r"It wanted to write .+\."
START = r"It wanted to start another program\."
NET = r"It wanted the network\."
ENDED = r"It did not stop and was ended\."
TIME = r"Stopped after 1 s; 1 pass was seen\."
ITSELF = r"It ended itself; 1 pass was seen\."
TEMP = "import os, tempfile; mine = tempfile.mkstemp()[1]; there = os.path.abspath('kept.txt')\n"

HOSTILE = {
    "endless": ("while True: pass", TIME),
    "endless and deaf": (
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        rf"{TIME}|{ENDED}",
    ),
    "deaf to signals": (
        "import signal\nsignal.signal(signal.SIGUSR1, signal.SIG_IGN)\nwhile True: pass",
        rf"{TIME}|{ENDED}",
    ),
    "inside of C": ("sum(range(10**13))", ENDED),
    "asleep": ("import time; time.sleep(1000)", TIME),
    "a thread without end": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()",
        "",
    ),
    "forking": ("import os\nwhile True: os.fork()", START),
    "forking by multiprocessing": (
        "import multiprocessing as m\nm.Process(target=print).start()",
        START,
    ),
    "spawning": (
        "import multiprocessing as m\nm.get_context('spawn').Process(target=print).start()",
        START,
    ),
    "subprocess": ("import subprocess; subprocess.run(['touch', 'made.txt'])", START),
    "os.system": ("import os; os.system('touch made.txt')", START),
    "os.popen": ("import os; os.popen('touch made.txt').read()", START),
    "os.exec": ("import os; os.execv('/bin/sh', ['sh', '-c', 'touch made.txt'])", START),
    "posix_spawn": ("import os; os.posix_spawn('/bin/ls', ['ls'], {})", START),
    "kill": ("import os; os.kill(os.getppid(), 9)", START),
    "memory": (
        "a = [b'x' * (1 << 24) for _ in range(100)]\nwhile True: pass",
        r"More than .+ GB\.",
    ),
    "a million lines": ("for i in range(10**6): print(i)", ""),
    "bytes": ("import sys; sys.stdout.buffer.write(bytes(range(256)) * 10**4)", ""),
    "writes": ("open('made.txt', 'w')", r"It wanted to write made\.txt beside itself\."),
    "appends": ("open('kept.txt', 'a').write('x')", WRITE),
    "writes by os": ("import os; os.open('made.txt', os.O_CREAT | os.O_WRONLY)", WRITE),
    "writes by pathlib": ("import pathlib; pathlib.Path('kept.txt').write_text('x')", WRITE),
    "replaces": (f"{TEMP}os.replace(mine, there)", WRITE),
    "renames away": (f"{TEMP}os.rename(there, mine)", WRITE),
    "links": (f"{TEMP}os.link(mine, 'made.txt')", WRITE),
    "links to ours": (f"{TEMP}os.link(there, mine + '2'); open(mine + '2', 'a')", WRITE),
    "symlinks": (f"{TEMP}os.symlink(mine, 'made.txt')", WRITE),
    "writes through a link": (
        f"{TEMP}os.remove(mine); os.symlink(there, mine); open(mine, 'w')",
        WRITE,
    ),
    "a folder of its own": (
        "import tempfile, os\nwith tempfile.TemporaryDirectory() as t: open(t + '/a', 'w')\n"
        "os.mkdir(t); os.rename(t, t + '2')",
        "",
    ),
    "removes by an open folder": (
        "import os; os.remove('kept.txt', dir_fd=os.open('.', os.O_RDONLY))",
        WRITE,
    ),
    "the cache of drawings": ("import os; open(os.environ['MPLCONFIGDIR'] + '/fonts', 'w')", ""),
    "makes a folder": ("import os; os.mkdir('made')", WRITE),
    "makes a pipe": ("import os; os.mkfifo('made')", WRITE),
    "removes": ("import os; os.remove('kept.txt')", WRITE),
    "removes a tree": ("import shutil; shutil.rmtree('folder')", WRITE),
    "copies": (f"{TEMP}import shutil; shutil.copy(mine, 'made.txt')", WRITE),
    "moves": (f"{TEMP}import shutil; shutil.move(there, mine + '2')", WRITE),
    "truncates": ("import os; os.truncate('kept.txt', 0)", WRITE),
    "changes the mode": ("import os; os.chmod('kept.txt', 0o777)", WRITE),
    "changes the time": ("import os; os.utime('kept.txt', (0, 0))", WRITE),
    "sqlite3": ("import sqlite3; sqlite3.connect('made.db').execute('create table t (a)')", WRITE),
    "sqlite3 by an address": (
        "import sqlite3; sqlite3.connect('file:made.db?mode=rwc', uri=True)",
        WRITE,
    ),
    "sqlite3 attaches": (
        """import sqlite3; sqlite3.connect(':memory:').execute("attach 'made.db' as m")""",
        WRITE,
    ),
    "sqlite3 vacuums into": (
        "import sqlite3; c = sqlite3.connect(':memory:'); c.execute('create table t (a)')\n"
        """c.execute("vacuum into 'made.db'")""",
        WRITE,
    ),
    "sqlite3 in memory": (
        "import sqlite3; c = sqlite3.connect(':memory:'); c.execute('create table t (a)')\n"
        """c.execute("attach ':memory:' as m"); c.execute('vacuum')""",
        "",
    ),
    "keys of TLS": ("import ssl; ssl.create_default_context().keylog_filename = 'made.log'", WRITE),
    "a history": ("import readline; readline.write_history_file('made.txt')", WRITE),
    "opens from an open folder": (
        f"{TEMP}fd = os.open('.', os.O_RDONLY); os.chdir(os.path.dirname(mine))\n"
        "os.open('made.txt', os.O_CREAT | os.O_WRONLY, dir_fd=fd)",
        WRITE,
    ),
    "a pipe in an open folder": (
        f"{TEMP}fd = os.open('.', os.O_RDONLY); os.chdir(os.path.dirname(mine))\n"
        "os.mkfifo('made', dir_fd=fd)",
        WRITE,
    ),
    "a pipe by another name": ("import posix; posix.mkfifo('made')", WRITE),
    "changes the mode of nowhere": ("import os; os.chmod(os.devnull, 0o666)", WRITE),
    "writes nowhere": ("import os; open(os.devnull, 'w').write('x')", ""),
    "a link that leads out from where it lies": (
        f"{TEMP}d = tempfile.mkdtemp() + '/a/b/c'; os.makedirs(d); os.chdir(d)\n"
        "os.symlink('../..', tempfile.gettempdir() + '/up')",
        WRITE,
    ),
    "removes a link of its own": (
        f"{TEMP}os.symlink(mine, mine + '2'); os.remove(mine + '2'); open(mine).read()",
        "",
    ),
    "removes the cache of drawings": (
        "import os, shutil; shutil.rmtree(os.environ['MPLCONFIGDIR'])",
        WRITE,
    ),
    "starts processes anew": (
        "import sys; del sys.modules['_posixsubprocess']; import _posixsubprocess",
        START,
    ),
    "sends itself a signal": (
        "import os, signal; os.kill(os.getpid(), 0); signal.raise_signal(signal.SIGUSR1)",
        "",
    ),
    "a raw socket": ("import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)", NET),
    "asks for the name of a number": (
        "import socket; socket.getnameinfo(('127.0.0.1', 53), 0)",
        NET,
    ),
    "a deep folder": (
        "import os, tempfile\nos.chdir(tempfile.mkdtemp())\n"
        "for _ in range(1500): os.mkdir('d'); os.chdir('d')",
        "",
    ),
    "shared memory": (
        "from multiprocessing.shared_memory import SharedMemory; SharedMemory('made', True, 9)",
        WRITE,
    ),
    "dbm": ("import dbm; dbm.open('made', 'c')", WRITE),
    "a log": ("import logging; logging.basicConfig(filename='made.log')", WRITE),
    "connects": ("import socket; socket.create_connection(('127.0.0.1', PORT))", NET),
    "a datagram": (
        "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "s.sendto(b'here', ('127.0.0.1', PORT))",
        NET,
    ),
    "listens": ("import socket; socket.socket().bind(('127.0.0.1', 0))", NET),
    "asks for a name": ("import socket; socket.gethostbyname('example.org')", NET),
    "opens a page": ("import urllib.request; urllib.request.urlopen('http://127.0.0.1:PORT')", NET),
    "input()": (
        "x = float(input('x? '))",
        r"program\.py, line \d+: It asks for input\(\), and nobody can type here: put the number.+",
    ),
    "stdin": ("import sys; sys.stdin.read(); sys.stdin.readline()", ""),
    "sys.exit": ("import sys; sys.exit()", ""),
    "sys.exit with a word": ("import sys; sys.exit('no')", ITSELF),
    "argparse": (
        "import argparse; p = argparse.ArgumentParser(); p.add_argument('rate')\np.parse_args()",
        r"It ended itself: usage: program\.py \[-h\] rate; give arguments\.",
    ),
    "os._exit": ("import os; os._exit(3)", ITSELF),
    "a crash": ("import ctypes; ctypes.string_at(0)", ITSELF),
    "a window of tkinter": (
        "import tkinter; tkinter.Tk()",
        r".+TclError.+|.+ModuleNotFoundError.+",
    ),
    "a file by Tcl": (
        "import tkinter; tkinter.Tcl().eval('open made.txt w')",
        r".+TclError.+|.+ModuleNotFoundError.+",
    ),
    "too deep": ("def f(): f()\nf()", r".+RecursionError.+"),
    "data that can't be set": (
        "class P(Value):\n    data = property(lambda self: self.x, lambda self, x: None)\n"
        "    def __init__(self, x): self.x = x; super().__init__(x)\n"
        "P(3.0).backward()",
        "",
    ),
    "a pass that fails": (
        "d = c * 2\nd._backward = lambda: 1 / 0\nd.backward()",
        r".+ZeroDivisionError.+",
    ),
    "no such library": (
        "import torchish\ntorchish.tensor([1.0])",
        r".+ModuleNotFoundError: No module named 'torchish'\. Choose a Python that has it\.",
    ),
    "a drawing without its library": (
        "import pydot as p\nwith p.Dot() as d: d.add_node(1)\nfor x, y in [p.Node()]: x.y = d[1]",
        "",
    ),
    "names to confuse": (
        'd = Value(1.0, label="\\x1b[2J\\u202e" + "x" * 10**5)\n'
        '(d * 2 + Value(float("nan"))).backward()',
        "",
    ),
    "half a character in a label": (
        "d = Value(1.0, label='x\\ud83d'); globals()['y\\ud83d'] = d; (d * 2).backward()",
        "",
    ),
    "half a character in an error": ("raise ValueError('x\\ud83d')", r".+ValueError: x\?.+"),
    "half a character in a name": ("open('made\\udc80', 'w')", WRITE),
    "texts of its own class": (
        "class S(str):\n    def __getitem__(self, k): return b'no text'\n"
        "class M(type): __name__ = 7\nclass N(Value, metaclass=M): pass\n"
        "(N(1.0, label=S('s'), _op=S('s')) * 2).backward()",
        "",
    ),
    "an error that says nothing": (
        "class E(Exception):\n    def __str__(self): 1 / 0\nraise E()",
        r"program\.py, line \d+: E \(raise E\(\)\)\.",
    ),
    "a long error": (
        "class E(Exception): pass\nE.__name__ = 'word ' * 200_000\nraise E('word ' * 200_000)",
        r".{200,700}",
    ),
    "long names": (
        "Value.__name__ = 'word ' * 200_000\nsetattr(Value, 'm' * 10**6, Value.tanh)\n"
        "globals()['n' * 10**6] = d = getattr(c, 'm' * 10**6)()\nd.backward()",
        "",
    ),
    "made of itself": (
        "def iadd(self, o): self._prev = {self, o}; return self\nValue.__iadd__ = iadd\n"
        "d = Value(1.0)\nd += Value(2.0)\n(d * 2.0).backward()",
        r".+Circle: a number of this pass is made of itself.+",
    ),
    "writes into all pipes": (
        'import os\nfor fd in range(3, 20):\n    try: os.write(fd, b\'{"ended": "ok"}\\n[\\xff\')\n'
        "    except OSError: pass",
        "",
    ),
    "closes all files": ("import os; os.closerange(0, 300)", ITSELF),
    "ends from a finalizer": (
        "import gc\nclass X(Value):\n    def __del__(self): raise SystemExit(3)\n"
        "X(1.0)\ngc.collect()",
        "",
    ),
    "a step that exits when it is tried": (
        "import os\nd = Value(1.0) * 2\ntimes = []\n"
        "d._backward = lambda: times.append(1) or (len(times) > 1 and os._exit(0))\nd.backward()",
        "",
    ),
    "a backward that runs later": (
        "class G(Value):\n    def backward(self): yield super().backward()\n"
        "list(G(1.0).backward())",
        "",
    ),
    "deleting everything": (
        "import sys, builtins\nsys.modules.clear(); vars(builtins).clear()",
        ".*",
    ),
}
"""Name → what the program does after its pass, and what is said of it ("": nothing)."""
if Path("/proc/self/fd").exists():  # elsewhere nothing tells which file is open
    HOSTILE |= {
        "changes the mode of an open file": (
            "import os; os.fchmod(os.open('kept.txt', os.O_RDONLY), 0o777)",
            WRITE,
        ),
        "changes the time of an open file": (
            "import os; f = open('kept.txt'); os.utime(f.fileno())",
            WRITE,
        ),
        "removes an attribute": ("import os; os.removexattr('kept.txt', 'user.a')", WRITE),
        "changes what is its own": (
            f"{TEMP}f = open(mine, 'w'); os.fchmod(f.fileno(), 0o777); os.truncate(f.fileno(), 5)",
            "",
        ),
    }


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Every hostile program, run beside files that must stay, a server that must hear nothing."""
    folder = tmp_path_factory.mktemp("hostile")
    heard = []
    with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))
        tried = sampled(HOSTILE.items(), 4)
        requests, before = {}, {}
        for number, (name, (code, _said)) in enumerate(tried):
            beside = folder / str(number)
            path = file_in(beside, "program.py", VALUE + PASS + code.replace("PORT", str(port)))
            file_in(beside, "kept.txt", "kept")
            file_in(beside / "folder", "kept.txt", "kept")
            before[name] = beside, state(beside)
            memory = 400 << 20 if name == "memory" else 2 << 30
            seconds = 20.0 if HOSTILE[name][1] not in (TIME, ENDED, f"{TIME}|{ENDED}") else 1.0
            requests[name] = Request(path, seconds=seconds, memory=memory)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(runs, "GRACE", 1.0)  # less to wait for those that must be killed
            found = run_all(requests)
        for each in (tcp, udp):
            each.settimeout(0.0)
            with contextlib.suppress(BlockingIOError):
                heard.append(each.accept() if each is tcp else each.recv(10))
    return found, before, heard


REFUSED = (WRITE, NET, START)
ONE_BY_ONE = """
import os
for name, code in CALLS.items():
    said = ""
    try: exec(code, {})
    except BaseException as error: said = str(error)
    if "may not do this" not in said and "authori" not in said: print(name, said)
    os.chdir(HERE)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_every_call_that_is_forbidden_is_refused_one_after_the_other(tmp_path):
    """All of them in one process, as each run tries but some of the hostile programs."""
    beside = tmp_path / "beside"
    calls = {name: code for name, (code, said) in HOSTILE.items() if said in REFUSED}
    del calls["forking"]  # in a loop
    with socket.socket() as tcp:
        tcp.bind(("127.0.0.1", 0))
        port = str(tcp.getsockname()[1])
        given = f"CALLS, HERE = {calls!r}, {str(beside)!r}\n".replace("PORT", port)
        path = file_in(beside, "program.py", VALUE + PASS + given + ONE_BY_ONE)
        for folder in (beside, beside / "folder"):
            file_in(folder, "kept.txt", "kept")
        before = state(beside)
        result = run_all({"": Request(path)})[""]
    assert result.said == ""
    assert state(beside) == before
    assert len(calls) > 40
    assert result.graphs


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_each_hostile_program_ends_with_its_sentence_and_what_was_seen_is_kept(results):
    found, before, heard = results
    wrong = {}
    for name in found:
        said = HOSTILE[name][1]
        result, sentences = found[name], told(found[name])
        if not (re.fullmatch(said, sentences[0]) if sentences else not said or said == ".*"):
            wrong[name] = f"said {sentences}"
        if not result.graphs or ProgramGraph(result.graphs[0]).verdict.kind != "right":
            wrong[name] = f"lost its pass: {result}"[:500]
        folder, was = before[name]
        if state(folder) != was:
            wrong[name] = "changed its folder"
    assert not wrong, wrong
    assert not heard


def test_a_run_that_is_stopped_keeps_what_it_saw_and_one_that_is_cancelled_nothing(tmp_path):
    path = file_in(tmp_path, "program.py", VALUE + PASS + "while True: pass")
    for stop in (True, False):
        run = Run(Request(path))
        while run.poll() and not run.passes:
            time.sleep(0.01)
        run.stop() if stop else run.cancel()
        while run.poll():
            time.sleep(0.01)
        assert len(run.result.graphs) == stop
        assert told(run.result)[0] == (
            "Stopped; 1 pass was seen." if stop else "No number in it is a Value."
        )


@pytest.mark.skipif(sys.platform == "win32", reason="a timer of POSIX")
def test_a_run_whose_window_is_killed_ends_too_also_where_nothing_listens(tmp_path):
    for name, code in (("listens", "import time; time.sleep(1000)"), ("deaf", "7 ** 10**9")):
        folder = tmp_path / name
        path = file_in(folder, "program.py", VALUE + PASS + code)
        killed = (
            "import os, time; from pathlib import Path; from app.runner import run as runs\n"
            "runs.GRACE = 0.5\n"
            f"run = runs.Run(runs.Request(Path({str(path)!r}), seconds=0.5))\n"
            "while run.poll() and not run.passes: time.sleep(0.01)\n"
            "print(run._process._child.pid, flush=True); os.kill(os.getpid(), 9)"
        )
        told = subprocess.run(
            [sys.executable, "-c", killed],
            capture_output=True,
            check=False,
            env=os.environ | {"TMPDIR": str(folder)},
        )
        assert ended(int(told.stdout)), name
        left = [each.name for each in folder.iterdir() if each.name.startswith("backwire")]
        assert len(left) <= (name == "deaf")  # what is inside of C can't put away its folder


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX")
def test_a_run_puts_away_the_folders_that_killed_ones_have_left(tmp_path, monkeypatch):
    monkeypatch.setattr(runs.tempfile, "tempdir", str(tmp_path))
    source = file_in(tmp_path / "own", "program.py", VALUE + PASS + "import time; time.sleep(20)")
    first = Run(Request(source))
    (of_first,) = tmp_path.glob("backwire-run-*")
    for name in ("left", "young"):
        file_in(tmp_path / f"backwire-run-{name}", "content", "")
    (tmp_path / "backwire-run-link").symlink_to(tmp_path / "own")
    for folder in (of_first, tmp_path / "backwire-run-left", tmp_path / "own"):
        os.utime(folder, (0, 0))
    second = Run(Request(source))
    left = {each.name for each in tmp_path.glob("backwire-run-*")}
    assert {of_first.name, "backwire-run-young", "backwire-run-link"} <= left
    assert "backwire-run-left" not in left
    assert source.exists()
    assert first._process._child is not None
    # the run alone has the lock, as where its window is killed
    os.close(first._process._lock)  # type: ignore[arg-type]
    first._process._lock = None
    third = Run(Request(source))
    assert of_first.exists()
    for each in (first, second, third):
        each.cancel()
        while each.poll():
            time.sleep(0.01)
    assert not of_first.exists()


def ended(process: int) -> bool:
    """Wait for the end of a process that is no child of this one; kill it after 20 s."""
    with contextlib.suppress(ProcessLookupError):
        for _ in range(2000):
            os.kill(process, 0)
            time.sleep(0.01)
        os.kill(process, 9)
        return False
    return True


def test_what_was_agreed_to_is_run_whatever_the_file_holds_by_then(tmp_path, monkeypatch):
    noted = []

    class Noted(runs._Process):
        def __init__(self, request):
            noted.append(request.seconds)
            super().__init__(request)

    monkeypatch.setattr(runs, "_Process", Noted)
    path = file_in(
        tmp_path, "program.py", VALUE + PASS + "for _ in range(5000): (c * c).backward()"
    )
    agreed = path.read_bytes()
    path.write_text("raise SystemExit('another')")
    result = run_all({"": Request(path, content=agreed)})[""]
    assert [graph.nth for graph in result.graphs] == [
        1,
        1,
        5000,
    ]  # the last one by a second process, which has the seconds that are left
    assert noted[0] == 30.0
    assert 0.0 < noted[1] < 30.0
    assert not told(result)


def test_what_a_program_calls_its_things_is_one_plain_line(tmp_path):
    bad = "a\\x1b[2J\\nb\\u202e\\u200b"
    text = f'''
class Odd(Value): pass
def call(): return Odd(2.0, label="{bad}") * Odd(1.0)
call.__code__ = call.__code__.replace(co_name="{bad}")
globals()["{bad}"] = c = call()
c.backward()
raise ValueError("{bad}")
'''
    result = run_all({"": Request(file_in(tmp_path, "program.py", VALUE + text))})[""]
    (graph,) = result.graphs
    titles = [call.title for calls in graph.sites for call in calls]
    texts = [x for node in graph.nodes for x in (node.label, node.name, node.sign, node.method)]
    for text in (*texts, *titles, graph.where.title, graph.where.text, *told(result)):
        assert is_plain_line(text), text
    assert "ValueError: a" in told(result)[0]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_lines_that_a_program_forges_leave_it_its_bounds(tmp_path):
    forged = {
        "deep": r"""b'{"a": ' + b"[" * 10**5 + b"\n" """,
        "no text": r"""b'{"ended": "\xff"}\n'""",
        "a flood": r"""b"{}\n" * 20_000""",
        "no start": r"""b'{"ended": "start", "said": "type sudo"}\n'""",
    }
    for name, line in forged.items():
        times = "while True" if name == "a flood" else "for _ in range(1)"
        write = (
            f"import os, time\n{times}:\n  for fd in range(3, 9):\n    try: os.write(fd, {line})\n"
            "    except OSError: pass\ntime.sleep(0.2)"
        )
        times = 1.0 if name == "a flood" else 20.0
        path = file_in(tmp_path / name, "program.py", VALUE + PASS + write)
        run, until = Run(Request(path, seconds=times)), time.monotonic() + 15
        try:
            while run.poll() and time.monotonic() < until:
                time.sleep(0.005)
        finally:
            run.cancel()
        assert run.result.graphs, name
        assert run.result.status == ("ok" if name != "a flood" else "time"), name


def test_what_runs_is_what_is_shown_whatever_the_coding_line_says(tmp_path, monkeypatch):
    code = VALUE + PASS + "print('Höhe')  # a remark \\u000aprint('which is run') +AAo-print(0)\n"
    encodings = ("latin-1", "cp1252", "unicode_escape", "raw_unicode_escape", "utf-7", "no-such")
    texts = {each: f"# coding: {each}\n{code}" for each in encodings}
    paths = [tmp_path / f"{each}.py" for each in encodings[2:]] + [tmp_path / "latin-1.txt"]
    for path in paths:
        path.write_text(texts[path.stem])
    requests = {str(path): Request(path, content=path.read_bytes()) for path in paths}
    requests |= {k: Request(Path("pasted.py"), content=x.encode()) for k, x in texts.items()}
    for name, result in run_all(requests).items():
        assert requests[name].text == texts[Path(name).stem], name
        assert (result.said, told(result)) == ("Höhe\n", ()), name
    monkeypatch.setattr(runs.tempfile, "tempdir", str(tmp_path))
    with pytest.raises(FormatError):
        Run(Request(Path("pasted.py"), content=b"\xff"))
    assert not list(tmp_path.glob("backwire-run-*"))


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
def test_a_program_whose_name_is_no_utf_8_is_seen(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\x9abung.py"))
    path.write_text(VALUE + PASS)
    result = run_all({"": Request(path)})[""]
    (graph,) = result.graphs
    assert graph.where.title == title_of_file(path.name) == "?bung.py"
    assert not told(result)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_forged_end_does_not_hide_why_a_run_was_ended(tmp_path):
    forged = (
        "import os\nfor fd in range(3, 9):\n"
        '    try: os.write(fd, b\'{"ended": "ok", "passes": 1}\\n\')\n'
        "    except OSError: pass\na = [b'x' * (1 << 24) for _ in range(100)]\nwhile True: pass"
    )
    path = file_in(tmp_path, "program.py", VALUE + PASS + forged)
    result = run_all({"": Request(path, memory=400 << 20)})[""]
    assert told(result)[0].startswith("More than")


def test_a_program_is_read_as_python_reads_it(tmp_path):
    requests = {
        "latin-1": b"# -*- coding: latin-1 -*-\n"
        + (VALUE + PASS + "d = c * 'Zoé'.count('é'); d.backward()").encode("latin-1"),
        "its own random": VALUE + "import random, json\nc = Value(random.uniform()) * json.two",
        "its own module": VALUE + "import helpers\nc = helpers.double(Value(0.25))",
        "arguments": VALUE + "import sys\nc = Value(float(sys.argv[1])) * len(sys.argv)",
        "future": "from __future__ import annotations\n" + VALUE + "c: missing = Value(.25) * 2",
        "main": VALUE + "if __name__ == '__main__': c = Value(0.25) * 2",
    }
    files = {
        "random.py": "def uniform(): return 0.25",
        "json.py": "two = 2",
        "helpers.py": "def double(x): return x * 2",
    }
    for name, text in files.items():
        file_in(tmp_path, name, text)
    found = run_all(
        {
            name: Request(
                file_in(
                    tmp_path,
                    f"{k}.py",
                    text if isinstance(text, bytes) else f"{text}\nc.backward()",
                ),
                arguments=("0.25",),
            )
            for k, (name, text) in enumerate(requests.items())
        }
    )
    for name, result in found.items():
        assert not told(result), name
        root = result.graphs[-1].root
        assert root.data == (-4.0 if name == "latin-1" else 0.5), name


def test_a_notebook_runs_its_cells_in_turn_whatever_one_of_them_does(tmp_path):
    cells = [
        "%matplotlib inline\n!pip install torch\n" + VALUE,
        "%%html\n<b>no Python</b>",
        "%%time\na = Value(2.0)\nb = a * 3",
        "this is no Python",
        "1 / 0",
        "%time b.backward()",
        "import torch\nx = torch.tensor([1.0])",
        "files = !ls\na?\nassert files is None",
        "c = b * 1\nc.backward()\nc",
        "import sys; sys.exit(1)",
        "d = c * 5\nd.backward()",
    ]
    text = notebook(*cells)
    counts = [*range(1, 9), 8, None, 9]
    texts = {"clear": text, "not clear": notebook(*cells, counts=counts)}
    found = run_all(
        {
            name: Request(file_in(tmp_path, f"{k}.ipynb", text))
            for k, (name, text) in enumerate(texts.items())
        }
    )
    where = {name: [str(g.where) for g in result.graphs] for name, result in found.items()}
    assert where == {
        "clear": ["In [6], line 1", "In [9], line 2", "In [11], line 2"],
        "not clear": ["code cell 6, line 1", "code cell 9, line 2", "code cell 11, line 2"],
    }
    kinds = [error.kind for error in found["clear"].errors]
    assert kinds == ["SyntaxError", "ZeroDivisionError", "ModuleNotFoundError", "SystemExit"]
    assert "In [5], line 1: ZeroDivisionError: division by zero (1 / 0)." in told(found["clear"])


def test_our_class_stands_in_for_a_micrograd_that_is_missing(tmp_path):
    text = """
from micrograd.engine import Value
from micrograd.nn import MLP
import micrograd.engine as engine, backwire
net = MLP(2, [2, 1])
assert isinstance(net.parameters()[0], Value) and engine.Value is Value
loss = (net([1.0, Value(-2.0)]) - 1.0) ** 2 + Value(3.0).tanh().exp().log()
net.zero_grad()
loss.backward()
y = backwire.Value(2.0) / 4
y.backward()
y.show()
"""
    bare = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    if not bare.exists():
        pytest.skip("no Python without our environment")
    request = Request(file_in(tmp_path, "program.py", text), python=str(bare))
    result = run_all({"": request})[""]
    assert not told(result)
    assert [ProgramGraph(graph).verdict.kind for graph in result.graphs] == ["right", "right"]
    titles = {group.title for group in ProgramGraph(result.graphs[0]).drawing.groups}
    assert titles == {"net", "…layers[0]", "…neurons[0]", "…neurons[1]", "…layers[1].neurons[0]"}


def test_a_run_has_a_home_of_its_own_no_window_and_no_library_of_a_bundle(tmp_path, monkeypatch):
    names = ("HOME", "DISPLAY", "PYTHONPATH", "LD_LIBRARY_PATH", "SDL_VIDEODRIVER")
    text = f"import os\nfor n in {names}: print(n, os.environ.get(n))"
    for name in ("DISPLAY", "PYTHONPATH", "LD_LIBRARY_PATH"):
        monkeypatch.setenv(name, "/of/ours")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/of/theirs")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    result = run_all({"": Request(file_in(tmp_path, "program.py", text))})[""]
    seen = dict(line.split() for line in result.said.splitlines())
    assert "backwire-run-" in seen.pop("HOME")
    assert seen == {
        "DISPLAY": "None",
        "PYTHONPATH": "None",
        "LD_LIBRARY_PATH": "/of/theirs",
        "SDL_VIDEODRIVER": "dummy",
    }


def test_a_link_in_place_of_the_cache_of_drawings_is_not_followed(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "backwire").mkdir()
    (tmp_path / "backwire" / "matplotlib").symlink_to(tmp_path)
    text = f"open({str(tmp_path / 'kept.txt')!r}, 'w')"
    result = run_all({"": Request(file_in(tmp_path / "own", "program.py", text))})[""]
    assert re.fullmatch(WRITE, told(result)[0])
    assert not (tmp_path / "kept.txt").exists()


def test_no_python_and_no_such_python_are_one_sentence(tmp_path):
    path = file_in(tmp_path, "program.py", VALUE + PASS)
    other = file_in(tmp_path, "other", '#!/bin/sh\necho hello; echo \'{"ended": "ok"}\'\n')
    other.chmod(0o755)
    found = run_all(
        {
            name: Request(path, python=python)
            for name, python in {"none": "/no/python", "other": str(other)}.items()
        }
    )
    assert told(found["none"])[0].startswith("It can't be started: there is no Python /no/python.")
    assert not found["other"].graphs


def test_only_what_the_runner_would_write_is_read_back():
    node = '[[], 1.0, 0.0, 1.0, "a", "a", "", "", [], null, [], -1, []]'
    graph = (
        '{{"graph": {{"where": ["p.py", 3, "x"], "number": 1, "times": 1, "nodes": [{}], '
        '"sites": [], "fired": [], "trials": []}}}}'
    )
    assert len(read_back(graph.format(node)).graphs) == 1
    refused = {
        "no JSON": "{",
        "another key": '{"ended": "ok", "more": 1}',
        "bounds of its own": '{"ended": "ok", "memory": 1}',
        "another status": '{"ended": "well"}',
        "nan": graph.format(node.replace("1.0", "NaN")),
        "an operand after it": graph.format(node.replace("[]", "[0]", 1)),
        "an assignment to no node": graph.format(node.replace("null, []", "null, [1]")),
        "a line before the first": graph.format(node).replace("3", "-3"),
        "no node": graph.format(""),
        "a call that is none": graph.format(node.replace("-1", "0")),
        "a text for a number": graph.format(node.replace("1.0", '"one"')),
        "too short": graph.format("[[], 1.0]"),
        "deep": "[" * 100_000,
        "a number without end": graph.format(node).replace('"times": 1', f'"times": {10**30}'),
        "less than none": graph.format(node).replace('"number": 1', '"number": -1'),
        "a million operands": graph.format(node.replace('"", []', '"", [%s0]' % ("0, " * 10**6))),
        "deep calls": graph.format(node).replace('"sites": []', f'"sites": [{[["f", 1]] * 100}]'),
        "errors without end": '{"ended": "ok", "missing": [%s["", ""]]}' % ('["", ""],' * 10**5),
    }
    end, long = '{"ended": "ok", "said": "here"}', "word " * 10**6
    left_out = "A part of what came back can't be read, and is left out."
    for name, text in refused.items():
        found = read_back("\n".join((graph.format(node), text, end)))
        assert len(found.graphs) == 1, name
        assert (found.said, told(found)[0]) == ("here", left_out), name
    assert told(read_back(""))[0] == "It ended itself; no pass was seen."
    texts = {
        "an error": f'{{"ended": "ok", "errors": [[["{long}", 1, "{long}"], "{long}", "{long}"]]}}',
        "a refusal": f'{{"ended": "ok", "refused": [["write", "{long}"]]}}',
        "what it said": f'{{"ended": "start", "said": "{long}"}}',
        "a shape": f'{{"ended": "ok", "unshown": [[["{long}", 1, ""], 1, "{long}"]]}}',
    }
    for name, text in texts.items():
        assert all(len(sentence) <= 1000 for sentence in told(read_back(text))), name
    (found,) = read_back(
        graph.format(node).replace('"a"', f'"{long}"').replace("p.py", long)
    ).graphs
    assert max(map(len, (found.where.title, found.root.name, found.root.label))) <= 300


def test_above_64_mb_the_oldest_passes_are_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "ANSWER_LIMIT", 3_000)
    lines = "\n".join("(a * 1.0).backward()" for _ in range(9))
    path = file_in(tmp_path, "program.py", VALUE + "a = Value(1.0)\n" + lines)
    result = run_all({"": Request(path)})[""]
    assert 0 < len(result.graphs) < 9
    assert result.graphs[-1].number == 9
    assert "The oldest passes were dropped" in told(result)[0]
