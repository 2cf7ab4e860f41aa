// Made by `npm run clients` of the OpenAPI and the AsyncAPI document; changes are lost.
import type { INodePropertyOptions } from "n8n-workflow"

export const events: INodePropertyOptions[] = [
  {
    "name": "* (All but Opt-in Events)",
    "value": "*",
    "description": "Event names, fields of the native envelope (OFFICIAL numbers), or `*`: all but opt-in events. None delivers nothing. What the number cannot emit is dropped from the list."
  },
  {
    "name": "Message Received",
    "value": "message.received",
    "description": "A message came in (UNOFFICIAL numbers)"
  },
  {
    "name": "Message Reply",
    "value": "message.reply",
    "description": "A message came in that quotes one of ours; on OFFICIAL numbers only when listed by name"
  },
  {
    "name": "Message Sent",
    "value": "message.sent",
    "description": "Upstream took a message; with `fromMe`, one that was written on another device of the number (UNOFFICIAL numbers)"
  },
  {
    "name": "Message Delivered",
    "value": "message.delivered",
    "description": "A message reached the contact"
  },
  {
    "name": "Message Read",
    "value": "message.read",
    "description": "The contact read a message; not everybody lets that be told"
  },
  {
    "name": "Message Failed",
    "value": "message.failed",
    "description": "A message was not sent, or not delivered"
  },
  {
    "name": "Message Revoked",
    "value": "message.revoked",
    "description": "A message was taken back, by the contact or by the number (UNOFFICIAL numbers)"
  },
  {
    "name": "Message Group",
    "value": "message.group",
    "description": "A message of a group (UNOFFICIAL numbers)"
  },
  {
    "name": "Message Newsletter",
    "value": "message.newsletter",
    "description": "A post of a channel (UNOFFICIAL numbers)"
  },
  {
    "name": "Message Stories",
    "value": "message.stories",
    "description": "A status post of a contact (UNOFFICIAL numbers); not stored"
  },
  {
    "name": "Message Poll Vote",
    "value": "message.poll_vote",
    "description": "Somebody voted in a poll that was sent, changed the vote or took it back (UNOFFICIAL numbers)"
  },
  {
    "name": "Call Ringing",
    "value": "call.ringing",
    "description": "An inbound call arrives"
  },
  {
    "name": "Call Connected",
    "value": "call.connected",
    "description": "A call is answered, by either side"
  },
  {
    "name": "Call Ended",
    "value": "call.ended",
    "description": "A call is over; an outbound call that nobody answered, too"
  },
  {
    "name": "Call Recorded",
    "value": "call.recorded",
    "description": "The recording of a call is whole"
  },
  {
    "name": "Call Missed",
    "value": "call.missed",
    "description": "An inbound call was not answered"
  },
  {
    "name": "Call Permission Updated",
    "value": "call.permission_updated",
    "description": "A contact permitted or forbade calls of an OFFICIAL number"
  },
  {
    "name": "Lead Received",
    "value": "lead.received",
    "description": "Somebody submitted a form of a linked Page; only when listed by name"
  },
  {
    "name": "Number Created",
    "value": "number.created",
    "description": "A number was created"
  },
  {
    "name": "Number Connected",
    "value": "number.connected",
    "description": "A number is connected"
  },
  {
    "name": "Number Disconnected",
    "value": "number.disconnected",
    "description": "A number was logged out, or did not reconnect within 30 s"
  },
  {
    "name": "Number Removed",
    "value": "number.removed",
    "description": "A number was removed"
  },
  {
    "name": "Webhook Test",
    "value": "webhook.test",
    "description": "Asked for by `POST /v1/webhooks/{id}/test`"
  },
  {
    "name": "Account Review Update (Native)",
    "value": "account_review_update",
    "description": "The account was reviewed"
  },
  {
    "name": "Account Settings Update (Native)",
    "value": "account_settings_update",
    "description": "Settings of a number changed, those of calling among them"
  },
  {
    "name": "Account Update (Native)",
    "value": "account_update",
    "description": "The account was verified, restricted or banned"
  },
  {
    "name": "Business Capability Update (Native)",
    "value": "business_capability_update",
    "description": "What the account may do changed"
  },
  {
    "name": "Business Status Update (Native)",
    "value": "business_status_update",
    "description": "The business itself changed"
  },
  {
    "name": "Calls (Native)",
    "value": "calls",
    "description": "A call begins, or is over"
  },
  {
    "name": "Flows (Native)",
    "value": "flows",
    "description": "A form changed its status, or works badly"
  },
  {
    "name": "Group Lifecycle Update (Native)",
    "value": "group_lifecycle_update",
    "description": "A group was created or deleted"
  },
  {
    "name": "Group Participants Update (Native)",
    "value": "group_participants_update",
    "description": "Somebody joined or left a group"
  },
  {
    "name": "Group Settings Update (Native)",
    "value": "group_settings_update",
    "description": "Name, description or picture of a group changed"
  },
  {
    "name": "Group Status Update (Native)",
    "value": "group_status_update",
    "description": "A group was suspended, or is no longer"
  },
  {
    "name": "Message Echoes (Native)",
    "value": "message_echoes",
    "description": "A message that another sender of the account wrote"
  },
  {
    "name": "Message Template Components Update (Native)",
    "value": "message_template_components_update",
    "description": "The parts of a template changed"
  },
  {
    "name": "Message Template Quality Update (Native)",
    "value": "message_template_quality_update",
    "description": "The quality of a template changed"
  },
  {
    "name": "Message Template Status Update (Native)",
    "value": "message_template_status_update",
    "description": "A template was approved, rejected, paused or disabled"
  },
  {
    "name": "Messages (Native)",
    "value": "messages",
    "description": "A message came in, or what became of one that was sent"
  },
  {
    "name": "Payment Configuration Update (Native)",
    "value": "payment_configuration_update",
    "description": "A payment configuration changed"
  },
  {
    "name": "Phone Number Name Update (Native)",
    "value": "phone_number_name_update",
    "description": "A display name was judged"
  },
  {
    "name": "Phone Number Quality Update (Native)",
    "value": "phone_number_quality_update",
    "description": "The messaging limit of a number changed"
  },
  {
    "name": "Smb Message Echoes (Native)",
    "value": "smb_message_echoes",
    "description": "A message written in the business app"
  },
  {
    "name": "Template Category Update (Native)",
    "value": "template_category_update",
    "description": "The category of a template changed, or will"
  },
  {
    "name": "Template Correct Category Detection (Native)",
    "value": "template_correct_category_detection",
    "description": "A template was sent under another category than it has"
  },
  {
    "name": "User Preferences (Native)",
    "value": "user_preferences",
    "description": "A contact stopped or resumed marketing messages"
  }
]
