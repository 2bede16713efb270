#!/usr/bin/env python3
"""Writes what the program is made of as CycloneDX 1.6: python3 .ci/sbom.py FILE

All crates that are compiled into `toolgauge` or run while it is built, on any platform, with the
checksums of Cargo.lock and the licences that they state; crates that only tests use are left out.
The same commit gives the same file. It fails if a licence is not among those that deny.toml allows,
or if a crate comes from elsewhere than cargo's own registry. With the package `cyclonedx-python-lib[json-validation]`
installed, the file is held against the official schema.
"""

import hashlib
import json
import re
import subprocess
import sys
import tomllib
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "toolgauge"


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def shipped(metadata):
    """The packages below the program, each with those it needs, by their identifiers."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    names = {package["id"]: package["name"] for package in metadata["packages"]}
    needs, todo = {}, [id for id in metadata["workspace_members"] if names[id] == PROGRAM]
    while todo:
        id = todo.pop()
        if id in needs:
            continue
        kept = [
            dependency["pkg"]
            for dependency in nodes[id]["deps"]
            if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
        ]
        needs[id] = sorted(set(kept))
        todo += kept
    return needs


def purl(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def expression_of(package):
    """The licence as an SPDX expression; older crates write `MIT/Apache-2.0`."""
    return re.sub(r"\s*/\s*", " OR ", package["license"] or "")


def is_allowed(expression, allowed):
    """Whether the licences of an SPDX expression that deny.toml allows are enough."""
    words = {"OR": "or", "AND": "and", "(": "(", ")": ")"}
    terms = re.findall(r"[()]|[\w.+-]+(?: WITH [\w.+-]+)?", expression)
    # Nothing but `or`, `and`, brackets, `True` and `False` is evaluated.
    return bool(terms) and eval(" ".join(words.get(term, str(term in allowed)) for term in terms))


def complaints(packages):
    allowed = tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]["allow"]
    for package in packages:
        expression, source = expression_of(package), package["source"]
        if not is_allowed(expression, allowed):
            yield f"{package['name']}: deny.toml does not allow `{expression}`"
        if source not in (None, "registry+https://github.com/rust-lang/crates.io-index"):
            yield f"{package['name']}: it comes from {source}"


def component(package, checksums, kind="library"):
    written = {
        "type": kind,
        "bom-ref": purl(package),
        "name": package["name"],
        "version": package["version"],
        "purl": purl(package),
    }
    if package["description"]:
        written["description"] = " ".join(package["description"].split())
    if package["license"]:
        written["licenses"] = [{"expression": expression_of(package)}]
    checksum = checksums.get((package["name"], package["version"]))
    if checksum:
        written["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        written["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return written


def bom():
    metadata = json.loads(run("cargo", "metadata", "--format-version", "1", "--locked", "--all-features"))
    lock = (ROOT / "Cargo.lock").read_bytes()
    locked = tomllib.loads(lock.decode())["package"]
    checksums = {(p["name"], p["version"]): p["checksum"] for p in locked if "checksum" in p}
    packages = {package["id"]: package for package in metadata["packages"]}
    needs = shipped(metadata)
    wrong = list(complaints(packages[id] for id in needs))
    if wrong:
        sys.exit("\n".join(wrong))
    program = next(id for id in needs if packages[id]["name"] == PROGRAM)
    by_purl = lambda id: purl(packages[id])
    others = sorted((id for id in needs if id != program), key=by_purl)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, hashlib.sha256(lock).hexdigest())}",
        "version": 1,
        "metadata": {
            "timestamp": run("git", "log", "-1", "--format=%cI").strip(),
            "component": component(packages[program], checksums, "application"),
        },
        "components": [component(packages[id], checksums) for id in others],
        "dependencies": [
            {"ref": by_purl(id), "dependsOn": sorted(by_purl(needed) for needed in needs[id])}
            for id in sorted(needs, key=by_purl)
        ],
    }


def check(text):
    """Holds the file against the official schema; tells whether that was possible."""
    try:
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator
    except ImportError:
        return False
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if problem is not None:
        sys.exit(f"the list is not CycloneDX 1.6: {problem}")
    return True


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    written = bom()
    text = json.dumps(written, indent=1, ensure_ascii=False) + "\n"
    checked = "valid by the schema" if check(text) else "NOT CHECKED: no cyclonedx-python-lib"
    Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
    Path(sys.argv[1]).write_text(text)
    print(f"{len(written['components'])} crates in {sys.argv[1]}, {checked}")


main()
