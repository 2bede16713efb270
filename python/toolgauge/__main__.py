"""The program: `toolgauge`, and `python -m toolgauge`.

The compiled part of the package holds all of it, so that a wheel has its code once.
"""

from __future__ import annotations

import os
import signal
import sys

from toolgauge._native import run_program


def starter() -> str:
    """The file that starts the program, for commands of it that run others."""
    started = os.path.abspath(sys.argv[0])
    if os.path.basename(started) != "__main__.py":
        return started
    import sysconfig

    # Not Python with `-m`, which would take a folder `toolgauge` in the working folder for this one.
    return os.path.join(sysconfig.get_path("scripts"), "toolgauge")


def main() -> int:
    # The program obeys Ctrl-C itself; Python would only notice it after its end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(["toolgauge", *sys.argv[1:]], starter())


if __name__ == "__main__":
    sys.exit(main())
