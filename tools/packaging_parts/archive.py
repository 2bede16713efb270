"""The archive for people who unpack it themselves."""

import gzip
import tarfile
import zipfile

from .release import clean


def make(release):
    name = f"toolgauge-{release.version}-{release.target}"
    if "windows" in release.target:
        path = release.output / f"{name}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(release.stage.rglob("*")):
                archive.write(file, f"{name}/{file.relative_to(release.stage)}")
        return path.name
    path = release.output / f"{name}.tar.gz"

    def member(information):
        information.mtime = release.time
        return clean(information)

    # gzip would write the time of packing into its head.
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=release.time) as packed:
        with tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(release.stage, name, filter=member)
    return path.name
