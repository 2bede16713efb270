"""A small MCP server over stdio or HTTP: notes in a folder, a counter in memory, and every fault."""

import http.server
import json
import os
import sys
import time

FOLDER = sys.argv[1]
counter = 0
changed = False


def tool(name, arguments, **annotations):
    schema = {"type": "object", "properties": {key: {"type": "string"} for key in arguments},
              "required": list(arguments)}
    return {"name": name, "description": name + " it", "inputSchema": schema,
            "annotations": annotations}


def tools():
    offered = [
        tool("read", ["path"], readOnlyHint=True),
        tool("write", ["path", "text"], destructiveHint=True),
        tool("count", []),
        tool("where", [], readOnlyHint=True),
        tool("token", [], readOnlyHint=True),
        tool("fault", ["kind"]),
    ]
    return offered[1:] if changed else offered


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def fault(kind):
    global changed
    if kind == "crash":
        sys.exit("the desk fell over")
    if kind == "hang":
        time.sleep(600)
    if kind == "wait":
        sys.stdin.read()
        sys.exit("nobody is there any more")
    if kind == "flood":
        for _ in range(100):
            sys.stdout.write("x" * (1 << 20))
    if kind == "chatter":
        while True:
            send({"method": "notifications/message", "params": {"level": "info", "data": "x" * 10000}})
    if kind == "garble":
        sys.stdout.write('{"jsonrpc": "2.0", "id"\n')
        sys.stdout.flush()
        time.sleep(600)
    if kind == "change":
        changed = True
        send({"method": "notifications/tools/list_changed"})
    return "done"


def call(name, given):
    global counter
    if name == "read":
        with open(given["path"]) as file:
            return file.read()
    if name == "write":
        with open(given["path"], "w") as file:
            file.write(given["text"])
        return "wrote " + given["path"]
    if name == "count":
        counter += 1
        return str(counter)
    if name == "where":
        return json.dumps({"cwd": os.getcwd(), "folder": FOLDER, "variables": sorted(os.environ)})
    if name == "token":
        return "the token is " + os.environ.get("DESK_TOKEN", "not set")
    return fault(given["kind"])


def answer(message):
    """The answer to a request; nothing to a notification."""
    if "id" not in message:
        return None
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {"listChanged": True}},
                  "serverInfo": {"name": "desk", "version": "1.0"}}
    elif method == "tools/list":
        result = {"tools": tools()}
    elif method == "tools/call":
        try:
            text, failed = call(params["name"], params.get("arguments") or {}), False
        except (OSError, KeyError) as error:
            text, failed = str(error), True
        result = {"content": [{"type": "text", "text": text}], "isError": failed}
    else:
        return {"id": message["id"], "error": {"code": -32601, "message": "no such method"}}
    return {"id": message["id"], "result": result}


class Streamable(http.server.BaseHTTPRequestHandler):
    """The same over HTTP, for those who know the word."""

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_known = self.headers.get("X-Desk") == "open sesame"
        answered = answer(message) if is_known else None
        body = json.dumps({"jsonrpc": "2.0", **answered}).encode() if answered else b""
        self.send_response((200 if answered else 202) if is_known else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send_error(405)

    def log_message(self, *_):
        pass


if sys.argv[2:] == ["http"]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Streamable)
    print(server.server_port, flush=True)
    server.serve_forever()
print("desk 1.0")
for line in sys.stdin:
    answered = answer(json.loads(line))
    if answered:
        send(answered)
