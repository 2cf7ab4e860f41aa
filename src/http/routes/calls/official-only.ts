import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import type { CallingStatus } from '../../../domain/official.ts'
import { credentialsOf, unwrapOfficial } from '../../official-parts.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import { askLive, findCall } from './found.ts'
import type { CallDeps } from './found.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { answerOf } from './sdp-input.ts'

const GROUP = 'Calls'
const DESCRIPTION = 'OFFICIAL numbers only.'

/** What upstream may answer to any request (contract 6). */
export const UPSTREAM_REFUSALS: readonly RefusalCode[] = ['OFFICIAL_ERROR', 'OFFICIAL_REQUEST_REFUSED', 'OFFICIAL_THROTTLED', 'OFFICIAL_CALLING_NOT_ENABLED', 'BUSY']

/** Routes of OFFICIAL numbers alone; others are refused by their capabilities before a handler is reached. */
export function officialCallRoutes(deps: CallDeps): Route[] {
  return [readSettings(deps), writeSettings(deps), readPermissions(deps), requestPermission(deps), preAccept(deps)]
}

function readSettings({ official }: CallDeps): Route {
  return route({
    method: 'get', path: '/v1/calls/settings', name: 'getCallSettings', group: GROUP, access: 'number', capability: 'callSettings',
    summary: 'Read the calling settings', description: `${DESCRIPTION} As upstream has them, SIP left out.`,
    answer: { status: 200, description: 'The settings', schema: schema.callSettings }, refusals: UPSTREAM_REFUSALS,
    async handle({ number }) {
      const settings = await official.platform.readCallSettings(await credentialsOf(official, number))
      return { status: 200, body: await unwrapOfficial(official, settings) }
    },
  })
}

/** Calling that the tenant itself switches off is not switched on again by the service. */
const CALLING_AFTER: Readonly<Record<'ENABLED' | 'DISABLED', CallingStatus>> = { ENABLED: 'ENABLED', DISABLED: 'NOT_ENABLED' }

function writeSettings({ official }: CallDeps): Route {
  return route({
    method: 'put', path: '/v1/calls/settings', name: 'updateCallSettings', group: GROUP, access: 'number', capability: 'callSettings',
    summary: 'Change the calling settings',
    description: `${DESCRIPTION} What is not sent stays, but \`call_hours\` is replaced whole. Any other field, \`sip\` included, is refused.`,
    body: schema.settingsInput, bodyExample: { status: 'ENABLED', callback_permission_status: 'ENABLED' },
    answer: { status: 200, description: 'The settings as upstream has them now', schema: schema.callSettings },
    refusals: [...UPSTREAM_REFUSALS, 'OFFICIAL_CALLING_TIER_TOO_LOW', 'OFFICIAL_CALLING_PREREQUISITES_UNMET'],
    async handle({ number, body }) {
      const settings = await official.platform.writeCallSettings(await credentialsOf(official, number), body)
      const read = await unwrapOfficial(official, settings)
      if (body.status) await official.store.save(number.tenantId, number.id, { callingStatus: CALLING_AFTER[body.status], callingRetry: null })
      return { status: 200, body: read }
    },
  })
}

function readPermissions({ official }: CallDeps): Route {
  return route({
    method: 'get', path: '/v1/calls/permissions', name: 'getCallPermissions', group: GROUP, access: 'number', capability: 'callPermissions',
    summary: 'Read whether a contact may be called', description: DESCRIPTION, query: schema.permissionQuery, queryCodes: { to: 'MISSING_TO' }, queryExample: 'to=5511988887777',
    answer: { status: 200, description: 'The permission, and what may be done now', schema: schema.permission }, refusals: UPSTREAM_REFUSALS,
    async handle({ number, query }) {
      const permission = await official.platform.readCallPermission(await credentialsOf(official, number), query.to)
      return { status: 200, body: await unwrapOfficial(official, permission) }
    },
  })
}

function requestPermission({ official }: CallDeps): Route {
  return route({
    method: 'post', path: '/v1/calls/permissions/request', name: 'requestCallPermission', group: GROUP, access: 'number', capability: 'callPermissions', isIdempotent: true,
    summary: 'Ask a contact for permission to call', description: `${DESCRIPTION} Only within 24 hours of the contact's last message or call. The answer arrives as call.permission_updated.`,
    body: schema.permissionInput, bodyExample: { to: '+5511988887777', text: 'May we call you?' },
    answer: { status: 200, description: 'The request was sent', schema: schema.permissionRequested },
    refusals: [...UPSTREAM_REFUSALS, 'OFFICIAL_OUTSIDE_24H_WINDOW', 'OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT'],
    async handle({ number, body }) {
      const sent = await official.platform.requestCallPermission(await credentialsOf(official, number), body.to, body.text)
      const { messageId } = await unwrapOfficial(official, sent)
      // Our choice of body: the id under which upstream tells what became of the request.
      return { status: 200, body: { success: true, messageId } }
    },
  })
}

function preAccept(deps: CallDeps): Route {
  return route({
    method: 'post', path: '/v1/calls/{callId}/pre-accept', name: 'preAcceptCall', group: GROUP, access: 'number', capability: 'callPreAccept',
    summary: 'Set the media of an inbound call up before it is accepted',
    description: `${DESCRIPTION} The call connects on accept alone, with the same answer. Without \`sdp\` nothing is sent ahead.`,
    params: schema.callParams, body: schema.answerInput, bodyExample: { sdp: schema.SDP_EXAMPLE },
    answer: { status: 200, description: 'The call rings on', schema: schema.callAnswer },
    refusals: ['CALL_NOT_FOUND', 'CALL_INVALID_STATE', 'INVALID_SDP', ...UPSTREAM_REFUSALS],
    async handle({ number, params, body }) {
      const sdp = answerOf(body)
      const call = await findCall(deps, number.id, params.callId)
      if (sdp !== null) return { status: 200, body: present.presentAnswer(await askLive(deps, call, 'PreAccept', { sdp })) }
      if (call.direction === 'INBOUND' && call.status === 'RINGING') return { status: 200, body: present.presentAnswer(call) }
      throw new RefusalError(refuse('CALL_INVALID_STATE', `The call cannot be accepted (${call.direction} ${call.status})`))
    },
  })
}
