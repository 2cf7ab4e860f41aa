import type { PairingCode } from '../../../../actors/number/messages.ts'
import { newId } from '../../../domain/ids.ts'
import type { NumberId } from '../../../domain/ids.ts'
import { PAIRING_CODE_WAIT_MS, PAIRING_CREATE_WAIT_MS } from '../../../domain/limits.ts'
import { DEFAULT_SETTINGS, mergeSettings } from '../../../domain/number.ts'
import type { ChannelNumber } from '../../../domain/number.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { CallerCache } from '../../caller-cache.ts'
import type { HttpDeps } from '../../deps.ts'
import { unwrap } from '../../outcome.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import { createOfficial, refreshed } from './official.ts'
import * as present from './present.ts'
import { mergeRetention } from './retention.ts'
import * as schema from './schema.ts'
import { sentSettings } from './settings-patch.ts'

type Deps = Pick<HttpDeps, 'numbers' | 'directory' | 'providers' | 'official' | 'baseUrl' | 'log'> & { readonly callers: CallerCache }

const GROUP = 'Numbers'
const NO_CODE: PairingCode = { qr: null, pairingCode: null, expiresInMs: null }
const CREATE_EXAMPLE = { name: 'Front desk', number: '+55 11 98888-7777', settings: { historyImportEnabled: false, rejectCall: false } }

/** Numbers of the tenant and their pairing (contract 3). */
export function numberRoutes(deps: Deps): Route[] {
  return [createOfficial(deps), create(deps), list(deps), read(deps), status(), connect(deps, 'get'), connect(deps, 'post'), patch(deps), logout(deps), remove(deps)]
}

function create(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/numbers', name: 'createNumber', group: GROUP, access: 'tenant', isIdempotent: true,
    summary: 'Create a QR-paired number and start pairing it',
    body: schema.createInput, bodyExample: CREATE_EXAMPLE,
    answer: { status: 201, description: 'The number, its default key, and the first pairing code when it came soon enough', schema: schema.createdNumber },
    refusals: ['NUMBER_ALREADY_EXISTS', 'NUMBER_LIMIT_EXCEEDED'],
    async handle({ caller, body }) {
      const created = unwrap(await deps.numbers.create({
        id: newId('num'),
        tenantId: caller.tenantId,
        name: body.name,
        number: body.number,
        provider: 'UNOFFICIAL',
        settings: mergeSettings(DEFAULT_SETTINGS, sentSettings(body.settings)),
        ...mergeRetention({ piiMode: 'STORE_INDEFINITE', piiRetentionDays: null }, body),
      }))
      const code = await firstCode(deps, created.number.id)
      const number = await deps.numbers.find(caller.tenantId, created.number.id)
      return { status: 201, body: present.presentCreated(number ?? created.number, created.key, code) }
    },
  })
}

/** The number exists whatever the device network does: a late or failed code is nulls, to be had from `connect`. */
async function firstCode(deps: Deps, numberId: NumberId): Promise<PairingCode> {
  if (!deps.providers.supports('UNOFFICIAL', 'pairing')) return NO_CODE
  const outcome = await deps.directory.askNumber(numberId, 'Pair', { waitMs: PAIRING_CREATE_WAIT_MS })
  if (outcome.ok) return outcome.value
  deps.log.info({ numberId, code: outcome.error.code }, 'no pairing code yet for a new number')
  return NO_CODE
}

function list(deps: Deps): Route {
  return route({
    method: 'get', path: '/v1/numbers', name: 'listNumbers', group: GROUP, access: 'tenant',
    summary: 'List the numbers of the tenant',
    answer: { status: 200, description: 'All numbers; with `x-channel-number-id` that one alone', schema: schema.number.array() },
    async handle({ caller, narrowedTo }) {
      const numbers = await deps.numbers.list(caller.tenantId)
      return { status: 200, body: numbers.filter(({ id }) => narrowedTo === null || id === narrowedTo).map(present.presentNumber) }
    },
  })
}

function read({ official }: Deps): Route {
  return route({
    method: 'get', path: '/v1/numbers/{id}', name: 'getNumber', group: GROUP, access: 'tenantNumber',
    summary: 'Read a number', description: '`refresh=1` asks upstream for the state of an OFFICIAL number first.',
    params: schema.numberParams, query: schema.numberQuery,
    answer: { status: 200, description: 'The number', schema: schema.number },
    refusals: ['OFFICIAL_ERROR', 'OFFICIAL_CREDENTIALS_REJECTED', 'OFFICIAL_THROTTLED'],
    async handle({ number, query }) {
      const isAsked = query.refresh === '1' && number.provider === 'OFFICIAL'
      return { status: 200, body: present.presentNumber(isAsked ? await refreshed(official, number) : number) }
    },
  })
}

function status(): Route {
  return route({
    method: 'get', path: '/v1/numbers/{id}/status', name: 'getNumberConnection', group: GROUP, access: 'tenantNumber',
    summary: 'Read whether a number is connected', params: schema.numberParams,
    answer: { status: 200, description: 'The connection', schema: schema.connection },
    handle: async ({ number }) => ({ status: 200, body: present.presentConnection(number) }),
  })
}

function connect(deps: Deps, method: 'get' | 'post'): Route {
  return route({
    method, path: '/v1/numbers/{id}/connect', name: method === 'get' ? 'getPairingCode' : 'connectNumber',
    group: GROUP, access: 'tenantNumber', capability: 'pairing', params: schema.numberParams,
    summary: 'Start pairing, or read the code shown now', description: 'Waits up to 10 s for the first code.',
    answer: { status: 200, description: 'The code to scan or type', schema: schema.code },
    refusals: ['ALREADY_CONNECTED', 'DEVICE_NETWORK_TIMEOUT', 'DEVICE_NETWORK_ERROR'],
    async handle({ number }) {
      const code = unwrap(await deps.directory.askNumber(number.id, 'Pair', { waitMs: PAIRING_CODE_WAIT_MS }))
      return { status: 200, body: present.presentCode(code) }
    },
  })
}

function patch(deps: Deps): Route {
  return route({
    method: 'patch', path: '/v1/numbers/{id}', name: 'updateNumber', group: GROUP, access: 'tenantNumber',
    summary: 'Change name, settings or retention of a number', params: schema.numberParams,
    body: schema.patchInput, bodyExample: { settings: { rejectCall: true, msgRejectCall: 'Please write to us instead.' } },
    answer: { status: 200, description: 'The number as it is now', schema: schema.number },
    async handle({ caller, number, body }) {
      const isRetentionSent = body.piiMode !== undefined || body.piiRetentionDays !== undefined
      const settings = body.settings && mergeSettings(number.settings, sentSettings(body.settings))
      const change = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(settings ? { settings } : {}),
        ...(isRetentionSent ? mergeRetention(number, body) : {}),
      }
      const isEmpty = Object.keys(change).length === 0
      const changed = isEmpty ? number : existing(await deps.numbers.patch(caller.tenantId, number.id, change))
      if (settings || isRetentionSent) await applySettings(deps, changed)
      return { status: 200, body: present.presentNumber(changed) }
    },
  })
}

/** Best effort: a number without a session reads its settings from the row when it next connects. */
async function applySettings(deps: Deps, number: ChannelNumber): Promise<void> {
  const outcome = await deps.directory.askNumber(number.id, 'ApplySettings', { settings: number.settings, piiMode: number.piiMode })
  if (!outcome.ok) deps.log.info({ numberId: number.id, code: outcome.error.code }, 'settings stored but not applied to a session')
}

function logout(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/numbers/{id}/logout', name: 'logoutNumber', group: GROUP, access: 'tenantNumber', capability: 'pairing',
    summary: 'Disconnect a number without removing it', description: 'Wipes the pairing credentials. Repeating it changes nothing.',
    params: schema.numberParams,
    answer: { status: 200, description: 'The number, closed', schema: schema.number },
    refusals: ['DEVICE_NETWORK_TIMEOUT', 'DEVICE_NETWORK_ERROR'],
    async handle({ caller, number }) {
      unwrap(await deps.directory.askNumber(number.id, 'Logout', {}))
      return { status: 200, body: present.presentNumber(existing(await deps.numbers.find(caller.tenantId, number.id))) }
    },
  })
}

function remove(deps: Deps): Route {
  return route({
    method: 'delete', path: '/v1/numbers/{id}', name: 'deleteNumber', group: GROUP, access: 'tenantNumber',
    summary: 'Remove a number', description: 'Ends its calls and its session, revokes its key and removes its webhooks.',
    params: schema.numberParams,
    answer: { status: 200, description: 'It is gone', schema: schema.deletedNumber },
    async handle({ caller, number }) {
      unwrap(await deps.directory.askNumber(number.id, 'Remove', {}))
      await deps.numbers.remove(caller.tenantId, number.id)
      await deps.callers.revoke(number.id)
      if (number.official) await deps.official.upkeep.handOver(caller.tenantId, number.official.accountId)
      return { status: 200, body: { deleted: true, id: number.id } }
    },
  })
}

/** The row after a write; null when another request removed it meanwhile. */
function existing<T>(row: T | null): T {
  if (row !== null) return row
  throw new RefusalError(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
}

