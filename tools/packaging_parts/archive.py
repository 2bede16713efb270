"""The archive for people who unpack it themselves."""

import zipfile

from .release import pack


def make(release):
    name = f"toolgauge-{release.version}-{release.target}"
    if "windows" in release.target:
        path = release.output / f"{name}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(release.stage.rglob("*")):
                archive.write(file, f"{name}/{file.relative_to(release.stage)}")
        return path.name
    return pack(release, release.output / f"{name}.tar.gz", release.stage, name)
