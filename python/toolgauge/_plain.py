"""Takes objects of other libraries apart, for the native module.

It asks for what an object can do and imports nothing, so that no library is needed that is not in
use already.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence, Set
from typing import Any


def plain(value: Any) -> Any:
    """The value as dicts, lists and scalars, one step deep: what is inside is asked for again."""
    # Messages of pydantic: OpenAI's and Anthropic's clients, LangChain, Inspect AI.
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return dump()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (Sequence, Set)) and not isinstance(value, (str, bytes, bytearray)):
        return list(value)
    # Scalars of NumPy and members of enumerations.
    for name in ("item", "value"):
        inner = getattr(value, name, None)
        inner = inner() if name == "item" and callable(inner) else inner
        if isinstance(inner, (str, int, float, bool)):
            return inner
    # Dates and times.
    written = getattr(value, "isoformat", None)
    if callable(written):
        return written()
    raise TypeError(
        f"a value of the type `{type(value).__module__}.{type(value).__qualname__}` is no JSON, "
        "dataclass or pydantic model"
    )
