import { RefusalError, refuse } from '../../../domain/errors.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import * as schema from './schema.ts'

const GROUP = 'Calls'

/**
 * Routes of OFFICIAL numbers alone. Whether a number may use them is decided by its driver's
 * capabilities, before the handler; no driver here declares these, so none is reached.
 */
export function officialCallRoutes(): Route[] {
  const facts = { group: GROUP, access: 'number', description: 'OFFICIAL numbers only.', handle: () => Promise.reject(notOffered()) } as const
  const answer = { status: 200, description: "The provider's answer" } as const
  return [
    route({ ...facts, method: 'get', path: '/v1/calls/settings', name: 'getCallSettings', capability: 'callSettings', summary: 'Read the calling settings', answer }),
    route({ ...facts, method: 'put', path: '/v1/calls/settings', name: 'updateCallSettings', capability: 'callSettings', summary: 'Change the calling settings', answer }),
    route({
      ...facts, method: 'get', path: '/v1/calls/permissions', name: 'getCallPermissions', capability: 'callPermissions',
      summary: 'Read whether a contact may be called', query: schema.permissionQuery, queryCodes: { to: 'MISSING_TO' }, answer,
    }),
    route({
      ...facts, method: 'post', path: '/v1/calls/permissions/request', name: 'requestCallPermission', capability: 'callPermissions', isIdempotent: true,
      summary: 'Ask a contact for permission to call', body: schema.permissionInput, bodyExample: { to: '+5511988887777', text: 'May we call you?' }, answer,
    }),
    route({
      ...facts, method: 'post', path: '/v1/calls/{callId}/pre-accept', name: 'preAcceptCall', capability: 'callPreAccept',
      summary: 'Send an early answer', params: schema.callParams, answer,
    }),
  ]
}

function notOffered(): RefusalError {
  return new RefusalError(refuse('FEATURE_NOT_SUPPORTED', 'No provider of this installation offers this route'))
}
