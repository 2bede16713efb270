"""The container image: one layer with the static binary, as an OCI layout in a tar file."""

import gzip
import hashlib
import io
import json
import tarfile
from datetime import datetime, timezone

PROCESSORS = {"x86_64": "amd64", "aarch64": "arm64"}


def layer(release):
    """Nothing but the program, its licences, and folders to work and to keep temporary files in."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:

        def add(name, content=None, mode=0o755):
            member = tarfile.TarInfo(name)
            member.mtime, member.mode = release.time, mode
            if content is None:
                member.type = tarfile.DIRTYPE
            else:
                member.size = len(content)
            archive.addfile(member, io.BytesIO(content) if content is not None else None)

        add("usr")
        add("usr/bin")
        add("usr/bin/toolgauge", release.program.read_bytes())
        add("licences")
        for name in ("LICENSE", "NOTICE", "THIRD-PARTY-LICENCES.txt"):
            add(f"licences/{name}", (release.stage / name).read_bytes(), 0o644)
        # Whoever starts the container with their own user id must be able to write here.
        add("work", mode=0o1777)
        add("tmp", mode=0o1777)
    return buffer.getvalue()


def blob(archive, release, content):
    digest = hashlib.sha256(content).hexdigest()
    member = tarfile.TarInfo(f"blobs/sha256/{digest}")
    member.size, member.mtime, member.mode = len(content), release.time, 0o644
    archive.addfile(member, io.BytesIO(content))
    return {"digest": f"sha256:{digest}", "size": len(content)}


def make(release):
    if not release.target.endswith("linux-musl"):
        return "left out: an image from scratch needs a static binary"
    plain = layer(release)
    created = datetime.fromtimestamp(release.time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = {
        "created": created,
        "architecture": PROCESSORS[release.machine],
        "os": "linux",
        "config": {
            "Entrypoint": ["/usr/bin/toolgauge"],
            "Cmd": ["run"],
            "Env": ["PATH=/usr/bin", "HOME=/tmp"],
            "WorkingDir": "/work",
            "Labels": {
                "org.opencontainers.image.title": "toolgauge",
                "org.opencontainers.image.version": release.version,
                "org.opencontainers.image.licenses": "Apache-2.0",
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(plain).hexdigest()}"]},
        "history": [{"created": created, "created_by": "tools/dist"}],
    }
    path = release.output / f"toolgauge-{release.version}-{PROCESSORS[release.machine]}.oci.tar"
    oci = "application/vnd.oci.image."
    encoded = lambda value: json.dumps(value, sort_keys=True).encode()
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as archive:
        layers = [{"mediaType": oci + "layer.v1.tar+gzip", **blob(archive, release, gzip.compress(plain, 6, mtime=0))}]
        described = {"mediaType": oci + "config.v1+json", **blob(archive, release, encoded(config))}
        manifest = {"schemaVersion": 2, "mediaType": oci + "manifest.v1+json", "config": described, "layers": layers}
        name = {"org.opencontainers.image.ref.name": release.version}
        listed = {"mediaType": oci + "manifest.v1+json", **blob(archive, release, encoded(manifest)), "annotations": name}
        index = {"schemaVersion": 2, "manifests": [listed]}
        for file, content in (("index.json", encoded(index)), ("oci-layout", b'{"imageLayoutVersion":"1.0.0"}')):
            member = tarfile.TarInfo(file)
            member.size, member.mtime, member.mode = len(content), release.time, 0o644
            archive.addfile(member, io.BytesIO(content))
    return path.name
