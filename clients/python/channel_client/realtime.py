"""The realtime audio of a call as a stream. Needs the package `websockets`."""

import json
from typing import Any, AsyncIterator, Union
from urllib.parse import urlencode

# The service takes 64 KiB at once; an even number keeps samples whole.
MOST_BYTES = 65_536


class RealtimeSession:
    """`async for event in session` gives audio of the peer as bytes, and messages as dicts, until the session ends."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket

    @classmethod
    async def connect(cls, ws_url: str, **query: Any) -> "RealtimeSession":
        """Connects to the `wsUrl` of a session; `query` is `rate`, `speech`, `onDisconnect` and so on."""
        import websockets

        address = f"{ws_url}&{urlencode(query)}" if query else ws_url
        return cls(await websockets.connect(address, max_size=None))

    def __aiter__(self) -> AsyncIterator[Union[bytes, dict[str, Any]]]:
        return self._events()

    async def _events(self) -> AsyncIterator[Union[bytes, dict[str, Any]]]:
        async for data in self._socket:
            yield data if isinstance(data, bytes) else json.loads(data)

    async def send(self, message: dict[str, Any]) -> None:
        """Sends a message, in order with the audio around it."""
        await self._socket.send(json.dumps(message))

    async def speak(self, audio: bytes) -> None:
        """Says audio to the peer: PCM16LE mono at the rate of the session. It may come faster than it is said."""
        for at in range(0, len(audio), MOST_BYTES):
            await self._socket.send(audio[at : at + MOST_BYTES])

    async def close(self) -> None:
        """Leaves; the call goes on as `onDisconnect` says."""
        await self._socket.close()

    @property
    def close_code(self) -> Any:
        """The close code of the service; None before the end."""
        return self._socket.close_code
