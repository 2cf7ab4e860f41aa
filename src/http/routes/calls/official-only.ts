import type { CallCommands } from '../../../commands/calls/calls.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { answerOf } from './sdp-input.ts'

const GROUP = 'Calls'
const DESCRIPTION = 'OFFICIAL numbers only.'

/** What upstream may answer to any request ([calls.upstream-codes.1] to [calls.upstream-codes.9]). */
export const UPSTREAM_REFUSALS: readonly RefusalCode[] = [
  'OFFICIAL_ERROR',
  'OFFICIAL_REQUEST_REFUSED',
  'OFFICIAL_THROTTLED',
  'OFFICIAL_CALLING_NOT_ENABLED',
  'BUSY',
]

/**
 * Routes of OFFICIAL numbers alone. Other numbers are refused by their capabilities before a handler runs
 * ([calls.routes.16]).
 */
export function officialCallRoutes(calls: CallCommands): Route[] {
  return [
    setUpAhead(calls),
    readPermissions(calls),
    requestPermission(calls),
    readSettings(calls),
    changeSettings(calls),
  ]
}

function readSettings(calls: CallCommands): Route {
  return route({
    method: 'get',
    path: '/v1/calls/settings',
    name: 'getCallSettings',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:read',
    capability: 'callSettings',
    summary: 'Read the calling settings',
    description: `${DESCRIPTION} As upstream has them, SIP left out.`,
    answer: { status: 200, description: 'The settings', schema: schema.callSettings, example: example.SETTINGS },
    refusals: UPSTREAM_REFUSALS,
    handle: async ({ number }) => ({
      status: 200,
      body: unwrap(await calls.readSettings(number)),
    }),
  })
}

function changeSettings(calls: CallCommands): Route {
  return route({
    method: 'put',
    path: '/v1/calls/settings',
    name: 'updateCallSettings',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:manage',
    capability: 'callSettings',
    summary: 'Change the calling settings',
    description: `${DESCRIPTION} What is not sent stays, but \`call_hours\` is replaced whole. Any other field, \`sip\` included, is refused.`,
    body: schema.settingsInput,
    bodyExamples: example.SETTINGS_INPUT,
    answer: {
      status: 200,
      description: 'The settings as upstream has them now',
      schema: schema.callSettings,
      example: example.SETTINGS,
    },
    refusals: [...UPSTREAM_REFUSALS, 'OFFICIAL_CALLING_TIER_TOO_LOW', 'OFFICIAL_CALLING_PREREQUISITES_UNMET'],
    handle: async ({ number, body }) => ({
      status: 200,
      body: unwrap(await calls.writeSettings({ number, fields: body })),
    }),
  })
}

function readPermissions(calls: CallCommands): Route {
  return route({
    method: 'get',
    path: '/v1/calls/permissions',
    name: 'getCallPermissions',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:read',
    capability: 'callPermissions',
    summary: 'Read whether a contact may be called',
    description: DESCRIPTION,
    query: schema.permissionQuery,
    queryCodes: { to: 'MISSING_TO' },
    queryExample: 'to=5511988887777',
    answer: {
      status: 200,
      description: 'The permission, and what may be done now',
      schema: schema.permission,
      example: example.PERMISSION,
    },
    refusals: UPSTREAM_REFUSALS,
    handle: async ({ number, query }) => ({
      status: 200,
      body: unwrap(await calls.readPermission(number, query.to)),
    }),
  })
}

function requestPermission(calls: CallCommands): Route {
  return route({
    method: 'post',
    path: '/v1/calls/permissions/request',
    name: 'requestCallPermission',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:manage',
    capability: 'callPermissions',
    isIdempotent: true,
    summary: 'Ask a contact for permission to call',
    description: `${DESCRIPTION} Only within 24 hours of the contact's last message or call. The answer arrives as call.permission_updated.`,
    body: schema.permissionInput,
    bodyExample: { to: '+5511988887777', text: 'May we call you?' },
    answer: {
      status: 200,
      description: 'The request was sent',
      schema: schema.permissionRequested,
      example: example.PERMISSION_REQUESTED,
    },
    refusals: [...UPSTREAM_REFUSALS, 'OFFICIAL_OUTSIDE_24H_WINDOW', 'OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT'],
    async handle({ number, body }) {
      const { messageId } = unwrap(await calls.requestPermission(number, body.to, body.text))
      // our choice of body: the id that upstream reports the outcome of the request with.
      return { status: 200, body: { success: true, messageId } }
    },
  })
}

function setUpAhead(calls: CallCommands): Route {
  return route({
    method: 'post',
    path: '/v1/calls/{callId}/pre-accept',
    name: 'preAcceptCall',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:manage',
    capability: 'callPreAccept',
    summary: 'Set the media of an inbound call up before it is accepted',
    description: `${DESCRIPTION} The call connects on accept alone, with the same answer. Without \`sdp\` nothing is sent ahead.`,
    params: schema.callParams,
    body: schema.answerInput,
    bodyExample: { sdp: example.SDP, sdpType: 'answer' },
    answer: {
      status: 200,
      description: 'The call rings on',
      schema: schema.callAnswer,
      example: example.answered('RINGING'),
    },
    refusals: ['CALL_NOT_FOUND', 'CALL_INVALID_STATE', 'INVALID_SDP', ...UPSTREAM_REFUSALS],
    async handle({ number, params, body, client }) {
      const answer = unwrap(
        await calls.preAccept({ numberId: number.id, callId: params.callId, trace: client.trace }, answerOf(body)),
      )
      return { status: 200, body: present.presentAnswer(answer) }
    },
  })
}
