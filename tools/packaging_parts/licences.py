"""The licence texts of everything that is compiled into the program, each text once."""

import json
import re
from pathlib import Path

from .release import run

NAMES = re.compile(r"(licen[cs]e|copying|notice|unlicense)", re.IGNORECASE)


def packages_inside(release, folder, name, features):
    """The crates below one of ours on this target, without those that only build or test it."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--features", ",".join(features)]
    metadata = json.loads(run(*command, "--filter-platform", release.target, capture=True, cwd=folder))
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    todo = [id for id in metadata["workspace_members"] if packages[id]["name"] == name]
    inside = set()
    while todo:
        id = todo.pop()
        if id in inside:
            continue
        inside.add(id)
        for dependency in nodes[id]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                todo.append(dependency["pkg"])
    # Our own crates have no source but this repository, whose LICENSE lies beside this list.
    others = [packages[id] for id in inside if packages[id]["source"]]
    return sorted(others, key=lambda package: (package["name"], package["version"]))


def texts_of(package):
    folder = Path(package["manifest_path"]).parent
    files = [path for path in folder.iterdir() if path.is_file() and NAMES.match(path.name)]
    if package.get("license_file"):
        files.append(folder / package["license_file"])
    texts = {path.read_text(errors="replace").strip() for path in files if path.is_file()}
    return sorted(text for text in texts if text)


def of_program(release):
    features = ["mcp", "tables", "sql", "stores"]
    return packages_inside(release, release.root, "toolgauge", [f"toolgauge/{name}" for name in features])


def of_module(release):
    """Those of the native module of the Python package."""
    return packages_inside(release, release.root / "python", "toolgauge-python", [])


def write(release, packages, path):
    """Writes the list of crates, and then each text with the crates that have it."""
    by_text, without = {}, []
    for package in packages:
        name = f"{package['name']} {package['version']}"
        found = texts_of(package)
        if not found:
            without.append(f"{name}: {package['license']}")
        for text in found:
            by_text.setdefault(text, []).append(name)
    lines = [f"toolgauge {release.version} contains {len(packages)} crates of others:", ""]
    lines += [f"  {p['name']} {p['version']}: {p['license']}" for p in packages]
    if without:
        lines += ["", "These came without a text of their own; those of the same name below apply:", ""]
        lines += [f"  {line}" for line in without]
    for text, names in sorted(by_text.items(), key=lambda item: item[1]):
        lines += ["", "=" * 80, ", ".join(names), "=" * 80, "", text]
    path.write_text("\n".join(lines) + "\n")
