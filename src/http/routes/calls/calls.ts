import type { CallCommandType, CallCommands } from '../../../../actors/call/messages.ts'
import { isLive } from '../../../domain/call.ts'
import type { Call } from '../../../domain/call.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { HttpDeps } from '../../deps.ts'
import { unwrap } from '../../outcome.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import { officialCallRoutes } from './official-only.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

type Deps = Pick<HttpDeps, 'calls' | 'directory'>

const GROUP = 'Calls'
/** contract 6. */
const DEFAULT_LIMIT = 25

/** Calls of the key's number (spec: Calls). The fixed paths come first: `settings` is no call id. */
export function callRoutes(deps: Deps): Route[] {
  return [
    ...officialCallRoutes(),
    place(deps), list(deps), read(deps), accept(deps),
    finish(deps, 'reject', 'Reject'), finish(deps, 'terminate', 'Terminate'),
    play(deps), openSession(deps),
  ]
}

function place(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/calls', name: 'placeCall', group: GROUP, access: 'number', capability: 'calls', isIdempotent: true,
    summary: 'Place a call', body: schema.placeInput, bodyExample: { to: '+5511999990001', bizOpaqueCallbackData: 'order-4711' },
    answer: { status: 201, description: 'The provider took the call', schema: schema.placedCall },
    refusals: ['CHANNEL_INSTANCE_NOT_CONNECTED', 'CALL_PEER_UNREACHABLE', 'MEDIA_CAPACITY', 'MEDIA_UNAVAILABLE', 'DEVICE_NETWORK_TIMEOUT', 'DEVICE_NETWORK_ERROR'],
    async handle({ number, body }) {
      const placed = unwrap(await deps.directory.askNumber(number.id, 'PlaceCall', { to: body.to, bizOpaqueCallbackData: body.bizOpaqueCallbackData ?? null }))
      return { status: 201, body: present.presentPlaced(placed) }
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
    summary: 'Answer an inbound call that rings', params: schema.callParams,
    answer: { status: 200, description: 'The call is answered', schema: schema.callAnswer },
    refusals: ['CALL_NOT_FOUND', 'CALL_INVALID_STATE', 'MEDIA_CAPACITY', 'MEDIA_UNAVAILABLE'],
    async handle({ number, params }) {
      const call = await findCall(deps, number.id, params.callId)
      return { status: 200, body: present.presentAnswer(await askLive(deps, call, 'Accept', {})) }
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
      const answer = isLive(call.status) ? unwrap(await deps.directory.askCall(number.id, call.id, command, {})) : call
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

/** Our choice: no id of either side is longer; a longer one is not looked for. */
const MAX_CALL_ID = 256

async function findCall(deps: Deps, numberId: NumberId, callId: string): Promise<Call> {
  const call = callId.length <= MAX_CALL_ID ? await deps.calls.find(numberId, callId) : null
  if (!call) throw new RefusalError(refuse('CALL_NOT_FOUND', 'No such call on this number'))
  return call
}

/** Asks a call that is still going on; one that is over is refused from its row. */
async function askLive<T extends CallCommandType>(deps: Deps, call: Call, type: T, fields: CallCommands[T]['fields']): Promise<CallCommands[T]['value']> {
  if (!isLive(call.status)) throw new RefusalError(refuse('CALL_INVALID_STATE', `The call is over (${call.status})`))
  return unwrap(await deps.directory.askCall(call.numberId, call.id, type, fields))
}
