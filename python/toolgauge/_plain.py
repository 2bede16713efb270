"""Takes objects of other libraries apart, for the native module.

It asks for what an object can do, so that no library is needed that is not in use already.
"""

from __future__ import annotations

import dataclasses
import decimal
import enum
import json
import os
import uuid
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
    if isinstance(value, enum.Enum):
        return value.value
    # Dates and times, those of pandas included.
    written = getattr(value, "isoformat", None)
    if callable(written):
        return written()
    # Scalars and arrays of NumPy and its kind.
    listed = getattr(value, "tolist", None)
    if callable(listed):
        kind = getattr(getattr(value, "dtype", None), "kind", None)
        # NumPy gives times in nanoseconds as bare numbers.
        return value.astype("datetime64[us]").tolist() if kind == "M" else listed()
    if isinstance(value, decimal.Decimal):
        return json.loads(str(value))
    if isinstance(value, (uuid.UUID, os.PathLike)):
        return str(value)
    raise TypeError(
        f"a value of the type `{type(value).__module__}.{type(value).__qualname__}` is no JSON, "
        "dataclass or pydantic model"
    )
