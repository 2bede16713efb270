"""`python -m toolgauge`: runs the program that is shipped beside the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path


def program() -> str | None:
    """The program of this environment, else the one in the `PATH`."""
    name = "toolgauge.exe" if os.name == "nt" else "toolgauge"
    own = Path(sysconfig.get_path("scripts"), name)
    return str(own) if own.is_file() else shutil.which(name)


def main() -> int:
    found = program()
    if found is None:
        print("error: the program `toolgauge` is not installed here", file=sys.stderr)
        print("  hint: this package was built without it; `cargo install` builds it", file=sys.stderr)
        return 2
    if os.name == "nt":
        return subprocess.call([found, *sys.argv[1:]])
    os.execv(found, [found, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
