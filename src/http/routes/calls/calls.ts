import type { CallCommands } from '../../../commands/calls/calls.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { kindOf } from '../../../domain/kinds/kinds.ts'
import { stillHolds } from '../../credentials/holds.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { assertKnowable } from '../phone-schema.ts'
import type { CallDeps } from './deps.ts'
import * as example from './examples.ts'
import { officialCallRoutes, UPSTREAM_REFUSALS } from './official-only.ts'
import * as present from './present.ts'
import { recordingRoutes } from './recordings.ts'
import * as schema from './schema.ts'
import { answerOf, noSdp, offerOf } from './sdp-input.ts'
import { forBridged } from './for-bridged.ts'
import { takeOver } from './takeover.ts'

const GROUP = 'Calls'
const BRIDGED = { media: 'bridge' } as const
/**
 * Calls of the key's number (docs/contract/calls.md), in the order of use. A fixed path is matched before any pattern,
 * so `settings` is no call id.
 */
export function callRoutes(deps: CallDeps): Route[] {
  const { callCommands: calls } = deps
  return [
    place(calls),
    list(calls),
    read(calls),
    accept(calls),
    finish(calls, 'reject'),
    finish(calls, 'terminate'),
    mintSession(deps),
    takeOver(deps),
    play(calls),
    ...recordingRoutes(deps.recordingCommands),
    ...officialCallRoutes(calls),
  ]
}

const PLACE_REFUSALS: readonly RefusalCode[] = [
  'CHANNEL_INSTANCE_NOT_CONNECTED',
  'CALL_PEER_UNREACHABLE',
  'MEDIA_CAPACITY',
  'MEDIA_UNAVAILABLE',
  'DEVICE_NETWORK_TIMEOUT',
  'DEVICE_NETWORK_ERROR',
  'INVALID_SDP',
  ...UPSTREAM_REFUSALS,
  'OFFICIAL_CALL_PERMISSION_REQUIRED',
  'OFFICIAL_CALL_LIMIT_REACHED',
  'OFFICIAL_CALLING_TIER_TOO_LOW',
  'OFFICIAL_CALLING_PREREQUISITES_UNMET',
  'OFFICIAL_CALLING_PAYMENT_REQUIRED',
  'RECORDING_NOT_ALLOWED',
]

function place(calls: CallCommands): Route {
  return route({
    method: 'post',
    path: '/v1/calls',
    name: 'placeCall',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:manage',
    capability: 'calls',
    isIdempotent: true,
    summary: 'Place a call',
    description:
      'An OFFICIAL number needs `sdp`, the offer of your WebRTC end with `a=setup:active`; the answer is read with `includeSdp=1` once the call rings. With `media: "bridge"` it needs none: the service carries the audio, through a realtime session, as it does for every call of an UNOFFICIAL number, which takes neither `sdp` nor `sdpType`.',
    body: schema.placeInput,
    bodyExamples: example.PLACE,
    answer: {
      status: 201,
      description: 'The provider took the call',
      schema: schema.placedCall,
      example: example.PLACED,
    },
    refusals: PLACE_REFUSALS,
    async handle({ number, body, client: { trace } }) {
      assertKnowable(number.provider, body.to)
      const isBridged = body.media === 'bridge'
      const sdp = kindOf(number).can.callSdp && !isBridged ? offerOf(body) : noSdp(body)
      const record = body.record === true ? { record: true } : {}
      const bizOpaqueCallbackData = body.bizOpaqueCallbackData ?? null
      const wanted = { to: body.to, bizOpaqueCallbackData, sdp, trace, ...record, ...(isBridged && BRIDGED) }
      const placed = unwrap(await calls.place(number, wanted))
      return { status: 201, body: present.presentPlaced(placed) }
    },
  })
}

function list(commands: CallCommands): Route {
  return route({
    method: 'get',
    path: '/v1/calls',
    name: 'listCalls',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:read',
    summary: 'List calls, newest first',
    description: 'Pass the `createdAt` of the last call as `before` to read on.',
    query: schema.listQuery,
    queryCodes: { limit: 'INVALID_LIMIT', before: 'INVALID_BEFORE' },
    answer: { status: 200, description: 'The calls', schema: schema.callList, example: example.CALLS },
    async handle({ number, query }) {
      const calls = await commands.list(number.id, {
        limit: query.limit ?? schema.DEFAULT_LIMIT,
        before: query.before ?? null,
      })
      return { status: 200, body: { calls: calls.map(present.presentCall) } }
    },
  })
}

function read(calls: CallCommands): Route {
  return route({
    method: 'get',
    path: '/v1/calls/{callId}',
    name: 'getCall',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:read',
    summary: 'Read a call',
    params: schema.callParams,
    query: schema.readQuery,
    answer: { status: 200, description: 'The call', schema: schema.callRead, examples: example.READ },
    refusals: ['CALL_NOT_FOUND'],
    async handle({ number, params, query }) {
      const call = unwrap(await calls.find({ numberId: number.id, callId: params.callId }))
      const sessions = await calls.sessionsOf(call.id)
      return { status: 200, body: present.presentCallRead(call, sessions, query.includeSdp === '1') }
    },
  })
}

function accept(calls: CallCommands): Route {
  return route({
    method: 'post',
    path: '/v1/calls/{callId}/accept',
    name: 'acceptCall',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:manage',
    capability: 'calls',
    summary: 'Answer an inbound call that rings',
    description:
      'An OFFICIAL number needs `sdp`, the answer of your WebRTC end, unless it was sent by pre-accept, or `media: "bridge"`, which has the service carry the audio. An UNOFFICIAL number needs no body, and takes neither `sdp` nor `sdpType`.',
    params: schema.callParams,
    body: schema.answerInput,
    bodyExamples: example.ACCEPT,
    answer: {
      status: 200,
      description: 'The call is answered',
      schema: schema.callAnswer,
      example: example.answered('ACCEPTED'),
    },
    refusals: [
      'CALL_NOT_FOUND',
      'CALL_INVALID_STATE',
      'MEDIA_CAPACITY',
      'MEDIA_UNAVAILABLE',
      'INVALID_SDP',
      'RECORDING_NOT_ALLOWED',
      ...UPSTREAM_REFUSALS,
    ],
    async handle({ number, params, body, client }) {
      const isBridged = body?.media === 'bridge'
      const sdp = kindOf(number).can.callSdp && !isBridged ? answerOf(body) : noSdp(body)
      const acceptance = { sdp, record: body?.record ?? false, ...(isBridged && BRIDGED) }
      const answer = unwrap(
        await calls.accept({ numberId: number.id, callId: params.callId, trace: client.trace }, acceptance),
      )
      return { status: 200, body: present.presentAnswer(answer) }
    },
  })
}

/**
 * `reject` and `terminate` differ in what the provider is told. On an ended call both answer its final status
 * ([calls.states.12]).
 */
function finish(calls: CallCommands, verb: 'reject' | 'terminate'): Route {
  return route({
    method: 'post',
    path: `/v1/calls/{callId}/${verb}`,
    name: `${verb}Call`,
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:manage',
    capability: 'calls',
    summary: verb === 'reject' ? 'Reject a call that is not answered' : 'End a call',
    description: 'An ended call answers 200 with its final status.',
    params: schema.callParams,
    answer: {
      status: 200,
      description: 'The status the call has now',
      schema: schema.callAnswer,
      example: example.answered(verb === 'reject' ? 'REJECTED' : 'COMPLETED'),
    },
    refusals: verb === 'reject' ? ['CALL_NOT_FOUND', 'CALL_INVALID_STATE'] : ['CALL_NOT_FOUND'],
    async handle({ number, params, client }) {
      const answer = unwrap(await calls[verb]({ numberId: number.id, callId: params.callId, trace: client.trace }))
      return { status: 200, body: present.presentAnswer(answer) }
    },
  })
}

const PLAY_REFUSALS: readonly RefusalCode[] = [
  'CALL_NOT_FOUND',
  'CALL_INVALID_STATE',
  'MEDIA_URL_FORBIDDEN',
  'MEDIA_DOWNLOAD_FAILED',
  'MEDIA_UNSUPPORTED',
  'MEDIA_TOO_LARGE',
  'PLAYBACK_QUEUE_FULL',
  'MEDIA_UNAVAILABLE',
]

function play(calls: CallCommands): Route {
  return route({
    method: 'post',
    path: '/v1/calls/{callId}/play',
    name: 'playOnCall',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:manage',
    capability: 'callAudio',
    exception: forBridged(calls),
    isIdempotent: true,
    summary: 'Play an audio file into a call',
    description:
      'Calls whose audio the service carries: those of UNOFFICIAL numbers, and bridged ones. Before the answer it is queued, and starts when the call is answered.',
    params: schema.callParams,
    body: schema.playInput,
    bodyExamples: example.PLAY,
    answer: {
      status: 200,
      description: 'The file is queued',
      schema: schema.callAnswer,
      example: example.answered('ACCEPTED'),
    },
    refusals: PLAY_REFUSALS,
    async handle({ number, params, body, client }) {
      const file = { mediaUrl: body.mediaUrl, hangupAfterPlay: body.hangupAfterPlay ?? false }
      const answer = unwrap(await calls.play({ numberId: number.id, callId: params.callId, trace: client.trace }, file))
      return { status: 200, body: present.presentAnswer(answer) }
    },
  })
}

function mintSession(deps: CallDeps): Route {
  return route({
    method: 'post',
    path: '/v1/calls/{callId}/realtime-session',
    name: 'openRealtimeSession',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:manage',
    capability: 'callAudio',
    exception: forBridged(deps.callCommands),
    isIdempotent: true,
    summary: 'Open a WebSocket session with the audio of a call',
    description:
      'Calls whose audio the service carries: those of UNOFFICIAL numbers, and bridged ones. The token is single use, lives 120 seconds, and dies with the key that asked for it. With `connectTo` your server is dialled in place of waiting for your socket.',
    params: schema.callParams,
    body: schema.sessionInput,
    bodyExamples: example.SESSION,
    answer: { status: 200, description: 'Where to connect', schema: schema.session, example: example.SESSION_ANSWER },
    otherAnswer: {
      status: 202,
      description: 'With `connectTo`: the server is dialled; the call shows how its `sessions` stand',
      schema: schema.dialled,
      example: example.DIALLED_ANSWER,
    },
    refusals: ['CALL_NOT_FOUND', 'CALL_INVALID_STATE', 'MEDIA_UNAVAILABLE', 'MEDIA_URL_FORBIDDEN', 'MEDIA_CAPACITY'],
    async handle({ caller, number, params, body, client }) {
      const name = { numberId: number.id, callId: params.callId, trace: client.trace }
      if (body?.connectTo !== undefined) {
        const sessionId = unwrap(await deps.callCommands.dialSession(name, toDial(body, body.connectTo)))
        return { status: 202, body: { sessionId, status: 'CONNECTING' } }
      }
      const wanted = { mode: body?.mode ?? 'talk', by: caller.id } as const
      const session = unwrap(
        await deps.callCommands.openSession(name, wanted, {
          stillHolds: () => stillHolds(deps, caller),
          revoke: () => deps.callers.revoke(caller.id),
        }),
      )
      return { status: 200, body: present.presentSession(session) }
    },
  })
}

/** A session to dial, with what of the body are parameters of a session as its query has them. */
function toDial(body: NonNullable<schema.SessionInput>, url: string) {
  const {
    mode = 'talk',
    headers = {},
    parameters: given = {},
    dialect,
    codec,
    speech,
    rate,
    inRate,
    outRate,
    frameMs,
    onDisconnect,
  } = body
  const query = Object.fromEntries(
    Object.entries({ dialect, codec, speech, rate, inRate, outRate, frameMs, onDisconnect }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )
  return { mode, url, headers, given, query }
}
