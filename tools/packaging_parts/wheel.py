"""The wheel with the binary and the Python package, and its source distribution."""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import time
import tomllib
import zipfile

from .release import pack, run


def maturin(release, *arguments):
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(release.time)}
    run("maturin", *arguments, "--out", release.output, cwd=release.root / "python", env=environment)


def made(release, ending):
    return ", ".join(path.name for path in release.output.glob(f"*{ending}"))


def for_old_systems(release):
    """With zig as the linker, the module runs with the C library of 2014 and not only with ours."""
    linux = "-linux-" in release.target
    zig = subprocess.run(["python3", "-m", "ziglang", "version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return ["--zig", "--compatibility", "manylinux_2_17"] if linux and zig.returncode == 0 else []


def make(release):
    """Maturin compiles the native module, and says by its tag which systems it runs on."""
    if release.native:
        return assembled(release)
    scripts = release.root / "python" / "toolgauge.data" / "scripts"
    shutil.rmtree(scripts.parent, ignore_errors=True)
    scripts.mkdir(parents=True)
    try:
        shutil.copy(release.program, scripts)
        maturin(release, "build", "--locked", "--release", *for_old_systems(release))
    finally:
        shutil.rmtree(scripts.parent)
    return made(release, ".whl")


def make_source(release):
    """Builds the Python package alone: its user has the program from elsewhere."""
    maturin(release, "sdist")
    name = f"toolgauge-{release.version}"
    path, unpacked = release.output / f"{name}.tar.gz", release.output / "sdist"
    with tarfile.open(path) as archive:
        archive.extractall(unpacked, filter="data")
    # Maturin takes the crates and not what they embed.
    for folder in ("schemas", "suites"):
        shutil.copytree(release.root / folder, unpacked / name / folder)
    for file in ("LICENSE", "NOTICE"):
        shutil.copy(release.root / file, unpacked / name)
    pack(release, path, unpacked / name, name)
    shutil.rmtree(unpacked)
    return path.name


def tag(module, machine):
    """The oldest C library that the module runs with, as PEP 600 names it."""
    symbols = run("readelf", "--version-info", module, capture=True)
    versions = [tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols)]
    major, minor = max(versions, default=(2, 17))
    return f"cp310-abi3-manylinux_{major}_{minor}_{machine}"


def described(project, version):
    lines = ["Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version}"]
    lines += [f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}"]
    lines += [f"License-Expression: {project['license']}"]
    lines += [f"Requires-Dist: {needed}" for needed in project.get("dependencies", [])]
    return "\n".join(lines) + "\n"


def entry_points(project):
    groups = dict(project.get("entry-points", {}))
    if "scripts" in project:
        groups["console_scripts"] = project["scripts"]
    return "".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in points.items())
        for group, points in groups.items()
    )


def assembled(release):
    """A wheel of a native module that was compiled before, so that a test compiles nothing."""
    source = release.root / "python"
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    wheel_tag = tag(release.native, release.machine)
    stem = f"toolgauge-{release.version}"
    files = {f"{stem}.data/scripts/{release.program.name}": release.program.read_bytes()}
    for path in sorted((source / "toolgauge").rglob("*")):
        if path.suffix in (".py", ".pyi", ".typed") or path.name == "py.typed":
            files[f"toolgauge/{path.relative_to(source / 'toolgauge')}"] = path.read_bytes()
    files["toolgauge/_native.abi3.so"] = release.native.read_bytes()
    info = f"{stem}.dist-info"
    files[f"{info}/METADATA"] = described(project, release.version).encode()
    head = f"Wheel-Version: 1.0\nGenerator: tools/dist\nRoot-Is-Purelib: false\nTag: {wheel_tag}\n"
    files[f"{info}/WHEEL"] = head.encode()
    files[f"{info}/entry_points.txt"] = entry_points(project).encode()
    for name in ("LICENSE", "NOTICE", "THIRD-PARTY-LICENCES.txt"):
        files[f"{info}/licenses/{name}"] = (release.stage / name).read_bytes()
    digest = lambda content: base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record = "".join(f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    path = release.output / f"{stem}-{wheel_tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name, time.gmtime(release.time)[:6])
            # pip makes a script executable only if this says that it is a file, too.
            member.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return path.name
