"""The Debian package."""

import gzip
import os
import shutil
from datetime import datetime, timezone
from email.utils import format_datetime

from .release import run

PROCESSORS = {"x86_64": "amd64", "aarch64": "arm64"}
MAINTAINER = "toolgauge maintainers <toolgauge@users.noreply.github.com>"

CONTROL = """Package: toolgauge
Version: {version}
Architecture: {processor}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Section: science
Priority: optional
Description: measures how well something calls tools
 toolgauge tests how well a language model, a chatbot or an agent uses its
 tools, and names the cases it gets wrong. It scores every call with partial
 credit, states its uncertainty, compares runs, and shows them in a browser.
"""

COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: toolgauge

Files: *
Copyright: 2026 the toolgauge authors
License: Apache-2.0
 On Debian systems, the full text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0. The licences of the crates inside are
 in /usr/share/doc/toolgauge/THIRD-PARTY-LICENCES.txt.gz.
"""

CHANGES = """toolgauge ({version}) unstable; urgency=medium

  * Release {version}; CHANGELOG.md.gz beside this file has the details.

 -- {maintainer}  {date}
"""

#: A static binary is what this package is for, and its YAML reader is a port of libyaml to Rust.
OVERRIDES = """toolgauge: statically-linked-binary [usr/bin/toolgauge]
toolgauge: embedded-library libyaml [usr/bin/toolgauge]
"""


def packed(text, path):
    """Debian wants what people read as gzip without a time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def fill(release, root):
    share = root / "usr" / "share"
    for folder in (root / "usr/bin", share / "bash-completion/completions", share / "zsh/vendor-completions",
                   share / "fish/vendor_completions.d", share / "doc/toolgauge", share / "lintian/overrides"):
        folder.mkdir(parents=True)
    shutil.copy(release.program, root / "usr" / "bin" / "toolgauge")
    shells = release.stage / "completions"
    shutil.copy(shells / "bash", share / "bash-completion/completions/toolgauge")
    shutil.copy(shells / "zsh", share / "zsh/vendor-completions/_toolgauge")
    shutil.copy(shells / "fish", share / "fish/vendor_completions.d/toolgauge.fish")
    for page in release.pages():
        packed(page.read_bytes(), share / "man/man1" / f"{page.name}.gz")
    texts = share / "doc/toolgauge"
    date = format_datetime(datetime.fromtimestamp(release.time, timezone.utc))
    packed(CHANGES.format(version=release.version, maintainer=MAINTAINER, date=date), texts / "changelog.gz")
    for name in ("CHANGELOG.md", "THIRD-PARTY-LICENCES.txt", "NOTICE"):
        packed((release.stage / name).read_bytes(), texts / f"{name}.gz")
    (texts / "copyright").write_text(COPYRIGHT)
    (share / "lintian/overrides/toolgauge").write_text(OVERRIDES)


def make(release):
    if shutil.which("dpkg-deb") is None:
        return "left out: there is no dpkg-deb here"
    root = release.output / "deb"
    fill(release, root)
    for path in root.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    processor = PROCESSORS[release.machine]
    (root / "DEBIAN").mkdir()
    control = CONTROL.format(version=release.version, processor=processor, maintainer=MAINTAINER, kilobytes=size // 1024)
    (root / "DEBIAN/control").write_text(control)
    path = release.output / f"toolgauge_{release.version}_{processor}.deb"
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(release.time)}
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z4", "--build", root, path]
    run(*command, capture=True, env=environment)
    shutil.rmtree(root)
    return path.name
