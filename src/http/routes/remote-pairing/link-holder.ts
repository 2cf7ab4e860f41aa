import type { Directory } from '../../../../actors/hosting/directory.ts'
import { linkStatus } from '../../../commands/pairing/link-status.ts'
import type { LinkStatusDeps } from '../../../commands/pairing/link-status.ts'
import { pairByLink } from '../../../commands/pairing/pair-by-link.ts'
import type { PairByLinkDeps } from '../../../commands/pairing/pair-by-link.ts'
import { viewLink } from '../../../commands/pairing/view-link.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { tokenParams } from '../link-token.ts'
import { presentCode } from '../numbers/present.ts'
import { pairingQuery } from '../numbers/schema.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

export interface HolderDeps extends Omit<LinkStatusDeps & PairByLinkDeps, 'askPair' | 'askCurrentCode'> {
  readonly directory: Directory
}

const GROUP = 'Remote pairing'
const OVER =
  'Refused with `details` `{reason: EXPIRED, REVOKED, USED or UNKNOWN, redirectUrl, numberId}` for 30 days after the link is over; of a used one also `name` and the masked `number` that it paired.'

/** What whoever holds a connect link may do with it (contract 3, 16). */
export function linkHolderRoutes(deps: HolderDeps): Route[] {
  return [readLink(deps), connectByLink(deps), readStatus(deps)]
}

function readLink(deps: HolderDeps): Route {
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
      return { status: 200, body: present.presentLinkView(unwrap(await viewLink(deps, params.token))) }
    },
  })
}

function connectByLink(parts: HolderDeps): Route {
  const deps: PairByLinkDeps = {
    ...parts,
    askPair: (numberId, waitMs, isTyped) => parts.directory.askNumber(numberId, 'Pair', { waitMs, isTyped }),
  }
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
      return { status: 200, body: presentCode(unwrap(await pairByLink(deps, params.token, query.pairingCode === '1'))) }
    },
  })
}

function readStatus(parts: HolderDeps): Route {
  const deps: LinkStatusDeps = {
    ...parts,
    askCurrentCode: (numberId) => parts.directory.askNumber(numberId, 'CurrentCode', {}),
  }
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
      return { status: 200, body: present.presentLinkStatus(unwrap(await linkStatus(deps, params.token))) }
    },
  })
}
