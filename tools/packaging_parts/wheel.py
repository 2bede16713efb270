"""The wheel, whose native module is the program too, and its source distribution."""

import os
import shutil
import subprocess
import tarfile

from . import licences
from .release import pack, run


def maturin(release, *arguments):
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(release.time)}
    run("maturin", *arguments, "--out", release.output, cwd=release.root / "python", env=environment)


def for_old_systems(release):
    """With zig as the linker, the module runs with the C library of 2014 and not only with ours."""
    linux = "-linux-" in release.target
    zig = subprocess.run(["python3", "-m", "ziglang", "version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return ["--zig", "--compatibility", "manylinux_2_17"] if linux and zig.returncode == 0 else []


def make(release):
    """Maturin compiles the native module, and says by its tag which systems it runs on."""
    source = release.root / "python"
    # Maturin packs what lies there under such names as the licence of the package.
    texts = [source / name for name in ("LICENSE", "NOTICE", "LICENCES-OF-OTHERS.txt")]
    try:
        for text in texts[:2]:
            shutil.copy(release.stage / text.name, text)
        licences.write(release, licences.of_module(release), texts[2])
        maturin(release, "build", "--locked", "--release", *for_old_systems(release))
    finally:
        for text in texts:
            text.unlink(missing_ok=True)
    (path,) = release.output.glob("*.whl")
    return path.name


def make_source(release):
    """What pip compiles where no wheel fits: the same package, program included."""
    maturin(release, "sdist")
    name = f"toolgauge-{release.version}"
    path, unpacked = release.output / f"{name}.tar.gz", release.output / "sdist"
    with tarfile.open(path) as archive:
        archive.extractall(unpacked, filter="data")
    # Maturin takes the crates and not what they embed.
    for folder in ("schemas", "suites"):
        shutil.copytree(release.root / folder, unpacked / name / folder)
    (unpacked / name / "docs").mkdir()
    for file in ("LICENSE", "NOTICE", "docs/glossary.md"):
        shutil.copy(release.root / file, unpacked / name / file)
    pack(release, path, unpacked / name, name)
    shutil.rmtree(unpacked)
    return path.name
