"""Passes on everything between toolgauge and Home Assistant, and writes it down in order.

recorder.py PORT URL FILE

Each line of the file is one of `{"connect": true}`, `{"send": …}`, `{"receive": …}` and
`{"post": PATH, "body": …, "status": …}`. The token is left out.
"""

import asyncio
import json
import sys

from aiohttp import ClientSession, WSMsgType, web

PORT, URL, FILE = int(sys.argv[1]), sys.argv[2], open(sys.argv[3], "w")


def note(**entry) -> None:
    message = entry.get("send") or {}
    if "access_token" in message:
        entry["send"] = message | {"access_token": "token-of-the-test"}
    print(json.dumps(entry, ensure_ascii=False), file=FILE, flush=True)


async def websocket(request: web.Request) -> web.WebSocketResponse:
    note(connect=True)
    ours = web.WebSocketResponse(max_msg_size=0)
    await ours.prepare(request)
    async with ClientSession() as session, session.ws_connect(f"{URL}/api/websocket", max_msg_size=0) as theirs:

        async def pass_on(source, target, what: str) -> None:
            async for message in source:
                if message.type is WSMsgType.TEXT:
                    # Home Assistant may send several messages in one.
                    for one in [json.loads(message.data)]:
                        for part in one if isinstance(one, list) else [one]:
                            note(**{what: part})
                    await target.send_str(message.data)

        both = [asyncio.ensure_future(pass_on(ours, theirs, "send")),
                asyncio.ensure_future(pass_on(theirs, ours, "receive"))]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in both:
            task.cancel()
    await ours.close()
    return ours


async def post(request: web.Request) -> web.Response:
    body = await request.json()
    headers = {"Authorization": request.headers["Authorization"]}
    async with ClientSession() as session, session.post(f"{URL}{request.path}", json=body, headers=headers) as answer:
        note(post=request.path, body=body, status=answer.status)
        return web.Response(status=answer.status, body=await answer.read())


application = web.Application()
application.router.add_get("/api/websocket", websocket)
application.router.add_post("/{path:.*}", post)
web.run_app(application, host="127.0.0.1", port=PORT, print=lambda *_: print("ready", flush=True))
