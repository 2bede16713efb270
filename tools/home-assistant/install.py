"""Installs a version of Home Assistant into a folder of its own."""

import ast
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

# What a conversation with a model needs, and what stands in for a device.
COMPONENTS = ["conversation", "assist_satellite", "llama_cpp", "script", "timer", "camera"]

# Packages that are imported without any manifest naming them.
UNNAMED = ["python-dateutil", "backoff"]

# Packages that are imported but never used here, and that pull in a great deal.
STUBBED = ["hass-nabucasa", "home-assistant-bluetooth", "uv"]

STUB = '''
import contextvars, sys, types

class _Module(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {})

for _name in MODULES:
    _module = _Module(_name)
    _module.__path__ = []
    sys.modules[_name] = _module
    _parent, _, _child = _name.rpartition(".")
    if _parent:
        setattr(sys.modules[_parent], _child, _module)

# The web server asks of every request whether it came through the cloud.
sys.modules["hass_nabucasa.remote"].is_cloud_request = contextvars.ContextVar("cloud", default=False)
'''

MODULES = ["hass_nabucasa", "habluetooth", "home_assistant_bluetooth"] + [
    f"hass_nabucasa.{part}"
    for part in "alexa_api auth client cloud_api const google_report_state iot_base "
    "payments_api remote voice voice_data".split()
]

# Python 3.14 has this module; older ones do without lazy annotations.
ANNOTATIONLIB = '''
import enum

class Format(enum.IntEnum):
    VALUE, VALUE_WITH_FAKE_GLOBALS, FORWARDREF, STRING = 1, 2, 3, 4

class ForwardRef(str):
    pass

def get_annotations(owner, *_args, **_settings):
    return dict(getattr(owner, "__annotations__", None) or {})
'''


def install(version: str, folder: Path) -> Path:
    """Returns the Python that runs this version. What is there already is used again."""
    python = folder / "venv/bin/python"
    done = folder / "installed"
    if done.exists():
        # They may have changed with this script.
        write_stubs(folder / "stubs", python)
        return python
    if sys.version_info < (3, 13):
        raise SystemExit("Home Assistant needs Python 3.13 or later: run this script with it")
    folder.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "venv", folder / "venv")
    source = folder / "source"
    if not source.exists():
        download(python, version, folder)
    write_stubs(folder / "stubs", python)
    write_ffmpeg(folder / "bin")
    patch(source, python)
    requirements = core_requirements(source) + component_requirements(source) + UNNAMED
    if not pip(python, "install", "-q", *requirements):
        # One that wants another Python must not keep the others out; an older one of it will do.
        for one in requirements:
            name = re.split(r"[=<>]", one)[0]
            if not pip(python, "install", "-q", one) and not pip(python, "install", "-q", "--no-deps", name):
                print(f"{one} cannot be installed", file=sys.stderr)
    done.touch()
    return python


def download(python: Path, version: str, folder: Path) -> None:
    """The wheel is pure Python: a newer Python than this one may be asked for."""
    for minor in ("3.14.2", "3.13.2"):
        if pip(python, "download", "-q", "--no-deps", "--only-binary=:all:",
               "--python-version", minor, f"homeassistant=={version}", "-d", folder):
            break
    else:
        raise SystemExit(f"there is no wheel of Home Assistant {version}")
    wheel = next(folder.glob(f"homeassistant-{version}-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "source")


def core_requirements(source: Path) -> list[str]:
    metadata = next(source.glob("homeassistant-*.dist-info/METADATA")).read_text()
    named = re.findall(r"^Requires-Dist: (\S+)", metadata, re.M)
    return [name for name in named if re.split(r"[=<>]", name)[0] not in STUBBED]


def component_requirements(source: Path) -> list[str]:
    """What the components need, and those they depend on."""
    waiting, seen, found = [*COMPONENTS], set(), []
    while waiting:
        name = waiting.pop()
        manifest = source / "homeassistant/components" / name / "manifest.json"
        if name in seen or not manifest.exists():
            continue
        seen.add(name)
        entry = json.loads(manifest.read_text())
        found += entry.get("requirements", [])
        waiting += entry.get("dependencies", []) + entry.get("after_dependencies", [])
    return sorted(set(found))


def write_stubs(folder: Path, python: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(f"MODULES = {MODULES!r}\n{STUB}")
    if minor(python) < 14:
        (folder / "annotationlib.py").write_text(ANNOTATIONLIB)


def write_ffmpeg(folder: Path) -> None:
    """Satellites ask for the version of ffmpeg when they are set up, and for nothing else."""
    folder.mkdir(exist_ok=True)
    program = folder / "ffmpeg"
    program.write_text("#!/bin/sh\necho ffmpeg version 7.0\n")
    program.chmod(0o755)


def patch(source: Path, python: Path) -> None:
    """Home Assistant 2026.3 and later use syntax of Python 3.14."""
    if minor(python) >= 14:
        return
    bare = re.compile(r"^(\s*)except ([\w.]+(?:\s*,\s*[\w.]+)+)\s*:", re.M)
    for path in source.glob("homeassistant/**/*.py"):
        text = path.read_text(encoding="utf-8")
        changed = bare.sub(r"\1except (\2):", text)
        if "from __future__ import annotations" not in changed and changed.strip():
            changed = with_late_annotations(changed)
        if changed != text:
            path.write_text(changed, encoding="utf-8")


def with_late_annotations(text: str) -> str:
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return text
    first = body[0] if body else None
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    lines = text.split("\n")
    lines.insert(first.end_lineno if documented else 0, "from __future__ import annotations")
    return "\n".join(lines)


def minor(python: Path) -> int:
    code = "import sys; print(sys.version_info.minor)"
    return int(subprocess.run([python, "-c", code], capture_output=True, check=True).stdout)


def pip(python: Path, *arguments) -> bool:
    command = [python, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run([*map(str, command)], stderr=subprocess.DEVNULL).returncode == 0


def run(*command) -> None:
    subprocess.run([*map(str, command)], check=True)
