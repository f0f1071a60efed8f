"""Entry point: a command runs on the command line, anything else opens the window."""

import os
import sys

SHOW_VALUE_OPTION = "--show-value"
"""Argument with which `Value.show()` starts the program; see engine.formats.value_display."""
_MISREAD = frozenset(',;"\\')
"""Characters of a path that Qt misreads, as it does with a value of an INI file."""


def main(argv: list[str] | None = None) -> int:
    """Run with the arguments (default: the program's own); returns the exit code."""
    if argv is None:
        _set_up_process()
    arguments = sys.argv[1:] if argv is None else list(argv)
    from app.cli import VERBS

    if arguments and arguments[0] in VERBS:
        from app.cli import run_verb

        return run_verb(arguments)
    if arguments[:1] == [SHOW_VALUE_OPTION]:
        from app.window.start import start_handed_over

        return start_handed_over(*arguments[1:2])
    error = _usage_error(arguments)
    if error:
        sys.stderr.write(f"backwire: {error}\n")
        return 2
    from app.window.start import start

    return start([argument for argument in arguments if argument != "--"])


def _set_up_process() -> None:
    """Let Ctrl-C end the process, and replace standard streams that were closed at its start."""
    import signal

    # Ctrl-C ends the process at once and silently, which loses nothing as files are written
    # atomically. Another handler means that the caller wants Ctrl-C to be ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    for descriptor, stream in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, stream) is None:  # otherwise the next opened file would get its descriptor
            _redirect_to_null(descriptor)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (lives as long as the process)
    if os.name == "posix" and _MISREAD & set(sys.prefix):
        _name_plugins()


def _name_plugins() -> None:
    """Tell Qt where its plugins are; without them it would end the process."""
    import sysconfig

    plugins = os.path.join(sysconfig.get_path("platlib"), "PySide6", "Qt", "plugins")
    if os.path.isdir(plugins):
        os.environ.setdefault("QT_PLUGIN_PATH", plugins)


def _redirect_to_null(descriptor: int) -> None:
    """Open the null device under a file descriptor, unless that is open."""
    try:
        os.fstat(descriptor)
    except OSError:
        opened = os.open(os.devnull, os.O_RDWR)
        if opened != descriptor:
            os.dup2(opened, descriptor)
            os.close(opened)


def _usage_error(arguments: list[str]) -> str:
    """Return the usage error of a call without a verb, or "" if it opens the window."""
    if "--" in arguments:
        end_of_options = arguments.index("--")
        options, files = arguments[:end_of_options], arguments[end_of_options + 1 :]
    else:
        options = [word for word in arguments if word.startswith("-")]
        files = [word for word in arguments if not word.startswith("-")]
    unknown = next((word for word in options if word.startswith("-")), None)
    no_verb = next((f for f in files[:1] if f.isidentifier() and not os.path.exists(f)), None)
    if no_verb is not None and no_verb == arguments[0]:  # what follows belongs to the verb meant
        return f"there is no verb and no file called {no_verb}"
    if unknown is not None:
        return f"there is no option {unknown}; backwire --help says what there is"
    if len(files) > 1:
        return "one file at a time can be opened"
    return "" if no_verb is None else f"there is no verb and no file called {no_verb}"


if __name__ == "__main__":
    sys.exit(main())
