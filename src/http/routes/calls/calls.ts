import { isLive } from '../../../domain/call.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import { answered, askLive, findCall } from './found.ts'
import type { CallDeps as Deps } from './found.ts'
import { officialCallRoutes, UPSTREAM_REFUSALS } from './official-only.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { answerOf, offerOf } from './sdp-input.ts'

const GROUP = 'Calls'
/** contract 6. */
const DEFAULT_LIMIT = 25

/** Calls of the key's number (spec: Calls). The fixed paths come first: `settings` is no call id. */
export function callRoutes(deps: Deps): Route[] {
  return [
    ...officialCallRoutes(deps),
    place(deps), list(deps), read(deps), accept(deps),
    finish(deps, 'reject', 'Reject'), finish(deps, 'terminate', 'Terminate'),
    play(deps), openSession(deps),
  ]
}

const PLACE_REFUSALS: readonly RefusalCode[] = [
  'CHANNEL_INSTANCE_NOT_CONNECTED', 'CALL_PEER_UNREACHABLE', 'MEDIA_CAPACITY', 'MEDIA_UNAVAILABLE', 'DEVICE_NETWORK_TIMEOUT', 'DEVICE_NETWORK_ERROR',
  'INVALID_SDP', ...UPSTREAM_REFUSALS, 'OFFICIAL_CALL_PERMISSION_REQUIRED', 'OFFICIAL_CALL_LIMIT_REACHED', 'OFFICIAL_CALLING_TIER_TOO_LOW',
  'OFFICIAL_CALLING_PREREQUISITES_UNMET', 'OFFICIAL_CALLING_PAYMENT_REQUIRED',
]

function place(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/calls', name: 'placeCall', group: GROUP, access: 'number', capability: 'calls', isIdempotent: true,
    summary: 'Place a call', description: 'An OFFICIAL number needs `sdp`, the offer of your WebRTC end with `a=setup:active`; the answer is read with `includeSdp=1` once the call rings.',
    body: schema.placeInput, bodyExample: { to: '+5511999990001', bizOpaqueCallbackData: 'order-4711' },
    answer: { status: 201, description: 'The provider took the call', schema: schema.placedCall },
    refusals: PLACE_REFUSALS,
    async handle({ number, body }) {
      const isOfficial = number.provider === 'OFFICIAL'
      const sdp = isOfficial ? offerOf(body) : null
      const placed = await deps.directory.askNumber(number.id, 'PlaceCall', { to: body.to, bizOpaqueCallbackData: body.bizOpaqueCallbackData ?? null, sdp })
      return { status: 201, body: present.presentPlaced(await answered(deps, isOfficial, placed)) }
    },
  })
}

function list(deps: Deps): Route {
  return route({
    method: 'get', path: '/v1/calls', name: 'listCalls', group: GROUP, access: 'number',
    summary: 'List calls, newest first', description: 'Pass the `createdAt` of the last call as `before` to read on.',
    query: schema.listQuery, queryCodes: { limit: 'INVALID_LIMIT', before: 'INVALID_BEFORE' },
    answer: { status: 200, description: 'The calls', schema: schema.callList },
    async handle({ number, query }) {
      const calls = await deps.calls.list(number.id, { limit: query.limit ?? DEFAULT_LIMIT, before: query.before ?? null })
      return { status: 200, body: { calls: calls.map(present.presentCall) } }
    },
  })
}

function read(deps: Deps): Route {
  return route({
    method: 'get', path: '/v1/calls/{callId}', name: 'getCall', group: GROUP, access: 'number',
    summary: 'Read a call', params: schema.callParams, query: schema.readQuery,
    answer: { status: 200, description: 'The call', schema: schema.callRead },
    refusals: ['CALL_NOT_FOUND'],
    async handle({ number, params, query }) {
      const call = await findCall(deps, number.id, params.callId)
      return { status: 200, body: present.presentCallRead(call, query.includeSdp === '1') }
    },
  })
}

function accept(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/calls/{callId}/accept', name: 'acceptCall', group: GROUP, access: 'number', capability: 'calls',
    summary: 'Answer an inbound call that rings', description: 'An OFFICIAL number needs `sdp`, the answer of your WebRTC end, unless it was sent by pre-accept; others need no body.',
    params: schema.callParams, body: schema.answerInput, bodyExample: { sdp: schema.SDP_EXAMPLE },
    answer: { status: 200, description: 'The call is answered', schema: schema.callAnswer },
    refusals: ['CALL_NOT_FOUND', 'CALL_INVALID_STATE', 'MEDIA_CAPACITY', 'MEDIA_UNAVAILABLE', 'INVALID_SDP', ...UPSTREAM_REFUSALS],
    async handle({ number, params, body }) {
      const sdp = number.provider === 'OFFICIAL' ? answerOf(body) : null
      const call = await findCall(deps, number.id, params.callId)
      return { status: 200, body: present.presentAnswer(await askLive(deps, call, 'Accept', { sdp })) }
    },
  })
}

/** `reject` and `terminate` differ in what the provider is told; on an ended call both say how it ended (contract 6). */
function finish(deps: Deps, verb: 'reject' | 'terminate', command: 'Reject' | 'Terminate'): Route {
  return route({
    method: 'post', path: `/v1/calls/{callId}/${verb}`, name: `${verb}Call`, group: GROUP, access: 'number', capability: 'calls',
    summary: verb === 'reject' ? 'Reject a call that is not answered' : 'End a call', description: 'An ended call answers 200 with its final status.',
    params: schema.callParams,
    answer: { status: 200, description: 'The status the call has now', schema: schema.callAnswer },
    refusals: verb === 'reject' ? ['CALL_NOT_FOUND', 'CALL_INVALID_STATE'] : ['CALL_NOT_FOUND'],
    async handle({ number, params }) {
      const call = await findCall(deps, number.id, params.callId)
      const answer = isLive(call.status) ? await askLive(deps, call, command, {}) : call
      return { status: 200, body: present.presentAnswer(answer) }
    },
  })
}

const PLAY_REFUSALS: readonly RefusalCode[] = [
  'CALL_NOT_FOUND', 'CALL_INVALID_STATE', 'MEDIA_URL_FORBIDDEN', 'MEDIA_DOWNLOAD_FAILED', 'MEDIA_UNSUPPORTED', 'MEDIA_TOO_LARGE', 'PLAYBACK_QUEUE_FULL', 'MEDIA_UNAVAILABLE',
]

function play(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/calls/{callId}/play', name: 'playOnCall', group: GROUP, access: 'number', capability: 'callAudio', isIdempotent: true,
    summary: 'Play an audio file into a call', description: 'UNOFFICIAL numbers only. Before the answer it is queued, and starts when the call is answered.',
    params: schema.callParams, body: schema.playInput, bodyExample: { mediaUrl: 'https://example.com/welcome.mp3', hangupAfterPlay: false },
    answer: { status: 200, description: 'The file is queued', schema: schema.callAnswer },
    refusals: PLAY_REFUSALS,
    async handle({ number, params, body }) {
      const call = await findCall(deps, number.id, params.callId)
      const answer = await askLive(deps, call, 'Play', { mediaUrl: body.mediaUrl, hangupAfterPlay: body.hangupAfterPlay ?? false })
      return { status: 200, body: present.presentAnswer(answer) }
    },
  })
}

function openSession(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/calls/{callId}/realtime-session', name: 'openRealtimeSession', group: GROUP, access: 'number', capability: 'callAudio', isIdempotent: true,
    summary: 'Open a WebSocket session with the audio of a call', description: 'UNOFFICIAL numbers only. The token is single use and lives 120 seconds.',
    params: schema.callParams, body: schema.sessionInput, bodyExample: { mode: 'talk' },
    answer: { status: 200, description: 'Where to connect', schema: schema.session },
    refusals: ['CALL_NOT_FOUND', 'CALL_INVALID_STATE', 'MEDIA_UNAVAILABLE'],
    async handle({ number, params, body }) {
      const call = await findCall(deps, number.id, params.callId)
      const session = await askLive(deps, call, 'OpenSession', { mode: body?.mode ?? 'talk' })
      return { status: 200, body: present.presentSession(session) }
    },
  })
}
