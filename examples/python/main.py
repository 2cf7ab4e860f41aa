"""A bot that echoes what it hears and records the caller, with the package `websockets` alone.

A server that a call is connected to, in the service's own words (dialect `native`): binary messages are PCM16 mono,
text messages are JSON. Each call becomes a WAV file in RECORDINGS.
"""

import asyncio
import contextlib
import json
import os
import re
import signal
import wave

import websockets

PORT = int(os.environ.get("PORT", "8765"))
BOT_TOKEN = os.environ.get("BOT_TOKEN", "")
RECORDINGS = os.environ.get("RECORDINGS", ".")


def say(line):
    print(line, flush=True)


def is_let_in(call):
    """The service shows the token that `connectTo` was given."""
    # The name of the headers depends on the version of the package.
    headers = call.request.headers if hasattr(call, "request") else call.request_headers
    return BOT_TOKEN in ("", headers.get("authorization", "").removeprefix("Bearer "))


def record_to(start):
    """Opens the file of a call."""
    name = re.sub(r"\W", "", start["callId"])
    recording = wave.open(os.path.join(RECORDINGS, f"{name}.wav"), "wb")
    recording.setnchannels(1)
    recording.setsampwidth(2)
    recording.setframerate(start["outRate"])
    return recording


async def tell(call, message):
    """Sends a message, unless the call is over: what was heard before that is still to be recorded."""
    with contextlib.suppress(websockets.ConnectionClosed):
        await call.send(message)


async def talk(call):
    if not is_let_in(call):
        await call.close(1008)
        return
    recording = None
    is_echoing = True
    try:
        async for message in call:
            if isinstance(message, bytes):
                if recording:
                    recording.writeframesraw(message)
                if is_echoing:
                    await tell(call, message)
                continue
            told = json.loads(message)
            if told["type"] == "start":
                recording = record_to(told)
                say(f"call {told['callId']}")
            elif told["type"] == "dtmf":
                say(f"key {told['digit']}")
                is_echoing = not is_echoing
                await tell(call, json.dumps({"type": "clear"}))
                await tell(call, json.dumps({"type": "dtmf", "digits": told["digit"]}))
                if told["digit"] == "#":
                    await tell(call, json.dumps({"type": "hangup"}))
    except websockets.ConnectionClosed:
        pass
    finally:
        if recording:
            say(f"recorded {recording.getnframes() / recording.getframerate():.1f} s")
            recording.close()


async def main():
    ended = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, ended.set)
    async with websockets.serve(talk, "127.0.0.1", PORT) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        say(f"Listens on ws://127.0.0.1:{port}/")
        await ended.wait()


asyncio.run(main())
