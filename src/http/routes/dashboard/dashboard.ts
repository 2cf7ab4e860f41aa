import type { CallCommands } from '../../../commands/calls/calls.ts'
import type { RecordingCommands } from '../../../commands/recordings/recordings.ts'
import type { KeyCommands } from '../../../commands/keys/keys.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { CallId } from '../../../domain/ids.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'
import type { OverviewStore } from '../../../ports/stores/overview-store.ts'
import { findNumber } from '../../middlewares/number-known.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { unwrap } from '../../request/outcome.ts'
import { presentCall, presentCallRead } from '../calls/present.ts'
import { DEFAULT_LIMIT } from '../calls/schema.ts'
import * as schema from './schema.ts'

/** What the routes of the dashboard use. */
export interface DashboardDeps {
  readonly callCommands: CallCommands
  readonly recordingCommands: RecordingCommands
  readonly keyCommands: KeyCommands
  readonly numbers: NumberStore
  readonly overview: OverviewStore
  /** The address of the sandbox's control API, null when the visitor cannot reach it. */
  readonly sandboxUrl: string | null
}

/** What the dashboard reads of the whole account, for sessions alone (docs/contract/dashboard.md). */
export function dashboardRoutes(deps: DashboardDeps): Route[] {
  return [readOverview(deps), listCalls(deps), readCall(deps), readRecording(deps), readTenantKey(deps)]
}

function readOverview({ overview, sandboxUrl }: DashboardDeps): Route {
  return route({
    method: 'get',
    path: '/api/overview',
    name: 'getOverview',
    group: 'Status',
    isHidden: true,
    access: { by: ['session'], of: 'tenant' },
    permission: 'numbers:read',
    summary: 'Read how the account stands',
    answer: { status: 200, description: 'The first page of the dashboard', schema: schema.overview },
    async handle({ caller }) {
      const sandbox = sandboxUrl === null ? null : { controlUrl: sandboxUrl }
      return { status: 200, body: { ...(await overview.read(caller.tenantId)), sandbox } }
    },
  })
}

function listCalls({ callCommands, numbers }: DashboardDeps): Route {
  return route({
    method: 'get',
    path: '/api/calls',
    name: 'listCallsOfAccount',
    group: 'Calls',
    isHidden: true,
    access: { by: ['session'], of: 'numbers' },
    permission: 'calls:read',
    summary: 'List the calls of all numbers, newest first',
    query: schema.callsQuery,
    queryCodes: { limit: 'INVALID_LIMIT', before: 'INVALID_BEFORE' },
    answer: { status: 200, description: 'The calls', schema: schema.calls },
    refusals: ['CALL_NOT_FOUND', 'NUMBER_NOT_FOUND'],
    async handle({ caller, narrowedTo, query }) {
      const { numberId, status = null, direction = null, peer: peerNumber = null, limit = DEFAULT_LIMIT } = query
      const named = numberId === undefined ? narrowedTo : (await findNumber(numbers, caller, numberId)).id
      // A header beside another number of the query is as one beside another number of the path.
      if (narrowedTo !== null && narrowedTo !== named)
        throw new RefusalError(refuse('NUMBER_NOT_FOUND', 'No such number in this account'))
      const calls = await callCommands.listOfTenant(caller.tenantId, {
        numberId: named,
        status,
        direction,
        peerNumber,
        limit,
        before: (query.before ?? null) as CallId | null,
      })
      if (calls === null)
        throw new RefusalError(refuse('CALL_NOT_FOUND', 'No call of this account has the id `before`'))
      return { status: 200, body: { calls: calls.map((call) => ({ ...presentCall(call), numberId: call.numberId })) } }
    },
  })
}

function readCall({ callCommands }: DashboardDeps): Route {
  return route({
    method: 'get',
    path: '/api/calls/{callId}',
    name: 'getCallOfAccount',
    group: 'Calls',
    isHidden: true,
    access: { by: ['session'], of: 'tenant' },
    permission: 'calls:read',
    summary: 'Read a call of any number',
    params: schema.callParams,
    answer: { status: 200, description: 'The call', schema: schema.callRead },
    refusals: ['CALL_NOT_FOUND'],
    async handle({ caller, params }) {
      const call = await callCommands.findOfTenant(caller.tenantId, params.callId as CallId)
      if (call === null) throw new RefusalError(refuse('CALL_NOT_FOUND', 'No such call in this account'))
      const sessions = await callCommands.sessionsOf(call.id)
      return { status: 200, body: { ...presentCallRead(call, sessions, false), numberId: call.numberId } }
    },
  })
}

/** A player asks by the address alone, which cannot name a number beside. */
function readRecording({ callCommands, recordingCommands }: DashboardDeps): Route {
  return route({
    method: 'get',
    path: '/api/calls/{callId}/recording',
    name: 'downloadRecordingOfAccount',
    group: 'Calls',
    isHidden: true,
    access: { by: ['session'], of: 'tenant' },
    permission: 'calls:read',
    summary: 'Download the recording of a call of any number',
    params: schema.callParams,
    answer: { status: 200, description: 'The recording', fileTypes: ['audio/ogg'] },
    refusals: ['CALL_NOT_FOUND', 'RECORDING_NOT_FOUND', 'RECORDING_RUNNING', 'RANGE_NOT_SATISFIABLE'],
    async handle({ caller, params }) {
      const call = await callCommands.findOfTenant(caller.tenantId, params.callId as CallId)
      if (call === null) throw new RefusalError(refuse('CALL_NOT_FOUND', 'No such call in this account'))
      const file = unwrap(await recordingCommands.locate({ numberId: call.numberId, callId: call.id }))
      return { status: 200, body: null, file, type: 'audio/ogg' }
    },
  })
}

function readTenantKey({ keyCommands }: DashboardDeps): Route {
  return route({
    method: 'get',
    path: '/api/tenant-key',
    name: 'getTenantKey',
    group: 'API keys',
    isHidden: true,
    access: { by: ['session'], of: 'tenant' },
    permission: 'account:manage',
    summary: 'Read what the key of the tenant can be told by, without the key',
    answer: { status: 200, description: 'The key of the tenant', schema: schema.tenantKey },
    async handle({ caller }) {
      const key = await keyCommands.ofTenant(caller.tenantId)
      if (key === null) throw new RefusalError(refuse('NOT_FOUND', 'The account has no key'))
      const { id: keyId, last4: keyLast4, createdAt } = key
      return { status: 200, body: { keyId, keyLast4, createdAt: createdAt.toISOString() } }
    },
  })
}
