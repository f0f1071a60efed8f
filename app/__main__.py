"""Backwire starts here: a verb goes to the command line, anything else opens the window."""

import os
import sys

SHOW_WORD = "--show-value"
"""What `Value.show()` starts the program with, as engine.value_window has it."""


def main(argv: list[str] | None = None) -> int:
    """Do what the arguments say (the program's own, unless given); returns the exit code."""
    if argv is None:
        _own_process()
    arguments = sys.argv[1:] if argv is None else list(argv)
    from app.cli import VERBS

    if arguments and arguments[0] in VERBS:
        from app.cli import obey

        return obey(arguments)
    if arguments == [SHOW_WORD]:
        from app.window.start import start_handed_over

        return start_handed_over()
    wrong = _wrong_call(arguments)
    if wrong:
        sys.stderr.write(f"backwire: {wrong}\n")
        return 2
    from app.window.start import start

    return start([argument for argument in arguments if argument != "--"])


def _own_process() -> None:
    """Settle what belongs to the process: Ctrl-C, and streams that were closed before it began."""
    import signal

    # Ctrl-C ends it at once and without a word; files are written whole or not at all anyway.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    for number, stream in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, stream) is None:  # else a file opened later would get its number
            _fill(number)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (lives as long as the process)


def _fill(number: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        opened = os.open(os.devnull, os.O_RDWR)
        if opened != number:
            os.dup2(opened, number)
            os.close(opened)


def _wrong_call(arguments: list[str]) -> str:
    """What is wrong with a call that has no verb; empty where it may open the window."""
    if "--" in arguments:
        place = arguments.index("--")
        options, files = arguments[:place], arguments[place + 1 :]
    else:
        options = [word for word in arguments if word.startswith("-")]
        files = [word for word in arguments if not word.startswith("-")]
    unknown = next((word for word in options if word.startswith("-")), None)
    if unknown is not None:
        return f"there is no option {unknown}; backwire --help says what there is"
    if len(files) > 1:
        return "one file at a time can be opened"
    if files and files[0].isidentifier() and not os.path.exists(files[0]):
        return f"there is no verb and no file called {files[0]}"
    return ""


if __name__ == "__main__":
    sys.exit(main())
