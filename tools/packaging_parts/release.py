"""What is released: its version, its target and the folders of its packages."""

import gzip
import subprocess
import tarfile
import tomllib


def run(*command, capture=False, cwd=None, env=None):
    """Runs a command to its end, and returns what it prints if that is asked for."""
    words = [str(word) for word in command]
    output = subprocess.PIPE if capture else None
    return subprocess.run(words, check=True, stdout=output, text=True, cwd=cwd, env=env).stdout


class Release:
    def __init__(self, root, output, target):
        self.root = root
        self.output = output
        self.target = target
        self.stage = output / "stage"
        self.version = tomllib.loads((root / "Cargo.toml").read_text())["workspace"]["package"]["version"]
        # The time in every package: the same commit gives the same files.
        self.time = int(run("git", "log", "-1", "--format=%ct", capture=True, cwd=root))

    @property
    def program(self):
        return self.stage / ("toolgauge.exe" if "windows" in self.target else "toolgauge")

    @property
    def machine(self):
        """The processor as Rust names it, such as `x86_64`."""
        return self.target.split("-")[0]

    def pages(self):
        """The manual pages."""
        return sorted((self.stage / "man").iterdir())


def clean(information):
    """A member of a tar file that tells nothing of the machine that made it."""
    information.uid = information.gid = 0
    information.uname = information.gname = "root"
    information.mode = 0o755 if information.isdir() or information.mode & 0o100 else 0o644
    return information


def pack(release, path, folder, name):
    """Writes a folder as a .tar.gz in which it has this name. The same commit gives the same bytes."""

    def member(information):
        information.mtime = release.time
        return clean(information)

    # gzip would write the time of packing into its head.
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=release.time) as packed:
        with tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(folder, name, filter=member)
    return path.name
