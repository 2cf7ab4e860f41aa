"""Client of the channel messaging service."""

from typing import Any, Callable, Iterator, Optional

from .realtime import RealtimeSession
from .request import ChannelError, sender_of
from .resources import Resources
from .webhook import WebhookVerificationError, verify_webhook

__all__ = ["ChannelError", "Client", "RealtimeSession", "WebhookVerificationError", "pages", "verify_webhook"]


class Client(Resources):
    """A client of the service: resources as members, such as `client.calls.create({"to": ...})`."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        access_token: Optional[str] = None,
        channel_number_id: Optional[str] = None,
    ) -> None:
        super().__init__(sender_of(base_url, api_key, access_token, channel_number_id))

    async def open_realtime(self, call_id: str, mode: str = "talk", **query: Any) -> RealtimeSession:
        """Opens a realtime session of a call, which may be answered later."""
        made = self.calls.open_realtime_session(call_id, {"mode": mode})
        return await RealtimeSession.connect(made["wsUrl"], **query)


def pages(read: Callable[[int], Any]) -> Iterator[Any]:
    """Reads a list page by page: `for one in pages(lambda page: client.messages.list(page=page))`."""
    page, last = 1, 1
    while page <= last:
        one = read(page)
        last = one["totalPages"]
        yield one
        page += 1
