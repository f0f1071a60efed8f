"""What pip and uv say is turned into a sentence for the user; the failures are real ones."""

import http.server
import importlib.util
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNTRUSTED = Path(__file__).with_name("untrusted.pem")  # a certificate that nobody has signed
REQUIREMENT = f"somelibrary==1.0 \\\n    --hash=sha256:{'0' * 64}\n"


@pytest.fixture
def installers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """With a pip that knows no settings of this machine."""
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import installers

    for name in os.environ:
        if name.startswith("PIP_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    return installers


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A home of the test's own: pip asks rustc for its version, which may keep files there."""
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This python, if it has pip; else one in a venv that has."""
    if importlib.util.find_spec("pip") is not None:
        return Path(sys.executable)
    venv = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def complaint(installers: ModuleType, python: Path, tmp_path: Path) -> str:
    """What a user is told when pip is to install a library from here; and how soon."""
    requirements = tmp_path / "requirements.txt"
    requirements.write_text(REQUIREMENT)
    pip = installers.Pip(tmp_path, python, sys.executable)
    start = time.monotonic()
    with pytest.raises(installers.FailedError) as failed:
        pip.install(requirements)
    assert time.monotonic() - start < 90, "it has to be said soon"
    return installers.cause(failed.value.said)


def test_without_a_network_it_says_so(installers, python, monkeypatch, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as closed_soon:
        port = closed_soon.getsockname()[1]
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{port}/simple")
    assert complaint(installers, python, tmp_path) == installers.NETWORK


class Index(http.server.BaseHTTPRequestHandler):
    """A package index that knows no package."""

    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, format: str, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(params=["http", "https"])
def index(request: pytest.FixtureRequest) -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index) as server:
        if request.param == "https":
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(UNTRUSTED)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"{request.param}://localhost:{server.server_address[1]}/simple"
        server.shutdown()
        thread.join()


def test_an_index_with_a_certificate_that_nobody_trusts_is_told_from_one_without_the_library(
    installers, python, monkeypatch, tmp_path, index
):
    monkeypatch.setenv("PIP_INDEX_URL", index)
    wanted = installers.CERTIFICATE if index.startswith("https") else installers.ABSENT
    assert complaint(installers, python, tmp_path) == wanted


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("ERROR: Could not install packages: [Errno 28] No space left on device", "DISK"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "CHANGED"),
        ("error: Request failed: invalid peer certificate: UnknownIssuer", "CERTIFICATE"),
        ("error: error sending request for url: dns error", "NETWORK"),
        ("ERROR: No matching distribution found for numpy==2.4.6", "ABSENT"),
        ("Segmentation fault", "UNKNOWN"),
    ],
)
def test_other_failures_have_their_sentences(installers: ModuleType, said: str, cause: str):
    assert installers.cause(said) == getattr(installers, cause)


def test_a_tool_that_succeeds_says_nothing(installers, capfd):
    installers.call(sys.executable, "-c", "print('WARNING: this is of no use to a learner')")
    assert capfd.readouterr() == ("", "")


def test_a_tool_that_fails_is_quoted(installers: ModuleType):
    with pytest.raises(installers.FailedError) as failed:
        installers.call(sys.executable, "-c", "print('so it is'); raise SystemExit(1)")
    assert failed.value.said == "so it is\n"


def test_a_tool_that_is_not_there_fails_too(installers: ModuleType):
    with pytest.raises(installers.FailedError):
        installers.call("there-is-no-such-tool")


def test_a_terminal_sees_how_far_pip_has_come(installers, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    progress = installers.Progress(4)
    progress.follow("Collecting numpy==2.4.6 (from -r requirements.txt (line 1))\n")
    progress.follow("  Downloading numpy.whl (16 MB)\n")
    assert capsys.readouterr().err.endswith("  1 of 4: numpy")
    progress.end()
    assert capsys.readouterr().err == "\r\033[K"
