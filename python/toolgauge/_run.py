"""Runs a suite on a Python function, by serving the function on this machine alone."""

from __future__ import annotations

import contextlib
import inspect
import json
import secrets
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from toolgauge._native import RunResult, ToolgaugeError, plain_json, plain_messages, run_suite

Answer = Callable[[dict[str, Any]], dict[str, Any]]

# What a function that is a chatbot may ask for beside the question, by the names of its parameters.
BESIDE = ("session", "history")


def run(subject: str | Callable[..., Any], order: dict[str, Any]) -> RunResult:
    """Runs what is ordered on a subject of any kind."""
    for name in ("sample", "limit", "trials", "concurrency"):
        if order[name] is not None and order[name] < 1:
            raise ToolgaugeError(f"`{name}` is {order[name]}\n  hint: there must be one at least")
    if isinstance(subject, str):
        is_address = subject.startswith(("http://", "https://"))
        name = f"chatbot:{subject}" if is_address else subject
        return run_suite({**order, "subject": name, "is_function": False})
    if not callable(subject):
        raise TypeError("`subject` is a function, an address or the name of a model")
    if order["base_url"] is not None:
        raise ToolgaugeError("a function has no `base_url`\n  hint: give the name of a model as subject")
    with _served(subject) as named:
        return run_suite({**order, **named, "is_function": True})


@contextlib.contextmanager
def _served(function: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    """The function behind an address of its own, as long as the block lasts."""
    is_model = _takes_tools(function)
    # Other programs of this machine cannot guess the address.
    secret = secrets.token_urlsafe(16)
    server = _Server(_as_model(function) if is_model else _as_chatbot(function), f"/{secret}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{server.server_address[1]}/{secret}"
    name = getattr(function, "__name__", type(function).__name__).strip("<>")
    try:
        if is_model:
            yield {"subject": name, "base_url": f"{address}/v1"}
            return
        with tempfile.TemporaryDirectory() as folder:
            # A description gives the function its own name in tables; JSON is YAML too.
            file = Path(folder, "function.yaml")
            body = {name: f"{{{{ {name} }}}}" for name in ("question", *_asked_for(function))}
            places = {"text": "/answer", "tools": "/tools_used", "sources": "/sources", "error": "/error"}
            http = {"url": f"{address}/chat", "body": body}
            file.write_text(json.dumps({"name": name, "http": http, "answer": places}))
            yield {"subject": f"chatbot:{file}"}
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def _asked_for(function: Callable[..., Any]) -> list[str]:
    """What a chatbot wants to know beside the question."""
    return [parameter.name for parameter in _parameters(function)[1:] if parameter.name in BESIDE]


def _takes_tools(function: Callable[..., Any]) -> bool:
    """Whether a function wants messages and tools rather than a question."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    beside = _asked_for(function)
    required = [
        parameter
        for parameter in _parameters(function)
        if parameter.kind in kinds
        and parameter.default is inspect.Parameter.empty
        and parameter.name not in beside
    ]
    return len(required) >= 2


def _called(function: Callable[..., Any], *arguments: Any, **beside: Any) -> Any:
    """What a function gives, an async one included."""
    given = function(*arguments, **beside)
    if inspect.isawaitable(given):
        import asyncio

        async def wait() -> Any:
            return await given

        return asyncio.run(wait())
    return given


def _as_chatbot(function: Callable[..., Any]) -> Answer:
    names = _asked_for(function)

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        beside = {name: request[name] for name in names}
        return _reply(_called(function, request["question"], **beside))

    return answer


def _reply(given: Any) -> dict[str, Any]:
    """What a chatbot gave, in the reference form."""
    if isinstance(given, str):
        return {"answer": given}
    if isinstance(given, dict) and "answer" in given:
        reply: dict[str, Any] = json.loads(plain_json(given))
        return reply
    messages: list[dict[str, Any]] = json.loads(plain_messages(given))
    results = {m.get("tool_call_id"): m.get("content") for m in messages if m["role"] == "tool"}
    used, text = [], ""
    for message in (message for message in messages if message["role"] == "assistant"):
        text = message.get("content") or ""
        for call in message.get("tool_calls") or ():
            function = call["function"]
            result = results.get(call.get("id"))
            used.append({"name": function["name"], "arguments": function["arguments"], "result": result})
    return {"answer": text, "tools_used": used}


def _as_model(function: Callable[..., Any]) -> Answer:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        given = _called(function, request["messages"], request.get("tools") or [])
        message = {"role": "assistant", "content": given} if isinstance(given, str) else given
        said = [m for m in json.loads(plain_messages(message)) if m["role"] == "assistant"][-1]
        stop = "tool_calls" if said.get("tool_calls") else "stop"
        choice = {"index": 0, "message": said, "finish_reason": stop}
        return {"object": "chat.completion", "model": request.get("model"), "choices": [choice]}

    return answer


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # As many requests as a run has at once may arrive together.
    request_queue_size = 256

    def __init__(self, answer: Answer, prefix: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.prefix = prefix


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self.path.startswith(self.server.prefix):
            return self._send(404, {"error": {"message": "not found"}})
        try:
            request = json.loads(body)
            reply = self.server.answer(request)
        except Exception as error:  # the function's own failure is the subject's, not ours
            traceback.print_exc()
            # Not a 500, which would be asked again: what the function does may not be repeated.
            return self._send(422, {"error": {"message": f"{type(error).__name__}: {error}"}})
        if request.get("stream"):
            return self._stream(reply)
        return self._send(200, reply)

    def do_GET(self) -> None:
        self._send(404, {"error": {"message": "not found"}})

    def _stream(self, reply: dict[str, Any]) -> None:
        """The whole reply as one event: a function has nothing to stream."""
        choice = reply["choices"][0]
        delta = dict(choice["message"])
        for index, call in enumerate(delta.get("tool_calls") or ()):
            call["index"] = index
        part = {"index": 0, "delta": delta, "finish_reason": choice["finish_reason"]}
        event = {**reply, "object": "chat.completion.chunk", "choices": [part]}
        text = f"data: {json.dumps(event)}\n\ndata: [DONE]\n\n"
        self._write(200, "text/event-stream", text.encode())

    def _send(self, status: int, reply: dict[str, Any]) -> None:
        self._write(status, "application/json", json.dumps(reply).encode())

    def _write(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed: the log of the run has every request."""
