"""Every module can be imported where POSIX is missing; --whole: tests too, and types are asked."""

import os
import subprocess
import sys
from pathlib import Path

from tests.helpers.sampling import is_whole, sized

ROOT = Path(__file__).resolve().parents[2]

IMPORT_ALL = """
import asyncio, getpass, importlib, multiprocessing, os, pathlib, signal, sys, tempfile
import fontTools.ttLib, hypothesis, networkx, numpy, PIL.Image, pyqtgraph, pytest, pytestqt.qtbot
from PySide6 import QtPrintSupport, QtSvg, QtTest, QtWidgets

gone = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
sys.modules.update(dict.fromkeys(gone))
for name in ("chown", "confstr", "fork", "geteuid", "getloadavg", "getuid", "mkfifo", "statvfs"):
    delattr(os, name)
for name in ("alarm", "setitimer", "SIGALRM", "SIGHUP", "SIGKILL", "SIGXFSZ"):
    delattr(signal, name)
os.name = "another"  # with "nt" pathlib makes no path here

sys.path[:0] = ["", "packaging", "packaging/installed"]
for path in sys.stdin.read().split():
    parts = pathlib.Path(path).with_suffix("").parts
    name = ".".join(parts[1:] if parts[0] == "packaging" else parts).removesuffix(".__init__")
    try:
        importlib.import_module(name.removeprefix("installed."))
    except ModuleNotFoundError as error:  # of the benchmarks, or hatchling: they may lack
        if error.name in gone or error.name.split(".")[0] in ("app", "engine", "tests"):
            print(path, error)
    except BaseException as error:
        print(path, repr(error))
"""


def test_all_modules_can_be_imported_where_there_is_no_posix():
    paths = [
        path.relative_to(ROOT).as_posix()
        for top in ("engine", "app", "packaging", *(("tests",) if is_whole() else ()))
        for path in sorted((ROOT / top).rglob("*.py"))
    ]
    assert len(paths) > sized(300, 700)
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        input="\n".join(paths),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
