/**
 * The groups of routes and events in the document, with their descriptions in Markdown. Their order is the order of
 * use.
 */
export const ROUTE_GROUPS = {
  Calls:
    'Place, answer and end voice calls of a number.\n\n'
    + 'The audio of an **UNOFFICIAL** number goes through the service: `POST /v1/calls/{callId}/realtime-session` answers a WebSocket address for PCM16 both ways, '
    + '`POST /v1/calls/{callId}/play` plays a file. An **OFFICIAL** number brings its own WebRTC end: the session descriptions go through these routes, the audio does not.',
  Messages:
    'Send messages and read what came in.\n\n'
    + 'A send is answered once the message is stored; what becomes of it is told by the events `message.sent`, `.delivered`, `.read` and `.failed`, and by `GET /v1/messages/{id}`.',
  Numbers:
    'Connect, read, change and remove the numbers of the tenant.\n\n'
    + 'An **UNOFFICIAL** number is a phone that scans a QR code. An **OFFICIAL** one is connected with ids and a token of the platform’s cloud API.',
  Webhooks:
    'Where events are posted to: signed as [Standard Webhooks](https://www.standardwebhooks.com), retried for three days, logged.',
  'Webhook events':
    'What a webhook of yours is sent: our own envelope `{id, event, channelNumberId, timestamp, data}`.',
  'Native webhook events':
    'What a webhook of an **OFFICIAL** number is sent besides: the envelope of the platform itself, unchanged, one change a delivery. '
    + 'Subscribed by the name of its field, or by `*`. The id of the event and the number are in the headers.',
  Templates:
    'Wordings that may be sent outside of the 24-hour window.\n\n'
    + 'Those of an **OFFICIAL** number are reviewed upstream and belong to its whole account; those of an **UNOFFICIAL** number are its own and sendable at once.',
  Flows:
    'Forms inside the chat, of an **OFFICIAL** number: drafted, given a document, published for good, sent, and what customers submit read.\n\n'
    + 'Errors tell in `error` and `errorEN` what is wrong, in Portuguese and in English.',
  Leads:
    'What people submit in the instant forms of ads, for both kinds of number.\n\n'
    + 'A Page is linked to a number with the tenant key; from then on its leads come in live, and older ones can be imported. They are told of by `lead.received`, read with the key of the number, '
    + 'and answered with a template where a form says so.',
  Conversations: 'The threads of a number: who with, how much is unread, until when free texts may be sent.',
  Referrals:
    'Which ads and posts conversations of an **OFFICIAL** number began with, and what they brought.\n\n'
    + 'The names of ads come by themselves once their ad account is shared with the number; until then they are null, which is no fault.',
  'Groups and contacts':
    'What the device of an UNOFFICIAL number knows: groups, channels, and which numbers are registered.',
  Files: 'Files of messages at a public address that expires. No key: the random id in the path is the permission.',
  'Remote pairing': 'Links by which somebody else scans the QR code: made with the tenant key, opened without one.',
  Branding: 'How connect pages look: logo, colours and words of the tenant, of one link, of one embed.',
  'Embed sessions':
    'Inbox and connect flow in pages of your own: your server mints a session, the browser SDK (`/embed.js`) shows it.',
  People:
    'Who signs in to the dashboard with a password of their own, and by a role: OWNER, ADMIN, AGENT or ANALYST. Keys know no roles.',
  'API keys': 'Keys are replaced, never added: one a number, one a tenant.',
  Status: 'What a key may know of itself: the connection of its number, the plan of its tenant.',
  Events: 'Stored events, for a consumer that was away.',
  'Official webhooks': 'Where the official platform delivers. Nothing to call: the platform does.',
  Operations: 'For those who run the service: health, metrics, this document.',
} as const

export type RouteGroup = keyof typeof ROUTE_GROUPS
