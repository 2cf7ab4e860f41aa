import test from 'ava'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { FLOW_STATUSES } from '../../src/domain/flow.ts'
import { FLOW_JSON, flowOf, SAID, turnFlow } from '../helpers/flow-service.ts'
import { reachablePeer, send, untilStatus } from '../helpers/message-service.ts'
import { connectBody, connectOfficial, seedOfficial } from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { connectTemplates, failTemplates, taken } from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await joinService()
})

type Asked = readonly [method: string, path: string, body?: object]

const OF_ALL: readonly Asked[] = [
  ['GET', '/v1/flows'],
  ['POST', '/v1/flows', { name: 'Mine' }],
  ['POST', '/v1/flows/sync', {}],
]

function ofOne(id: string): readonly Asked[] {
  const path = `/v1/flows/${id}`
  return [
    ['GET', path],
    ['GET', `${path}?refresh=1`],
    ['PATCH', path, { name: 'Mine' }],
    ['GET', `${path}/json`],
    ['POST', `${path}/json`, { flowJson: FLOW_JSON }],
    ['POST', `${path}/publish`, { confirm: true }],
    ['POST', `${path}/deprecate`, {}],
    ['GET', `${path}/responses`],
    ['DELETE', path],
  ]
}

/** Requests that name a Flow in the body instead of the path. */
function naming(id: string): Readonly<Record<'clone' | 'template', Asked>> {
  const body = { body: 'Would you tell us?', buttons: [{ type: 'FLOW', text: 'Yes', flowId: id }] }
  return {
    clone: ['POST', '/v1/flows', { name: `Clone of ${id}`, cloneFromFlowId: id }],
    template: [
      'POST',
      '/v1/templates',
      { name: `template_${id.slice(-8)}`, category: 'UTILITY', language: 'en', body },
    ],
  }
}

/** The status and code that each request is answered with. */
async function answersTo(key: string, asked: readonly Asked[]): Promise<string[]> {
  const answers = await Promise.all(
    asked.map(async ([method, path, body]) => {
      const answer = await service.api(method, path, key, body)
      return `${method} ${path} ${answer.status} ${answer.body.code}`
    }),
  )
  return answers
}

// [flows.scope.1]
test('a Flow is there for the numbers of its account in its tenant, and for no other key: by path, as a source, a successor, behind a button and in a message', async (t) => {
  const account = await connectOfficial(service)
  const { accountId, appSecret, accessToken } = account
  const stranger = await askToCreateTenant(service.dataDir, 'Stranger')
  if (!stranger) return t.fail('no second tenant')
  const own = await flowOf(service, account, 'Ours')
  const draft = await flowOf(service, account, 'Our draft', false)
  const [sibling, neighbour] = [
    await connectOfficial(service, { accountId, appSecret, accessToken }),
    await connectOfficial(service),
  ]
  const elsewhere = taken(
    await service.api(
      'POST',
      '/v1/numbers/official',
      stranger.key,
      connectBody(await seedOfficial(service, { accountId, appSecret, accessToken })),
    ),
    201,
  ).apiKey.key
  t.is(
    taken(await service.api('GET', `/v1/flows/${own.id}`, sibling.key), 200).officialFlowId,
    own.officialFlowId,
    'one row for the account',
  )
  const imported = await until('the other tenant has imported it', async () => {
    const { flows } = taken(await service.api('GET', '/v1/flows', elsewhere), 200)
    return flows.length === 2 && flows.find(({ officialFlowId }: any) => officialFlowId === own.officialFlowId)
  })
  t.not(imported.id, own.id)
  const theirs = await flowOf(service, neighbour, 'Theirs')
  for (const [key, ids, mine] of [
    [neighbour.key, [own.id, draft.id], theirs.id],
    [elsewhere, [own.id, draft.id], imported.id],
    [account.key, [imported.id, theirs.id], own.id],
  ] as const) {
    for (const id of ids) {
      t.deepEqual(
        await answersTo(key, ofOne(id)),
        ofOne(id).map(([method, path]) => `${method} ${path} 404 FLOW_NOT_FOUND`),
      )
      t.deepEqual(
        await answersTo(key, [
          ...Object.values(naming(id)),
          ['POST', `/v1/flows/${mine}/deprecate`, { supersededByFlowId: id }],
        ]),
        [
          'POST /v1/flows 400 FLOW_CLONE_SOURCE_INVALID',
          'POST /v1/templates 400 TEMPLATE_FLOW_INVALID',
          `POST /v1/flows/${mine}/deprecate 400 FLOW_DEPRECATE_INVALID_SUCCESSOR`,
        ],
      )
      t.deepEqual(
        await answersTo(key, [
          ['POST', '/v1/messages/send', { destinationNumber: '5511990000001', flow: { ...SAID, flowId: id } }],
        ]),
        ['POST /v1/messages/send 404 FLOW_NOT_FOUND'],
      )
    }
  }
  t.deepEqual(
    (await service.api('GET', '/v1/flows', neighbour.key)).body.flows.map(({ id }: any) => id),
    [theirs.id],
  )
  t.like(
    await service.api('GET', `/v1/flows/${own.id}?refresh=1`, account.key),
    { body: { officialStatus: 'PUBLISHED', name: 'Ours' } },
    'nothing of all that changed it',
  )
  t.like(await service.api('GET', `/v1/flows/${draft.id}?refresh=1`, account.key), {
    body: { officialStatus: 'DRAFT', name: 'Our draft' },
  })
})

test('an UNOFFICIAL number is told on every route that Flows need an OFFICIAL one, a tenant key that they are of numbers', async (t) => {
  const phone = await service.pairNumber()
  const number = await connectOfficial(service)
  const flow = await flowOf(service, number, 'There')
  const asked = [...OF_ALL, ...ofOne(flow.id)]
  const all = (said: string): string[] => asked.map(([method, path]) => `${method} ${path} ${said}`)
  t.deepEqual(await answersTo(phone.key, asked), all('422 FLOW_REQUIRES_OFFICIAL_NUMBER'))
  t.deepEqual(await answersTo(service.tenantKey, asked), all('403 TENANT_SCOPE_NOT_ALLOWED'))
  t.deepEqual(
    await answersTo(phone.key, [
      ['POST', '/v1/messages/send', { destinationNumber: '5511990000001', flow: { ...SAID, flowId: flow.id } }],
    ]),
    ['POST /v1/messages/send 422 FLOW_REQUIRES_OFFICIAL_NUMBER'],
  )
})

/** What each action does in each of FLOW_STATUSES: DRAFT, PUBLISHED, DEPRECATED, THROTTLED, BLOCKED. */
const CELLS = {
  send: ['202 undefined', '202 undefined', '409 FLOW_NOT_SENDABLE', '202 undefined', '409 FLOW_NOT_SENDABLE'],
  clone: ['201 undefined', '201 undefined', '201 undefined', '201 undefined', '201 undefined'],
  template: [
    '400 TEMPLATE_FLOW_INVALID',
    '201 undefined',
    '400 TEMPLATE_FLOW_INVALID',
    '400 TEMPLATE_FLOW_INVALID',
    '400 TEMPLATE_FLOW_INVALID',
  ],
} as const

test('a Flow in each state can be sent, cloned and put behind a button exactly as the table of states says', async (t) => {
  const number = await connectTemplates(service)
  const peer = await reachablePeer(service, number)
  await Promise.all(
    FLOW_STATUSES.map(async (status, at) => {
      const { id, officialFlowId } = await flowOf(service, number, `In ${status}`, false)
      await turnFlow(service, number, { id, officialFlowId }, status)
      const { clone, template } = naming(id)
      const sent = await service.api('POST', '/v1/messages/send', number.key, {
        destinationNumber: peer,
        flow: { ...SAID, flowId: id },
      })
      t.is(`${sent.status} ${sent.body.code}`, CELLS.send[at] ?? '', `send in ${status}`)
      if (sent.status === 202)
        t.is((await untilStatus(service, number, sent.body.id, ['READ', 'FAILED'])).status, 'READ', status)
      for (const [what, wanted, asked] of [
        ['clone', CELLS.clone[at], clone],
        ['template', CELLS.template[at], template],
      ] as const) {
        t.deepEqual(await answersTo(number.key, [asked]), [`${asked[0]} ${asked[1]} ${wanted}`], `${what} in ${status}`)
      }
    }),
  )
})

/**
 * The error of a send when the upstream changed the Flow silently and we still have PUBLISHED; null when it is sent.
 */
const BEHIND_US = {
  DRAFT: 'OFFICIAL_ERROR',
  PUBLISHED: null,
  DEPRECATED: 'OFFICIAL_ERROR',
  THROTTLED: null,
  BLOCKED: 'OFFICIAL_FLOW_BLOCKED',
} as const

/** A fault that lasts longer than any test asks. */
const UNREADABLE = { status: 503, times: 100 }

test('a state that upstream changed behind our back: messages fail with what upstream says, a clone is made, a button is refused', async (t) => {
  const number = await connectTemplates(service)
  const peer = await reachablePeer(service, number)
  await failTemplates(service, 'flow.list', number.accountId, UNREADABLE)
  await Promise.all(
    FLOW_STATUSES.map(async (status) => {
      const { id, officialFlowId } = await flowOf(service, number, `Behind ${status}`)
      // A late event about an earlier request makes the gateway read the Flow; this read must fail.
      await failTemplates(service, 'flow.read', officialFlowId, UNREADABLE)
      taken(await service.control('POST', `/official/flows/${officialFlowId}/status`, { status, isSilent: true }), 200)
      const { id: messageId } = await send(service, number, { destinationNumber: peer, flow: { ...SAID, flowId: id } })
      const failed = BEHIND_US[status]
      t.like(
        await untilStatus(service, number, messageId, ['READ', 'FAILED']),
        { status: failed === null ? 'READ' : 'FAILED', errorCode: failed },
        status,
      )
      const { clone, template } = naming(id)
      t.is((await service.api('POST', '/v1/flows', number.key, clone[2])).status, 201)
      const made = await service.api('POST', '/v1/templates', number.key, template[2])
      t.is(made.status, status === 'PUBLISHED' ? 201 : 422, `${status}: ${made.text}`)
    }),
  )
})
