"""Sends a message, is refused once, calls somebody and hears them. BASE, KEY and TO as in the environment."""

import array
import asyncio
import json
import os

from channel_client import ChannelError, Client, pages

RATE = 16_000
client = Client(os.environ["BASE"], api_key=os.environ["KEY"])
to = os.environ["TO"]


def say(what: str, **told: object) -> None:
    print(json.dumps({"what": what, **told}), flush=True)


text = {"destinationNumber": to, "text": "Good morning"}
sent = client.messages.send(text, idempotency_key="morning-1")
again = client.messages.send(text, idempotency_key="morning-1")
say("message", id=sent["id"], again=again["id"])
for one in pages(lambda page: client.messages.list(page=page, page_size=1, direction="OUTBOUND")):
    say("page", ids=[message["id"] for message in one["messages"]])
try:
    client.calls.get("call_none")
except ChannelError as refusal:
    say("refusal", status=refusal.status, code=refusal.code, hasId=refusal.request_id is not None)


async def hear() -> None:
    call = client.calls.create({"to": to})
    session = await client.open_realtime(call["id"], rate=RATE, onDisconnect="hangup")
    heard, loudest = 0, 0
    async for event in session:
        if isinstance(event, dict):
            if event["type"] == "start":
                say("start", rate=event["outRate"])
            continue
        samples = array.array("h", event)
        heard += len(samples)
        loudest = max(loudest, *map(abs, samples))
        if heard >= RATE and loudest > 1_000:
            await session.send({"type": "hangup"})
            break
    say("heard", isLoud=loudest > 1_000)
    async for _ in session:
        pass
    say("end", code=session.close_code)


asyncio.run(hear())
