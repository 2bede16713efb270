"""Two npm packages: one with the binary of this platform, and one that finds it."""

import json
import shutil

from .release import pack

PLATFORMS = {"unknown-linux-musl": "linux", "unknown-linux-gnu": "linux", "apple-darwin": "darwin", "pc-windows-msvc": "win32"}
PROCESSORS = {"x86_64": "x64", "aarch64": "arm64"}
#: The packages that a release publishes; npm installs the one that fits.
PUBLISHED = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64"]


def platform_of(release):
    machine, system = release.target.split("-", 1)
    return PLATFORMS[system], PROCESSORS[machine]


def pack_module(release, folder, name):
    """Packs a folder as `npm pack` does: below `package/`."""
    packed = pack(release, release.output / f"{name}-{release.version}.tgz", folder, "package")
    shutil.rmtree(folder)
    return packed


def described(release, name, **more):
    return {
        "name": name,
        "version": release.version,
        "description": "Measures how well a model, chatbot or agent uses its tools",
        "license": "Apache-2.0",
        **more,
    }


def make(release):
    system, processor = platform_of(release)
    platform = f"{system}-{processor}"
    folder = release.output / "npm-platform"
    (folder / "bin").mkdir(parents=True)
    shutil.copy(release.program, folder / "bin")
    for name in ("LICENSE", "NOTICE", "THIRD-PARTY-LICENCES.txt"):
        shutil.copy(release.stage / name, folder)
    own = described(release, f"@toolgauge/{platform}", os=[system], cpu=[processor])
    (folder / "package.json").write_text(json.dumps(own, indent=2) + "\n")
    packed = [pack_module(release, folder, f"toolgauge-{platform}")]

    folder = release.output / "npm-main"
    (folder / "bin").mkdir(parents=True)
    source = release.root / "tools" / "packaging_parts" / "npm"
    shutil.copy(source / "toolgauge.js", folder / "bin")
    shutil.copy(source / "README.md", folder)
    shutil.copy(release.stage / "LICENSE", folder)
    main = described(
        release,
        "toolgauge",
        bin={"toolgauge": "bin/toolgauge.js"},
        engines={"node": ">=18"},
        optionalDependencies={f"@toolgauge/{name}": release.version for name in PUBLISHED},
    )
    (folder / "package.json").write_text(json.dumps(main, indent=2) + "\n")
    packed.append(pack_module(release, folder, "toolgauge-npm"))
    return ", ".join(packed)
