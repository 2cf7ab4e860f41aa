import type { PairingCode } from '../../../../actors/number/messages.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import { newId } from '../../../domain/ids.ts'
import type { TenantId } from '../../../domain/ids.ts'
import { PAIRING_CODE_WAIT_MS, PAIRING_LINK_MS } from '../../../domain/limits.ts'
import { DEFAULT_SETTINGS, mergeSettings } from '../../../domain/number.ts'
import type { ChannelNumber, NumberSettings } from '../../../domain/number.ts'
import type { FoundLink } from '../../../ports/stores/pairing-store.ts'
import type { HttpDeps } from '../../deps.ts'
import { unwrap } from '../../outcome.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import { sentSettings } from '../numbers/settings-patch.ts'
import { presentCode } from '../numbers/present.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

type Deps = Pick<HttpDeps, 'numbers' | 'pairings' | 'directory' | 'clock' | 'connectEmbedUrl'>

const GROUP = 'Remote pairing'
const NO_CODE: PairingCode = { qr: null, pairingCode: null, expiresInMs: null }
const LINK_EXAMPLE = { name: 'Front desk', number: '+55 11 98888-7777', branding: { companyName: 'Acme', primaryColor: '#0a7f5a' } }

/** Connect links: made by the tenant, used by whoever holds the phone (contract 3). */
export function remotePairingRoutes(deps: Deps): Route[] {
  return [createLink(deps), readLink(deps), connectByLink(deps), linkStatus(deps)]
}

function createLink(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/numbers/remote-pairing', name: 'createRemotePairing', group: GROUP, access: 'tenant', isIdempotent: true,
    summary: 'Make a connect link for a number, creating the number if needed',
    description: 'The link lives 24 h and dies on success; its status can be read until then. A newer link for the number revokes the older. A number that exists keeps its name and settings.',
    body: schema.linkInput, bodyExample: LINK_EXAMPLE,
    answer: { status: 201, description: 'The link', schema: schema.link },
    refusals: ['ALREADY_CONNECTED', 'NUMBER_LIMIT_EXCEEDED', 'FEATURE_NOT_SUPPORTED'],
    async handle({ caller, body }) {
      const number = await findOrCreate(deps, caller.tenantId, body.name, body.number, sentSettings(body.settings))
      if (number.provider !== 'UNOFFICIAL') throw new RefusalError(refuse('FEATURE_NOT_SUPPORTED', `${number.provider} numbers are not paired by link`))
      if (number.state === 'OPEN') throw alreadyConnected()
      const token = await deps.pairings.issue({
        tenantId: caller.tenantId,
        numberId: number.id,
        branding: body.branding ?? null,
        redirectUrl: body.redirectUrl ?? null,
        expiresAt: new Date(deps.clock.now() + PAIRING_LINK_MS),
      })
      return { status: 201, body: present.presentLink(number, token, `${deps.connectEmbedUrl}/connect`) }
    },
  })
}

/** Our choice: a number that exists is used as it is; PATCH changes name and settings. */
async function findOrCreate(deps: Deps, tenantId: TenantId, name: string, digits: string, settings: Partial<NumberSettings>): Promise<ChannelNumber> {
  const known = await deps.numbers.findByDigits(tenantId, digits)
  if (known) return known
  const created = await deps.numbers.create({
    id: newId('num'),
    tenantId,
    name,
    number: digits,
    provider: 'UNOFFICIAL',
    settings: mergeSettings(DEFAULT_SETTINGS, settings),
    piiMode: 'STORE_INDEFINITE',
    piiRetentionDays: null,
  })
  // Two links made at once for a new number: the loser uses what the winner created.
  const winner = created.ok || created.error.code !== 'NUMBER_ALREADY_EXISTS' ? null : await deps.numbers.findByDigits(tenantId, digits)
  return winner ?? unwrap(created).number
}

function readLink(deps: Deps): Route {
  return route({
    method: 'get', path: '/v1/remote-pairing/{token}', name: 'getRemotePairing', group: GROUP, access: 'link',
    summary: 'Read what a connect link is for', description: 'Changes nothing.', params: schema.tokenParams,
    answer: { status: 200, description: 'The link, with its branding resolved', schema: schema.linkView },
    refusals: ['PAIRING_NOT_FOUND'],
    async handle({ params }) {
      const { link, number } = await followLive(deps, params.token)
      return { status: 200, body: present.presentLinkView(link, number) }
    },
  })
}

function connectByLink(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/remote-pairing/{token}/connect', name: 'connectRemotePairing', group: GROUP, access: 'link',
    summary: 'Start pairing by a connect link', description: 'Waits up to 10 s for the first code.', params: schema.tokenParams,
    answer: { status: 200, description: 'The code to scan or type', schema: schema.linkStatus.pick({ qrcodeBase64: true, pairingCode: true, expiresInMs: true }) },
    refusals: ['PAIRING_NOT_FOUND', 'ALREADY_CONNECTED', 'DEVICE_NETWORK_TIMEOUT', 'DEVICE_NETWORK_ERROR'],
    async handle({ params }) {
      const { link, number } = await follow(deps, params.token)
      if (link.isUsed) throw number.state === 'OPEN' ? alreadyConnected() : linkGone()
      const code = unwrap(await deps.directory.askNumber(number.id, 'Pair', { waitMs: PAIRING_CODE_WAIT_MS }))
      return { status: 200, body: presentCode(code) }
    },
  })
}

function linkStatus(deps: Deps): Route {
  return route({
    method: 'get', path: '/v1/remote-pairing/{token}/status', name: 'getRemotePairingStatus', group: GROUP, access: 'link',
    summary: 'Read the progress of pairing by a connect link',
    description: 'Answers for the 24 h of the link even after it paired the number, so that a page that polls sees the end.', params: schema.tokenParams,
    answer: { status: 200, description: 'The connection, and the code shown now', schema: schema.linkStatus },
    refusals: ['PAIRING_NOT_FOUND'],
    async handle({ params }) {
      const { link, number } = await follow(deps, params.token)
      const code = link.isUsed ? NO_CODE : await shownCode(deps, number)
      return { status: 200, body: present.presentLinkStatus(number, code) }
    },
  })
}

/** A closed or open number shows no code; asking would only wake its actor. */
async function shownCode(deps: Deps, number: ChannelNumber): Promise<PairingCode> {
  if (number.state !== 'CONNECTING') return NO_CODE
  const outcome = await deps.directory.askNumber(number.id, 'CurrentCode', {})
  return outcome.ok ? outcome.value : NO_CODE
}

interface Followed {
  readonly link: FoundLink
  readonly number: ChannelNumber
}

/** A link that can still pair: it dies on success (contract 3). */
async function followLive(deps: Deps, token: string): Promise<Followed> {
  const followed = await follow(deps, token)
  if (followed.link.isUsed) throw linkGone()
  return followed
}

/** A link that is not over, used or not. */
async function follow(deps: Deps, token: string): Promise<Followed> {
  const link = /^rp_[0-9a-z]{26}$/.test(token) ? await deps.pairings.find(token) : null
  const number = link && await deps.numbers.find(link.tenantId, link.numberId)
  if (!number) throw linkGone()
  return { link, number }
}

function linkGone(): RefusalError {
  return new RefusalError(refuse('PAIRING_NOT_FOUND', 'This connect link is unknown, used or expired'))
}

function alreadyConnected(): RefusalError {
  return new RefusalError(refuse('ALREADY_CONNECTED', 'The number is connected already'))
}
