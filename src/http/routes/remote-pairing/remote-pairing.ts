import type { Directory } from '../../../../actors/hosting/directory.ts'
import { followLiveLink } from '../../../commands/pairing/follow-link.ts'
import { issueLink } from '../../../commands/pairing/issue-link.ts'
import { linkStatus } from '../../../commands/pairing/link-status.ts'
import type { LinkStatusDeps } from '../../../commands/pairing/link-status.ts'
import { pairByLink } from '../../../commands/pairing/pair-by-link.ts'
import type { PairByLinkDeps } from '../../../commands/pairing/pair-by-link.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'
import type { PairingStore } from '../../../ports/stores/pairing-store.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { sentSettings } from '../numbers/settings-patch.ts'
import { presentCode } from '../numbers/present.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

export interface RemotePairingDeps {
  readonly numbers: NumberStore
  readonly pairing: PairingStore
  readonly directory: Directory
  readonly clock: Clock
  /** Host of the connect page, without a trailing slash. */
  readonly connectEmbedUrl: string
}

const GROUP = 'Remote pairing'

/** Connect links: made by the tenant, used by whoever holds the phone (contract 3). */
export function remotePairingRoutes(deps: RemotePairingDeps): Route[] {
  return [createLink(deps), readLink(deps), connectByLink(deps), readStatus(deps)]
}

function createLink(deps: RemotePairingDeps): Route {
  return route({
    method: 'post', path: '/v1/numbers/remote-pairing', name: 'createRemotePairing', group: GROUP, access: 'tenant', isIdempotent: true,
    summary: 'Make a connect link for a number, creating the number if needed',
    description: 'The link lives 24 h and dies on success; its status can be read until then. A newer link for the number revokes the older. A number that exists keeps its name and settings.',
    body: schema.linkInput, bodyExamples: example.LINK,
    answer: { status: 201, description: 'The link', schema: schema.link, example: example.LINKED },
    refusals: ['ALREADY_CONNECTED', 'NUMBER_LIMIT_EXCEEDED', 'FEATURE_NOT_SUPPORTED'],
    async handle({ caller, body }) {
      const { name, number: digits, branding = null, redirectUrl = null } = body
      const settings = sentSettings(body.settings)
      const { number, token } = unwrap(await issueLink(deps, { tenantId: caller.tenantId, name, number: digits, settings, branding, redirectUrl }))
      return { status: 201, body: present.presentLink(number, token, `${deps.connectEmbedUrl}/connect`) }
    },
  })
}

function readLink(deps: RemotePairingDeps): Route {
  return route({
    method: 'get', path: '/v1/remote-pairing/{token}', name: 'getRemotePairing', group: GROUP, access: 'link',
    summary: 'Read what a connect link is for', description: 'Changes nothing.', params: schema.tokenParams,
    answer: { status: 200, description: 'The link, with its branding resolved', schema: schema.linkView, example: example.VIEW },
    refusals: ['PAIRING_NOT_FOUND'],
    async handle({ params }) {
      const { link, number } = unwrap(await followLiveLink(deps, params.token))
      return { status: 200, body: present.presentLinkView(link, number) }
    },
  })
}

function connectByLink({ pairing, numbers, directory }: RemotePairingDeps): Route {
  const deps: PairByLinkDeps = { pairing, numbers, askPair: (numberId, waitMs) => directory.askNumber(numberId, 'Pair', { waitMs }) }
  return route({
    method: 'post', path: '/v1/remote-pairing/{token}/connect', name: 'connectRemotePairing', group: GROUP, access: 'link',
    summary: 'Start pairing by a connect link', description: 'Waits up to 10 s for the first code.', params: schema.tokenParams,
    answer: { status: 200, description: 'The code to scan or type', schema: schema.linkStatus.pick({ qrcodeBase64: true, pairingCode: true, expiresInMs: true }), example: example.CODE },
    refusals: ['PAIRING_NOT_FOUND', 'ALREADY_CONNECTED', 'DEVICE_NETWORK_TIMEOUT', 'DEVICE_NETWORK_ERROR'],
    async handle({ params }) {
      return { status: 200, body: presentCode(unwrap(await pairByLink(deps, params.token))) }
    },
  })
}

function readStatus({ pairing, numbers, directory }: RemotePairingDeps): Route {
  const deps: LinkStatusDeps = { pairing, numbers, askCurrentCode: (numberId) => directory.askNumber(numberId, 'CurrentCode', {}) }
  return route({
    method: 'get', path: '/v1/remote-pairing/{token}/status', name: 'getRemotePairingStatus', group: GROUP, access: 'link',
    summary: 'Read the progress of pairing by a connect link',
    description: 'Answers for the 24 h of the link even after it paired the number, so that a page that polls sees the end.', params: schema.tokenParams,
    answer: { status: 200, description: 'The connection, and the code shown now', schema: schema.linkStatus, example: example.STATUS },
    refusals: ['PAIRING_NOT_FOUND'],
    async handle({ params }) {
      const { number, code } = unwrap(await linkStatus(deps, params.token))
      return { status: 200, body: present.presentLinkStatus(number, code) }
    },
  })
}
