"""Verification of deliveries (Standard Webhooks)."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Optional

# Our choice, as Standard Webhooks proposes: how far apart both clocks may be, in s.
TOLERANCE_SECONDS = 300


class WebhookVerificationError(Exception):
    """A delivery that was not signed with the secret, or at another time."""


def verify_webhook(body: bytes, headers: Mapping[str, str], secret: str, now: Optional[float] = None) -> Any:
    """Verifies a delivery and returns its body. `body` is byte for byte as it arrived."""
    given = {name.lower(): value for name, value in headers.items()}
    try:
        identity, timestamp = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].split(" ")
        apart = abs((time.time() if now is None else now) - int(timestamp))
    except (KeyError, ValueError) as error:
        raise WebhookVerificationError(f"no usable header: {error}") from None
    if apart > TOLERANCE_SECONDS:
        raise WebhookVerificationError("signed at another time")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"))
    except binascii.Error:
        raise WebhookVerificationError("the secret is no whsec_ and base64") from None
    digest = hmac.new(key, f"{identity}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    wanted = "v1," + base64.b64encode(digest).decode()
    if not any(hmac.compare_digest(wanted.encode(), one.encode()) for one in signatures):
        raise WebhookVerificationError("signed with another secret")
    return json.loads(body)
