import type { Script } from '../people-scenes.ts'

const ENDED = {
  id: 'call_4',
  externalCallId: 'x4',
  numberId: 'num_1',
  direction: 'OUTBOUND',
  status: 'COMPLETED',
  peerNumber: '4917012345678',
  fromNumber: '5511987654321',
  conversationId: null,
  bizOpaqueCallbackData: null,
  startedAt: '2026-11-23T09:10:01.000Z',
  connectedAt: '2026-11-23T09:10:05.000Z',
  endedAt: '2026-11-23T09:21:12.000Z',
  durationSeconds: 667,
  errorCode: null as string | null,
  errorMessage: null as string | null,
  createdAt: '2026-11-23T09:10:00.000Z',
  updatedAt: '2026-11-23T09:21:12.000Z',
}
const OPEN = { connectedAt: null, endedAt: null, durationSeconds: null }
const LIVE = { ...ENDED, id: 'call_5', status: 'ACCEPTED', endedAt: null, durationSeconds: null }
const FAILED = {
  ...ENDED,
  ...OPEN,
  id: 'call_2',
  numberId: 'num_2',
  status: 'FAILED',
  direction: 'INBOUND',
  endedAt: '2026-11-22T17:03:42.000Z',
  errorCode: 'NO_RINGING',
  errorMessage: 'The peer did not ring in time',
  createdAt: '2026-11-22T17:03:00.000Z',
}
const REJECTED = { ...FAILED, id: 'call_1', status: 'REJECTED', errorCode: null, createdAt: '2026-11-21T08:00:00.000Z' }
const PLAYED = [
  { mediaUrl: 'https://media.example/welcome/opening-hours-and-holidays-2026-pt-BR.mp3', status: 'FINISHED' },
  { mediaUrl: 'https://media.example/hold.ogg', status: 'FAILED', error: 'MEDIA_UNSUPPORTED' },
]

export const CALLS_SCRIPT: Script = {
  'GET /api/calls': { body: { calls: [LIVE, ENDED, { ...ENDED, id: 'call_3', numberId: 'num_4' }, FAILED, REJECTED] } },
  'GET /api/calls/call_2': { body: { ...FAILED, startedAt: FAILED.createdAt, playback: PLAYED } },
}
