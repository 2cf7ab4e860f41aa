import type { PairingCommands } from '../../../commands/pairing/pairing.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { tokenParams } from '../link-token.ts'
import { presentCode } from '../numbers/present.ts'
import { pairingQuery } from '../numbers/schema.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

const GROUP = 'Remote pairing'
const OVER =
  'Refused with `details` `{reason: EXPIRED, REVOKED, USED or UNKNOWN, redirectUrl, numberId}` for 30 days after the link is over; of a used one also `name` and the masked `number` that it paired.'

/** Routes for the holder of a connect link ([pairing.routes.1] to [pairing.routes.3]). */
export function linkHolderRoutes(pairing: PairingCommands): Route[] {
  return [readLink(pairing), connectByLink(pairing), readStatus(pairing)]
}

function readLink(pairing: PairingCommands): Route {
  return route({
    method: 'get',
    path: '/v1/remote-pairing/{token}',
    name: 'getRemotePairing',
    group: GROUP,
    access: { by: ['link', 'session'], of: 'link' },
    summary: 'Read what a connect link is for',
    description: `Changes nothing. ${OVER}`,
    params: tokenParams,
    answer: {
      status: 200,
      description: 'The link, with its branding resolved',
      schema: schema.linkView,
      example: example.VIEW,
    },
    refusals: ['PAIRING_NOT_FOUND'],
    async handle({ params }) {
      return { status: 200, body: present.presentLinkView(unwrap(await pairing.view(params.token))) }
    },
  })
}

function connectByLink(pairing: PairingCommands): Route {
  return route({
    method: 'post',
    path: '/v1/remote-pairing/{token}/connect',
    name: 'connectRemotePairing',
    group: GROUP,
    access: { by: ['link', 'session'], of: 'link' },
    summary: 'Start pairing by a connect link',
    description:
      'Waits up to 10 s for the first code. All null where a phone accepted a code already: its status tells how that goes on. `pairingCode` is null where the device network has none to type, or makes one only when asked.',
    params: tokenParams,
    query: pairingQuery,
    answer: {
      status: 200,
      description: 'The code to scan or type',
      schema: schema.linkStatus.pick({ qrcodeBase64: true, pairingCode: true, expiresInMs: true }),
      example: example.CODE,
    },
    refusals: ['PAIRING_NOT_FOUND', 'ALREADY_CONNECTED', 'DEVICE_NETWORK_TIMEOUT', 'DEVICE_NETWORK_ERROR'],
    async handle({ params, query }) {
      return { status: 200, body: presentCode(unwrap(await pairing.pair(params.token, query.pairingCode === '1'))) }
    },
  })
}

function readStatus(pairing: PairingCommands): Route {
  return route({
    method: 'get',
    path: '/v1/remote-pairing/{token}/status',
    name: 'getRemotePairingStatus',
    group: GROUP,
    access: { by: ['link', 'session'], of: 'link' },
    summary: 'Read the progress of pairing by a connect link',
    description: `Starts nothing. Answers for the 24 h of the link even after it paired the number, so that a page that polls sees the end. ${OVER}`,
    params: tokenParams,
    answer: {
      status: 200,
      description: 'The connection, and the code shown now',
      schema: schema.linkStatus,
      example: example.STATUS,
    },
    refusals: ['PAIRING_NOT_FOUND'],
    async handle({ params }) {
      return { status: 200, body: present.presentLinkStatus(unwrap(await pairing.status(params.token))) }
    },
  })
}
