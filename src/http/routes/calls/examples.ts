import { SAMPLE } from '../samples.ts'

/** A short session description, for reading only; a real one comes from a WebRTC endpoint. */
export const SDP =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nc=IN IP4 0.0.0.0\r\na=setup:active\r\n'

export const PLACE = {
  'UNOFFICIAL number': { to: '+5511999990001', bizOpaqueCallbackData: 'order-4711', record: true },
  'OFFICIAL number': { to: '+5511999990001', sdp: SDP, sdpType: 'offer', bizOpaqueCallbackData: 'order-4711' },
  'OFFICIAL number, for a voice bot': { to: '+5511999990001', media: 'bridge' },
}
export const ACCEPT = {
  'UNOFFICIAL number': {},
  'OFFICIAL number': { sdp: SDP, sdpType: 'answer' },
  'OFFICIAL number, for a voice bot': { media: 'bridge' },
}
export const DELETED = { success: true }
export const PLAY = {
  'Play and go on': { mediaUrl: 'https://example.com/welcome.mp3' },
  'Play and hang up': { mediaUrl: 'https://example.com/goodbye.mp3', hangupAfterPlay: true },
}
export const TAKEOVER = { takeOver: { to: 'talk' }, giveBack: { to: 'bot' } } as const

export const SESSION = {
  'Talk and listen': { mode: 'talk' },
  'Listen only': { mode: 'listen' },
  'Dial your server': {
    connectTo: 'wss://bot.example.com/calls',
    headers: { authorization: 'Bearer of-your-bot' },
    dialect: 'twilio',
    parameters: { customer: '7' },
  },
}

export const PLACED = { id: SAMPLE.callId, externalCallId: '3EB0A9C1', status: 'INITIATED' }

/** The answer of a command to a call. */
export function answered(status: string) {
  return { success: true, id: SAMPLE.callId, status }
}

const CALL = {
  id: SAMPLE.callId,
  externalCallId: '3EB0A9C1',
  direction: 'OUTBOUND',
  status: 'COMPLETED',
  peerNumber: SAMPLE.peer,
  fromNumber: SAMPLE.number,
  conversationId: null,
  media: null,
  bizOpaqueCallbackData: 'order-4711',
  startedAt: SAMPLE.createdAt,
  connectedAt: SAMPLE.later,
  endedAt: '2026-01-05T12:00:45.000Z',
  durationSeconds: 42,
  errorCode: null,
  errorMessage: null,
  createdAt: SAMPLE.createdAt,
  updatedAt: '2026-01-05T12:00:45.000Z',
}
const LIVE = {
  ...CALL,
  direction: 'INBOUND',
  status: 'RINGING',
  bizOpaqueCallbackData: null,
  connectedAt: null,
  endedAt: null,
  durationSeconds: null,
  updatedAt: SAMPLE.createdAt,
}

export const CALLS = { calls: [LIVE, CALL] }
const SESSION_OVER = {
  id: 'rts_01kb0000000000000000000000',
  direction: 'INBOUND',
  mode: 'talk',
  dialect: 'native',
  status: 'CLOSED',
  openedAt: SAMPLE.createdAt,
  closedAt: SAMPLE.later,
  closeCode: 1000,
  error: null,
}

export const READ = {
  'A call that is over': {
    ...CALL,
    sessions: [SESSION_OVER],
    playback: [{ mediaUrl: 'https://example.com/welcome.mp3', status: 'FINISHED' }],
    recordingUrl: `/v1/calls/${SAMPLE.callId}/recording`,
  },
  'A call that failed': {
    ...CALL,
    status: 'FAILED',
    connectedAt: null,
    durationSeconds: null,
    errorCode: 'MEDIA_TIMEOUT',
    errorMessage: 'No audio came within 20 s',
    sessions: [],
    playback: [],
    recordingUrl: null,
  },
  'OFFICIAL number, includeSdp=1': {
    ...LIVE,
    direction: 'OUTBOUND',
    media: 'own',
    sessions: [],
    playback: [],
    recordingUrl: null,
    sdpOffer: SDP,
    sdpAnswer: SDP,
  },
}

export const SESSION_ANSWER = {
  wsUrl: `wss://media.example.com/v1/realtime/${SAMPLE.callId}?token=k3J9c1yQ`,
  token: 'k3J9c1yQ',
  expiresIn: 120,
  expiresInSeconds: 120,
  expiresAt: '2026-01-05T12:02:00.000Z',
}

export const DIALLED_ANSWER = { sessionId: 'rts_01kb0000000000000000000000', status: 'CONNECTING' }

export const SETTINGS_INPUT = {
  'Enable calling': { status: 'ENABLED', callback_permission_status: 'ENABLED' },
  'Hide the call button': { call_icon_visibility: 'DISABLE_ALL' },
  'Set calling hours': {
    call_hours: {
      status: 'ENABLED',
      timezone_id: 'America/Sao_Paulo',
      weekly_operating_hours: [{ day_of_week: 'MONDAY', open_time: '0900', close_time: '1800' }],
    },
  },
}
export const SETTINGS = { status: 'ENABLED', call_icon_visibility: 'DEFAULT', callback_permission_status: 'ENABLED' }
export const PERMISSION = {
  permission: { status: 'temporary', expiration_time: 1768219200 },
  actions: [
    {
      action_name: 'start_call',
      can_perform_action: true,
      limits: [{ time_period: 'PT24H', max_allowed: 10, current_usage: 1 }],
    },
  ],
}
export const PERMISSION_REQUESTED = { success: true, messageId: 'wamid.HBgM' }
