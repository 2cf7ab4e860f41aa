"""How requests are sent, refused and tried again."""

import json
import time
import urllib.error
import urllib.request
import uuid
from email.message import Message
from typing import Any, Callable, Optional
from urllib.parse import urlencode

Send = Callable[..., Any]

MAX_RETRIES = 2
# The longest wait that an answer may ask for, in s; a longer one is left to the caller.
MAX_WAIT_SECONDS = 60
# The first wait where the answer names none, in s; each further one is twice as long.
FIRST_WAIT_SECONDS = 0.5
TIMEOUT_SECONDS = 60
# May come again without harm: 429 and 503 were not worked off.
RETRIED = (429, 503)
# Sent twice, they do no more than once.
REPEATABLE = ("GET", "PUT", "DELETE")


class ChannelError(Exception):
    """A refusal of the service. Branch on `code`, which is stable; the message is for people."""

    def __init__(self, status: int, body: Any, headers: Message) -> None:
        fields = body if isinstance(body, dict) else {}
        super().__init__(fields.get("error", f"HTTP {status}"))
        self.status = status
        self.code: Optional[str] = fields.get("code")
        self.details = fields.get("details")
        self.request_id: Optional[str] = headers.get("x-request-id")
        seconds = headers.get("retry-after", "")
        self.retry_after: Optional[int] = int(seconds) if seconds.isdigit() else None
        self.body = body


def _read(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.decode("utf-8", "replace")


def sender_of(base_url: str, api_key: Optional[str], access_token: Optional[str], number: Optional[str]) -> Send:
    """Makes the function that sends the requests of a client."""

    def send(
        verb: str,
        path: str,
        *,
        body: Optional[dict[str, Any]] = None,
        query: Optional[dict[str, Any]] = None,
        is_idempotent: bool = False,
        is_file: bool = False,
        idempotency_key: Optional[str] = None,
        channel_number_id: Optional[str] = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> Any:
        key = idempotency_key or (str(uuid.uuid4()) if is_idempotent else None)
        headers = {
            "accept": "application/json",
            "content-type": "application/json" if body is not None else None,
            "x-api-key": api_key,
            "authorization": f"Bearer {access_token}" if access_token else None,
            "x-channel-number-id": channel_number_id or number,
            "idempotency-key": key,
        }
        texts = urlencode({name: value for name, value in (query or {}).items() if value is not None})
        request = urllib.request.Request(
            f"{base_url.rstrip('/')}{path}{'?' + texts if texts else ''}",
            method=verb,
            headers={name: value for name, value in headers.items() if value is not None},
            data=None if body is None else json.dumps(body).encode(),
        )
        may_repeat = verb in REPEATABLE or key is not None
        tries = 0
        while True:
            wait = FIRST_WAIT_SECONDS * 2**tries
            is_last = tries >= MAX_RETRIES
            try:
                with urllib.request.urlopen(request, timeout=timeout) as answer:
                    return answer.read() if is_file else json.loads(answer.read())
            except urllib.error.HTTPError as refusal:
                error = ChannelError(refusal.code, _read(refusal.read()), refusal.headers)
                wait = wait if error.retry_after is None else error.retry_after
                if is_last or error.status not in RETRIED or wait > MAX_WAIT_SECONDS:
                    raise error from None
            except OSError:
                if is_last or not may_repeat:
                    raise
            time.sleep(wait)
            tries += 1

    return send
