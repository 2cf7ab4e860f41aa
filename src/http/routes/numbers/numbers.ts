import type { NumberCommands } from '../../../commands/numbers/numbers.ts'
import { kindOf } from '../../../domain/kinds/kinds.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import { readLimits } from './limits.ts'
import { list } from './list.ts'
import { connectNumber } from './official.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { sentCredentials, sentSettings, sentVoice } from './settings-patch.ts'

const GROUP = 'Numbers'

/** What the routes of numbers use. */
interface NumberDeps {
  readonly numberCommands: NumberCommands
}

/** Numbers of the tenant and their pairing (docs/contract/numbers.md). */
export function numberRoutes({ numberCommands: numbers }: NumberDeps): Route[] {
  return [
    create(numbers),
    connectNumber(numbers),
    list(numbers),
    read(numbers),
    status(),
    readLimits(numbers),
    connect(numbers, 'get'),
    connect(numbers, 'post'),
    patch(numbers),
    disconnect(numbers),
    remove(numbers),
  ]
}

function create(numbers: NumberCommands): Route {
  return route({
    method: 'post',
    path: '/v1/numbers',
    name: 'createNumber',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'tenant' },
    permission: 'numbers:manage',
    isIdempotent: true,
    summary: 'Create a QR-paired number and start pairing it',
    body: schema.createInput,
    bodyExamples: example.CREATE,
    answer: {
      status: 201,
      description: 'The number, its default key, and the first pairing code when it came soon enough',
      schema: schema.createdNumber,
      example: example.CREATED,
    },
    refusals: ['NUMBER_ALREADY_EXISTS', 'NUMBER_LIMIT_EXCEEDED'],
    async handle({ caller, body: { name, number: digits, settings, ...retention } }) {
      const { number, key, code } = unwrap(
        await numbers.create({
          tenantId: caller.tenantId,
          name,
          number: digits,
          settings: sentSettings(settings),
          retention,
        }),
      )
      return { status: 201, body: present.presentCreated(number, key, code) }
    },
  })
}

function read(numbers: NumberCommands): Route {
  return route({
    method: 'get',
    path: '/v1/numbers/{id}',
    name: 'getNumber',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'pathNumber' },
    permission: 'numbers:read',
    summary: 'Read a number',
    description: '`refresh=1` asks upstream for the state of an OFFICIAL number first.',
    params: schema.numberParams,
    query: schema.numberQuery,
    answer: { status: 200, description: 'The number', schema: schema.number, examples: example.READ },
    refusals: ['OFFICIAL_ERROR', 'OFFICIAL_CREDENTIALS_REJECTED', 'OFFICIAL_THROTTLED'],
    async handle({ number, query }) {
      const isAsked = query.refresh === '1' && kindOf(number).hasAccount
      return {
        status: 200,
        body: present.presentNumber(isAsked ? unwrap(await numbers.refresh(number)) : number),
      }
    },
  })
}

function status(): Route {
  return route({
    method: 'get',
    path: '/v1/numbers/{id}/status',
    name: 'getNumberConnection',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'pathNumber' },
    permission: 'numbers:read',
    summary: 'Read whether a number is connected',
    params: schema.numberParams,
    answer: { status: 200, description: 'The connection', schema: schema.connection, example: example.CONNECTION },
    handle: async ({ number }) => ({ status: 200, body: present.presentConnection(number) }),
  })
}

function connect(numbers: NumberCommands, method: 'get' | 'post'): Route {
  return route({
    method,
    path: '/v1/numbers/{id}/connect',
    name: method === 'get' ? 'getPairingCode' : 'connectNumber',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'pathNumber' },
    permission: method === 'get' ? 'numbers:read' : 'numbers:manage',
    capability: 'pairing',
    params: schema.numberParams,
    query: schema.pairingQuery,
    summary: 'Start pairing, or read the code shown now',
    description:
      'Waits up to 10 s for the first code. `pairingCode` is null where the device network has none to type, or makes one only when asked.',
    answer: { status: 200, description: 'The code to scan or type', schema: schema.code, example: example.CODE },
    refusals: ['ALREADY_CONNECTED', 'DEVICE_NETWORK_TIMEOUT', 'DEVICE_NETWORK_ERROR'],
    async handle({ number, query }) {
      const code = unwrap(await numbers.pair(number.id, query.pairingCode === '1'))
      return { status: 200, body: present.presentCode(code) }
    },
  })
}

function patch(numbers: NumberCommands): Route {
  return route({
    method: 'patch',
    path: '/v1/numbers/{id}',
    name: 'updateNumber',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'pathNumber' },
    permission: 'numbers:manage',
    summary: 'Change name, settings, retention, bot server or credentials of a number',
    description:
      'A token, app or secret of an OFFICIAL number is checked upstream first; the number reopens with it at once. `voice` connects inbound calls to your bot server.',
    params: schema.numberParams,
    body: schema.patchInput,
    bodyExamples: example.CHANGE,
    answer: { status: 200, description: 'The number as it is now', schema: schema.number, example: example.CHANGED },
    refusals: [
      'FEATURE_NOT_SUPPORTED',
      'MEDIA_URL_FORBIDDEN',
      'RECORDING_NOT_ALLOWED',
      'OFFICIAL_CREDENTIALS_REJECTED',
      'OFFICIAL_ERROR',
      'OFFICIAL_THROTTLED',
      'BUSY',
    ],
    async handle({ number, body }) {
      const { name, settings, piiMode, piiRetentionDays, marketing } = body
      const changed = unwrap(
        await numbers.patch({
          number,
          name,
          settings: settings && sentSettings(settings),
          credentials: sentCredentials(body),
          voice: sentVoice(body.voice),
          marketing,
          retention:
            piiMode === undefined && piiRetentionDays === undefined ? undefined : { piiMode, piiRetentionDays },
        }),
      )
      return { status: 200, body: present.presentNumber(changed) }
    },
  })
}

function disconnect(numbers: NumberCommands): Route {
  return route({
    method: 'post',
    path: '/v1/numbers/{id}/logout',
    name: 'logoutNumber',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'pathNumber' },
    permission: 'numbers:manage',
    capability: 'pairing',
    summary: 'Disconnect a number without removing it',
    description: 'Wipes the pairing credentials. Repeating it changes nothing.',
    params: schema.numberParams,
    answer: { status: 200, description: 'The number, closed', schema: schema.number, example: example.LOGGED_OUT },
    refusals: ['DEVICE_NETWORK_TIMEOUT', 'DEVICE_NETWORK_ERROR'],
    async handle({ number }) {
      return { status: 200, body: present.presentNumber(unwrap(await numbers.logout(number))) }
    },
  })
}

function remove(numbers: NumberCommands): Route {
  return route({
    method: 'delete',
    path: '/v1/numbers/{id}',
    name: 'deleteNumber',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'pathNumber' },
    permission: 'numbers:manage',
    summary: 'Remove a number',
    description: 'Ends its calls and its session, revokes its key and removes its webhooks.',
    params: schema.numberParams,
    answer: { status: 200, description: 'It is gone', schema: schema.deletedNumber, example: example.DELETED },
    async handle({ number }) {
      unwrap(await numbers.remove(number))
      return { status: 200, body: { deleted: true, id: number.id } }
    },
  })
}
