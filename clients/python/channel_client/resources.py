# Made by `npm run clients` of the OpenAPI and the AsyncAPI document; changes are lost.
from typing import Any, Optional
from urllib.parse import quote

from .request import Send


def _at(text: str) -> str:
    return quote(text, safe="")


class Calls:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(self, body: dict[str, Any], **options: Any) -> Any:
        """Place a call. `POST /v1/calls`"""
        return self._send("POST", "/v1/calls", body=body, is_idempotent=True, **options)

    def list(self, *, limit: Any = None, before: Any = None, **options: Any) -> Any:
        """List calls, newest first. `GET /v1/calls`"""
        return self._send("GET", "/v1/calls", query={"limit": limit, "before": before}, **options)

    def get(self, call_id: str, *, include_sdp: Any = None, **options: Any) -> Any:
        """Read a call. `GET /v1/calls/{callId}`"""
        return self._send("GET", f"/v1/calls/{_at(call_id)}", query={"includeSdp": include_sdp}, **options)

    def accept(self, call_id: str, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """Answer an inbound call that rings. `POST /v1/calls/{callId}/accept`"""
        return self._send("POST", f"/v1/calls/{_at(call_id)}/accept", body=body, **options)

    def reject(self, call_id: str, **options: Any) -> Any:
        """Reject a call that is not answered. `POST /v1/calls/{callId}/reject`"""
        return self._send("POST", f"/v1/calls/{_at(call_id)}/reject", **options)

    def terminate(self, call_id: str, **options: Any) -> Any:
        """End a call. `POST /v1/calls/{callId}/terminate`"""
        return self._send("POST", f"/v1/calls/{_at(call_id)}/terminate", **options)

    def open_realtime_session(self, call_id: str, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """Open a WebSocket session with the audio of a call. `POST /v1/calls/{callId}/realtime-session`"""
        return self._send("POST", f"/v1/calls/{_at(call_id)}/realtime-session", body=body, is_idempotent=True, **options)

    def take_over(self, call_id: str, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """Take a call over from its bot, or give it back. `POST /v1/calls/{callId}/takeover`"""
        return self._send("POST", f"/v1/calls/{_at(call_id)}/takeover", body=body, is_idempotent=True, **options)

    def play(self, call_id: str, body: dict[str, Any], **options: Any) -> Any:
        """Play an audio file into a call. `POST /v1/calls/{callId}/play`"""
        return self._send("POST", f"/v1/calls/{_at(call_id)}/play", body=body, is_idempotent=True, **options)

    def download_recording(self, call_id: str, **options: Any) -> Any:
        """Download the recording of a call. `GET /v1/calls/{callId}/recording`"""
        return self._send("GET", f"/v1/calls/{_at(call_id)}/recording", is_file=True, **options)

    def delete_recording(self, call_id: str, **options: Any) -> Any:
        """Delete the recording of a call. `DELETE /v1/calls/{callId}/recording`"""
        return self._send("DELETE", f"/v1/calls/{_at(call_id)}/recording", **options)

    def pre_accept(self, call_id: str, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """Set the media of an inbound call up before it is accepted. `POST /v1/calls/{callId}/pre-accept`"""
        return self._send("POST", f"/v1/calls/{_at(call_id)}/pre-accept", body=body, **options)

    def get_permissions(self, *, to_: str, **options: Any) -> Any:
        """Read whether a contact may be called. `GET /v1/calls/permissions`"""
        return self._send("GET", "/v1/calls/permissions", query={"to": to_}, **options)

    def request_permission(self, body: dict[str, Any], **options: Any) -> Any:
        """Ask a contact for permission to call. `POST /v1/calls/permissions/request`"""
        return self._send("POST", "/v1/calls/permissions/request", body=body, is_idempotent=True, **options)

    def get_settings(self, **options: Any) -> Any:
        """Read the calling settings. `GET /v1/calls/settings`"""
        return self._send("GET", "/v1/calls/settings", **options)

    def update_settings(self, body: dict[str, Any], **options: Any) -> Any:
        """Change the calling settings. `PUT /v1/calls/settings`"""
        return self._send("PUT", "/v1/calls/settings", body=body, **options)


class Messages:
    def __init__(self, send: Send) -> None:
        self._send = send

    def send(self, body: dict[str, Any], **options: Any) -> Any:
        """Send a message. `POST /v1/messages/send`"""
        return self._send("POST", "/v1/messages/send", body=body, is_idempotent=True, **options)

    def send_batch(self, body: dict[str, Any], **options: Any) -> Any:
        """Send many messages. `POST /v1/messages/batch`"""
        return self._send("POST", "/v1/messages/batch", body=body, is_idempotent=True, **options)

    def get_batch(self, id: str, **options: Any) -> Any:
        """Count the messages of a batch by status. `GET /v1/messages/batch/{id}`"""
        return self._send("GET", f"/v1/messages/batch/{_at(id)}", **options)

    def cancel_batch(self, id: str, **options: Any) -> Any:
        """Cancel what is not sent of a batch. `DELETE /v1/messages/batch/{id}`"""
        return self._send("DELETE", f"/v1/messages/batch/{_at(id)}", **options)

    def get(self, id: str, **options: Any) -> Any:
        """Read what became of a message. `GET /v1/messages/{id}`"""
        return self._send("GET", f"/v1/messages/{_at(id)}", **options)

    def edit(self, id: str, body: dict[str, Any], **options: Any) -> Any:
        """Edit the text of a sent message. `PATCH /v1/messages/{id}`"""
        return self._send("PATCH", f"/v1/messages/{_at(id)}", body=body, **options)

    def revoke(self, id: str, **options: Any) -> Any:
        """Take a sent message back from everybody. `DELETE /v1/messages/{id}`"""
        return self._send("DELETE", f"/v1/messages/{_at(id)}", **options)

    def list(self, *, start_date: Any = None, end_date: Any = None, page: Any = None, page_size: Any = None, direction: Any = None, peer: Any = None, **options: Any) -> Any:
        """List messages, newest first. `GET /v1/messages/history`"""
        return self._send("GET", "/v1/messages/history", query={"startDate": start_date, "endDate": end_date, "page": page, "pageSize": page_size, "direction": direction, "peer": peer}, **options)

    def list_unread(self, *, page: Any = None, page_size: Any = None, **options: Any) -> Any:
        """List unread messages, newest first. `GET /v1/messages/unread`"""
        return self._send("GET", "/v1/messages/unread", query={"page": page, "pageSize": page_size}, **options)

    def list_group(self, *, start_date: Any = None, end_date: Any = None, page: Any = None, page_size: Any = None, direction: Any = None, group_id: Any = None, **options: Any) -> Any:
        """List messages of groups, newest first. `GET /v1/messages/group`"""
        return self._send("GET", "/v1/messages/group", query={"startDate": start_date, "endDate": end_date, "page": page, "pageSize": page_size, "direction": direction, "groupId": group_id}, **options)

    def mark_read(self, body: dict[str, Any], **options: Any) -> Any:
        """Mark messages as read. `POST /v1/messages/read`"""
        return self._send("POST", "/v1/messages/read", body=body, **options)

    def cancel(self, body: dict[str, Any], **options: Any) -> Any:
        """Cancel messages that wait for their deliverAt. `DELETE /v1/messages/cancel`"""
        return self._send("DELETE", "/v1/messages/cancel", body=body, **options)

    def show_typing(self, body: dict[str, Any], **options: Any) -> Any:
        """Show that somebody is typing. `POST /v1/messages/typing`"""
        return self._send("POST", "/v1/messages/typing", body=body, **options)


class Conversations:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self, *, page: Any = None, page_size: Any = None, **options: Any) -> Any:
        """List conversations, last active first. `GET /v1/conversations`"""
        return self._send("GET", "/v1/conversations", query={"page": page, "pageSize": page_size}, **options)


class CannedReplies:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self, **options: Any) -> Any:
        """List the canned replies of the account. `GET /v1/canned-replies`"""
        return self._send("GET", "/v1/canned-replies", **options)

    def create(self, body: dict[str, Any], **options: Any) -> Any:
        """Keep a text to answer with. `POST /v1/canned-replies`"""
        return self._send("POST", "/v1/canned-replies", body=body, is_idempotent=True, **options)

    def update(self, id: str, body: dict[str, Any], **options: Any) -> Any:
        """Change a canned reply. `PATCH /v1/canned-replies/{id}`"""
        return self._send("PATCH", f"/v1/canned-replies/{_at(id)}", body=body, **options)

    def delete(self, id: str, **options: Any) -> Any:
        """Remove a canned reply. `DELETE /v1/canned-replies/{id}`"""
        return self._send("DELETE", f"/v1/canned-replies/{_at(id)}", **options)


class Media:
    def __init__(self, send: Send) -> None:
        self._send = send

    def download(self, media_id: str, *, phone_number_id: str, **options: Any) -> Any:
        """Download a media that was received. `GET /v1/media/{mediaId}`"""
        return self._send("GET", f"/v1/media/{_at(media_id)}", query={"phoneNumberId": phone_number_id}, **options)


class Templates:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(self, body: dict[str, Any], **options: Any) -> Any:
        """Create a template. `POST /v1/templates`"""
        return self._send("POST", "/v1/templates", body=body, is_idempotent=True, **options)

    def list(self, *, page: Any = None, page_size: Any = None, name: Any = None, category: Any = None, language: Any = None, source: Any = None, official_status: Any = None, sendable: Any = None, **options: Any) -> Any:
        """List templates, newest first. `GET /v1/templates`"""
        return self._send("GET", "/v1/templates", query={"page": page, "pageSize": page_size, "name": name, "category": category, "language": language, "source": source, "officialStatus": official_status, "sendable": sendable}, **options)

    def preview(self, body: dict[str, Any], **options: Any) -> Any:
        """Check a template and see it filled. `POST /v1/templates/preview`"""
        return self._send("POST", "/v1/templates/preview", body=body, **options)

    def sync(self, **options: Any) -> Any:
        """Import the templates of the account. `POST /v1/templates/sync`"""
        return self._send("POST", "/v1/templates/sync", **options)

    def get(self, id: str, *, language: Any = None, refresh: Any = None, **options: Any) -> Any:
        """Read a template. `GET /v1/templates/{id}`"""
        return self._send("GET", f"/v1/templates/{_at(id)}", query={"language": language, "refresh": refresh}, **options)

    def update(self, id: str, body: dict[str, Any], *, language: Any = None, **options: Any) -> Any:
        """Replace the wording of a template. `PUT /v1/templates/{id}`"""
        return self._send("PUT", f"/v1/templates/{_at(id)}", body=body, query={"language": language}, **options)

    def delete(self, id: str, *, language: Any = None, **options: Any) -> Any:
        """Delete a template, upstream too. `DELETE /v1/templates/{id}`"""
        return self._send("DELETE", f"/v1/templates/{_at(id)}", query={"language": language}, **options)


class Flows:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(self, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """Create a Flow, or clone one. `POST /v1/flows`"""
        return self._send("POST", "/v1/flows", body=body, is_idempotent=True, **options)

    def list(self, *, page: Any = None, page_size: Any = None, official_status: Any = None, **options: Any) -> Any:
        """List Flows, newest first. `GET /v1/flows`"""
        return self._send("GET", "/v1/flows", query={"page": page, "pageSize": page_size, "officialStatus": official_status}, **options)

    def sync(self, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """Import the Flows of the account. `POST /v1/flows/sync`"""
        return self._send("POST", "/v1/flows/sync", body=body, is_idempotent=True, **options)

    def get(self, id: str, *, refresh: Any = None, **options: Any) -> Any:
        """Read a Flow. `GET /v1/flows/{id}`"""
        return self._send("GET", f"/v1/flows/{_at(id)}", query={"refresh": refresh}, **options)

    def update(self, id: str, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """Change the name or the categories of a draft. `PATCH /v1/flows/{id}`"""
        return self._send("PATCH", f"/v1/flows/{_at(id)}", body=body, **options)

    def delete(self, id: str, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """Delete a draft, upstream too. `DELETE /v1/flows/{id}`"""
        return self._send("DELETE", f"/v1/flows/{_at(id)}", body=body, **options)

    def get_document(self, id: str, **options: Any) -> Any:
        """Read the document of a Flow. `GET /v1/flows/{id}/json`"""
        return self._send("GET", f"/v1/flows/{_at(id)}/json", **options)

    def upload_document(self, id: str, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """Give a draft its document. `POST /v1/flows/{id}/json`"""
        return self._send("POST", f"/v1/flows/{_at(id)}/json", body=body, is_idempotent=True, **options)

    def publish(self, id: str, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """Publish a draft, for good. `POST /v1/flows/{id}/publish`"""
        return self._send("POST", f"/v1/flows/{_at(id)}/publish", body=body, is_idempotent=True, **options)

    def deprecate(self, id: str, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """End a published Flow. `POST /v1/flows/{id}/deprecate`"""
        return self._send("POST", f"/v1/flows/{_at(id)}/deprecate", body=body, is_idempotent=True, **options)

    def list_responses(self, id: str, *, start_date: Any = None, end_date: Any = None, page: Any = None, page_size: Any = None, **options: Any) -> Any:
        """List what customers submitted, newest first. `GET /v1/flows/{id}/responses`"""
        return self._send("GET", f"/v1/flows/{_at(id)}/responses", query={"startDate": start_date, "endDate": end_date, "page": page, "pageSize": page_size}, **options)


class Leads:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self, *, form_id: Any = None, ad_id: Any = None, page_id: Any = None, start_date: Any = None, end_date: Any = None, page: Any = None, page_size: Any = None, **options: Any) -> Any:
        """List leads, newest first. `GET /v1/leads`"""
        return self._send("GET", "/v1/leads", query={"formId": form_id, "adId": ad_id, "pageId": page_id, "startDate": start_date, "endDate": end_date, "page": page, "pageSize": page_size}, **options)

    def get(self, id: str, **options: Any) -> Any:
        """Read a lead. `GET /v1/leads/{id}`"""
        return self._send("GET", f"/v1/leads/{_at(id)}", **options)

    def erase(self, id: str, **options: Any) -> Any:
        """Erase a lead for good. `DELETE /v1/leads/{id}`"""
        return self._send("DELETE", f"/v1/leads/{_at(id)}", **options)


class LeadPages:
    def __init__(self, send: Send) -> None:
        self._send = send

    def link(self, body: dict[str, Any], **options: Any) -> Any:
        """Link a Page to a number. `POST /v1/lead-pages`"""
        return self._send("POST", "/v1/lead-pages", body=body, is_idempotent=True, **options)

    def list(self, *, refresh: Any = None, **options: Any) -> Any:
        """List linked Pages. `GET /v1/lead-pages`"""
        return self._send("GET", "/v1/lead-pages", query={"refresh": refresh}, **options)

    def get(self, page_id: str, *, refresh: Any = None, **options: Any) -> Any:
        """Read a linked Page. `GET /v1/lead-pages/{pageId}`"""
        return self._send("GET", f"/v1/lead-pages/{_at(page_id)}", query={"refresh": refresh}, **options)

    def update(self, page_id: str, body: dict[str, Any], **options: Any) -> Any:
        """Change the number, the token or the app secret of a Page. `PATCH /v1/lead-pages/{pageId}`"""
        return self._send("PATCH", f"/v1/lead-pages/{_at(page_id)}", body=body, **options)

    def unlink(self, page_id: str, **options: Any) -> Any:
        """Unlink a Page. `DELETE /v1/lead-pages/{pageId}`"""
        return self._send("DELETE", f"/v1/lead-pages/{_at(page_id)}", **options)

    def list_lead_forms(self, page_id: str, **options: Any) -> Any:
        """List the forms of a Page. `GET /v1/lead-pages/{pageId}/forms`"""
        return self._send("GET", f"/v1/lead-pages/{_at(page_id)}/forms", **options)

    def set_lead_form(self, page_id: str, form_id: str, body: dict[str, Any], **options: Any) -> Any:
        """Set what leads of a form consent by and are answered with. `PUT /v1/lead-pages/{pageId}/forms/{formId}`"""
        return self._send("PUT", f"/v1/lead-pages/{_at(page_id)}/forms/{_at(form_id)}", body=body, **options)

    def start_lead_backfill(self, page_id: str, form_id: str, body: Optional[dict[str, Any]] = None, **options: Any) -> Any:
        """Import the leads of a form. `POST /v1/lead-pages/{pageId}/forms/{formId}/backfill`"""
        return self._send("POST", f"/v1/lead-pages/{_at(page_id)}/forms/{_at(form_id)}/backfill", body=body, is_idempotent=True, **options)

    def get_lead_backfill(self, page_id: str, form_id: str, **options: Any) -> Any:
        """Read the newest import of a form. `GET /v1/lead-pages/{pageId}/forms/{formId}/backfill`"""
        return self._send("GET", f"/v1/lead-pages/{_at(page_id)}/forms/{_at(form_id)}/backfill", **options)


class Groups:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self, **options: Any) -> Any:
        """List the groups the number is in. `GET /v1/groups`"""
        return self._send("GET", "/v1/groups", **options)

    def create(self, body: dict[str, Any], **options: Any) -> Any:
        """Create a group. `POST /v1/groups`"""
        return self._send("POST", "/v1/groups", body=body, is_idempotent=True, **options)

    def get(self, id: str, **options: Any) -> Any:
        """Read a group with its participants. `GET /v1/groups/{id}`"""
        return self._send("GET", f"/v1/groups/{_at(id)}", **options)

    def add_participants(self, id: str, body: dict[str, Any], **options: Any) -> Any:
        """Add participants to a group. `POST /v1/groups/{id}/participants`"""
        return self._send("POST", f"/v1/groups/{_at(id)}/participants", body=body, is_idempotent=True, **options)

    def remove_participants(self, id: str, body: dict[str, Any], **options: Any) -> Any:
        """Remove participants from a group. `DELETE /v1/groups/{id}/participants`"""
        return self._send("DELETE", f"/v1/groups/{_at(id)}/participants", body=body, **options)


class Newsletters:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self, **options: Any) -> Any:
        """List the channels the number follows or owns. `GET /v1/newsletters`"""
        return self._send("GET", "/v1/newsletters", **options)


class Numbers:
    def __init__(self, send: Send) -> None:
        self._send = send

    def check(self, body: dict[str, Any], **options: Any) -> Any:
        """Look up which phone numbers are registered. `POST /v1/numbers/check`"""
        return self._send("POST", "/v1/numbers/check", body=body, **options)

    def share_ad_access(self, id: str, body: dict[str, Any], **options: Any) -> Any:
        """Share ad accounts with a number. `PUT /v1/numbers/{id}/ad-access`"""
        return self._send("PUT", f"/v1/numbers/{_at(id)}/ad-access", body=body, **options)

    def get_ad_access(self, id: str, **options: Any) -> Any:
        """Read whether ad accounts are shared with a number. `GET /v1/numbers/{id}/ad-access`"""
        return self._send("GET", f"/v1/numbers/{_at(id)}/ad-access", **options)

    def remove_ad_access(self, id: str, **options: Any) -> Any:
        """Take the ad accounts of a number back. `DELETE /v1/numbers/{id}/ad-access`"""
        return self._send("DELETE", f"/v1/numbers/{_at(id)}/ad-access", **options)

    def create_remote_pairing(self, body: dict[str, Any], **options: Any) -> Any:
        """Make a connect link for a number, creating the number if needed. `POST /v1/numbers/remote-pairing`"""
        return self._send("POST", "/v1/numbers/remote-pairing", body=body, is_idempotent=True, **options)

    def create(self, body: dict[str, Any], **options: Any) -> Any:
        """Create a QR-paired number and start pairing it. `POST /v1/numbers`"""
        return self._send("POST", "/v1/numbers", body=body, is_idempotent=True, **options)

    def list(self, *, page: Any = None, page_size: Any = None, **options: Any) -> Any:
        """List the numbers of the tenant, oldest first. `GET /v1/numbers`"""
        return self._send("GET", "/v1/numbers", query={"page": page, "pageSize": page_size}, **options)

    def create_official(self, body: dict[str, Any], **options: Any) -> Any:
        """Connect a number of the official platform. `POST /v1/numbers/official`"""
        return self._send("POST", "/v1/numbers/official", body=body, is_idempotent=True, **options)

    def get(self, id: str, *, refresh: Any = None, **options: Any) -> Any:
        """Read a number. `GET /v1/numbers/{id}`"""
        return self._send("GET", f"/v1/numbers/{_at(id)}", query={"refresh": refresh}, **options)

    def update(self, id: str, body: dict[str, Any], **options: Any) -> Any:
        """Change name, settings, retention, bot server or credentials of a number. `PATCH /v1/numbers/{id}`"""
        return self._send("PATCH", f"/v1/numbers/{_at(id)}", body=body, **options)

    def delete(self, id: str, **options: Any) -> Any:
        """Remove a number. `DELETE /v1/numbers/{id}`"""
        return self._send("DELETE", f"/v1/numbers/{_at(id)}", **options)

    def get_connection(self, id: str, **options: Any) -> Any:
        """Read whether a number is connected. `GET /v1/numbers/{id}/status`"""
        return self._send("GET", f"/v1/numbers/{_at(id)}/status", **options)

    def get_limits(self, id: str, **options: Any) -> Any:
        """Read how fast and how far a number sends. `GET /v1/numbers/{id}/limits`"""
        return self._send("GET", f"/v1/numbers/{_at(id)}/limits", **options)

    def get_pairing_code(self, id: str, *, pairing_code: Any = None, **options: Any) -> Any:
        """Start pairing, or read the code shown now. `GET /v1/numbers/{id}/connect`"""
        return self._send("GET", f"/v1/numbers/{_at(id)}/connect", query={"pairingCode": pairing_code}, **options)

    def connect(self, id: str, *, pairing_code: Any = None, **options: Any) -> Any:
        """Start pairing, or read the code shown now. `POST /v1/numbers/{id}/connect`"""
        return self._send("POST", f"/v1/numbers/{_at(id)}/connect", query={"pairingCode": pairing_code}, **options)

    def logout(self, id: str, **options: Any) -> Any:
        """Disconnect a number without removing it. `POST /v1/numbers/{id}/logout`"""
        return self._send("POST", f"/v1/numbers/{_at(id)}/logout", **options)


class Referrals:
    def __init__(self, send: Send) -> None:
        self._send = send

    def summarize(self, *, start_date: Any = None, end_date: Any = None, **options: Any) -> Any:
        """Count conversations by the ad or post that began them. `GET /v1/referrals/summary`"""
        return self._send("GET", "/v1/referrals/summary", query={"startDate": start_date, "endDate": end_date}, **options)

    def list(self, *, start_date: Any = None, end_date: Any = None, page: Any = None, page_size: Any = None, source_id: Any = None, source_type: Any = None, **options: Any) -> Any:
        """List conversations that an ad or post began, newest first. `GET /v1/referrals`"""
        return self._send("GET", "/v1/referrals", query={"startDate": start_date, "endDate": end_date, "page": page, "pageSize": page_size, "sourceId": source_id, "sourceType": source_type}, **options)


class Branding:
    def __init__(self, send: Send) -> None:
        self._send = send

    def get(self, **options: Any) -> Any:
        """Read the brand of the tenant. `GET /v1/branding`"""
        return self._send("GET", "/v1/branding", **options)

    def change(self, body: dict[str, Any], **options: Any) -> Any:
        """Change the brand of the tenant. `PUT /v1/branding`"""
        return self._send("PUT", "/v1/branding", body=body, is_idempotent=True, **options)


class Embed:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create_session(self, body: dict[str, Any], **options: Any) -> Any:
        """Mint a session for an embed. `POST /v1/embed/sessions`"""
        return self._send("POST", "/v1/embed/sessions", body=body, **options)

    def list_sessions(self, **options: Any) -> Any:
        """List live sessions of embeds. `GET /v1/embed/sessions`"""
        return self._send("GET", "/v1/embed/sessions", **options)

    def revoke_session(self, id: str, **options: Any) -> Any:
        """End a session of an embed. `DELETE /v1/embed/sessions/{id}`"""
        return self._send("DELETE", f"/v1/embed/sessions/{_at(id)}", **options)


class Status:
    def __init__(self, send: Send) -> None:
        self._send = send

    def get(self, **options: Any) -> Any:
        """Read the connection of the key's number. `GET /v1/status`"""
        return self._send("GET", "/v1/status", **options)


class Subscription:
    def __init__(self, send: Send) -> None:
        self._send = send

    def get(self, **options: Any) -> Any:
        """Read the plan of the tenant and how much of it is used. `GET /v1/subscription`"""
        return self._send("GET", "/v1/subscription", **options)


class Usage:
    def __init__(self, send: Send) -> None:
        self._send = send

    def get(self, *, start_date: Any = None, end_date: Any = None, group_by: Any = None, **options: Any) -> Any:
        """Read what the account used, by day or by number. `GET /v1/usage`"""
        return self._send("GET", "/v1/usage", query={"startDate": start_date, "endDate": end_date, "groupBy": group_by}, **options)


class ApiKeys:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self, **options: Any) -> Any:
        """List the default key of each number. `GET /v1/api-keys`"""
        return self._send("GET", "/v1/api-keys", **options)

    def replace(self, body: dict[str, Any], **options: Any) -> Any:
        """Replace a number's default key. `POST /v1/api-keys`"""
        return self._send("POST", "/v1/api-keys", body=body, is_idempotent=True, **options)

    def regenerate(self, **options: Any) -> Any:
        """Replace the calling key itself. `POST /v1/api-keys/regenerate`"""
        return self._send("POST", "/v1/api-keys/regenerate", is_idempotent=True, **options)


class Users:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(self, body: dict[str, Any], **options: Any) -> Any:
        """Invite a person. `POST /v1/users`"""
        return self._send("POST", "/v1/users", body=body, **options)

    def list(self, **options: Any) -> Any:
        """List the people of the account. `GET /v1/users`"""
        return self._send("GET", "/v1/users", **options)

    def get(self, id: str, **options: Any) -> Any:
        """Read a person. `GET /v1/users/{id}`"""
        return self._send("GET", f"/v1/users/{_at(id)}", **options)

    def update(self, id: str, body: dict[str, Any], **options: Any) -> Any:
        """Change role, name or status of a person. `PATCH /v1/users/{id}`"""
        return self._send("PATCH", f"/v1/users/{_at(id)}", body=body, **options)

    def remove(self, id: str, **options: Any) -> Any:
        """Remove a person. `DELETE /v1/users/{id}`"""
        return self._send("DELETE", f"/v1/users/{_at(id)}", **options)

    def invite(self, id: str, **options: Any) -> Any:
        """Make a new invitation. `POST /v1/users/{id}/invite`"""
        return self._send("POST", f"/v1/users/{_at(id)}/invite", **options)


class Webhooks:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(self, body: dict[str, Any], **options: Any) -> Any:
        """Create a webhook for a number. `POST /v1/webhooks`"""
        return self._send("POST", "/v1/webhooks", body=body, is_idempotent=True, **options)

    def list(self, **options: Any) -> Any:
        """List webhooks. `GET /v1/webhooks`"""
        return self._send("GET", "/v1/webhooks", **options)

    def get(self, id: str, **options: Any) -> Any:
        """Read a webhook. `GET /v1/webhooks/{id}`"""
        return self._send("GET", f"/v1/webhooks/{_at(id)}", **options)

    def update(self, id: str, body: dict[str, Any], **options: Any) -> Any:
        """Change a webhook. `PATCH /v1/webhooks/{id}`"""
        return self._send("PATCH", f"/v1/webhooks/{_at(id)}", body=body, **options)

    def delete(self, id: str, **options: Any) -> Any:
        """Remove a webhook. `DELETE /v1/webhooks/{id}`"""
        return self._send("DELETE", f"/v1/webhooks/{_at(id)}", **options)

    def test(self, id: str, **options: Any) -> Any:
        """Send the event webhook.test now. `POST /v1/webhooks/{id}/test`"""
        return self._send("POST", f"/v1/webhooks/{_at(id)}/test", is_idempotent=True, **options)

    def rotate_secret(self, id: str, **options: Any) -> Any:
        """Replace the signing secret. `POST /v1/webhooks/{id}/secret`"""
        return self._send("POST", f"/v1/webhooks/{_at(id)}/secret", is_idempotent=True, **options)

    def list_logs(self, id: str, *, limit: Any = None, event: Any = None, status: Any = None, before: Any = None, **options: Any) -> Any:
        """List the attempts of a webhook, newest first. `GET /v1/webhooks/{id}/logs`"""
        return self._send("GET", f"/v1/webhooks/{_at(id)}/logs", query={"limit": limit, "event": event, "status": status, "before": before}, **options)

    def redeliver_log(self, id: str, log_id: str, **options: Any) -> Any:
        """Deliver the event of a log item again. `POST /v1/webhooks/{id}/logs/{logId}/redeliver`"""
        return self._send("POST", f"/v1/webhooks/{_at(id)}/logs/{_at(log_id)}/redeliver", is_idempotent=True, **options)

    def redeliver_failed(self, id: str, body: dict[str, Any], **options: Any) -> Any:
        """Deliver again what failed. `POST /v1/webhooks/{id}/redeliver`"""
        return self._send("POST", f"/v1/webhooks/{_at(id)}/redeliver", body=body, is_idempotent=True, **options)


class Events:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self, *, after: Any = None, limit: Any = None, event: Any = None, **options: Any) -> Any:
        """List stored events, oldest first. `GET /v1/events`"""
        return self._send("GET", "/v1/events", query={"after": after, "limit": limit, "event": event}, **options)


class Resources:
    """What a client is: every resource as a member."""

    def __init__(self, send: Send) -> None:
        self.calls = Calls(send)
        self.messages = Messages(send)
        self.conversations = Conversations(send)
        self.canned_replies = CannedReplies(send)
        self.media = Media(send)
        self.templates = Templates(send)
        self.flows = Flows(send)
        self.leads = Leads(send)
        self.lead_pages = LeadPages(send)
        self.groups = Groups(send)
        self.newsletters = Newsletters(send)
        self.numbers = Numbers(send)
        self.referrals = Referrals(send)
        self.branding = Branding(send)
        self.embed = Embed(send)
        self.status = Status(send)
        self.subscription = Subscription(send)
        self.usage = Usage(send)
        self.api_keys = ApiKeys(send)
        self.users = Users(send)
        self.webhooks = Webhooks(send)
        self.events = Events(send)
