import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { PageCredentials } from '../../../../src/ports/official/pages.ts'
import { pageOps } from '../../../../src/providers/official/ops/pages.ts'
import { graphError, rig } from '../scripted-graph.ts'
import type { Scripted } from '../scripted-graph.ts'

const PAGE: PageCredentials = {
  pageId: '77',
  accessToken: 'EAAGpagetoken',
  appId: '3003',
  appSecret: 'page-app-secret',
}
const OURS = 'https://example.com/webhooks/official/pages/3003'
const AT = '/3003/subscriptions'

async function opened(t: ExecutionContext, ...found: Scripted[]) {
  const { server, graph } = await rig(t)
  server.on(`GET ${AT}`, ...found).on(`POST ${AT}`, { json: { success: true } })
  return { server, page: pageOps(graph, PAGE) }
}

function webhook(callbackUrl: string, fields: readonly string[], more: object = {}): Scripted {
  const user = {
    object: 'user',
    callback_url: 'https://other.example/hook',
    active: true,
    fields: [{ name: 'leadgen', version: 'v24.0' }],
  }
  return {
    json: {
      data: [
        user,
        {
          object: 'page',
          callback_url: callbackUrl,
          active: true,
          fields: fields.map((name) => ({ name, version: 'v24.0' })),
          ...more,
        },
      ],
    },
  }
}

function posted(server: Awaited<ReturnType<typeof opened>>['server']): Record<string, string>[] {
  return server.asked
    .filter(({ method }) => method === 'POST')
    .map(({ sent }) => Object.fromEntries(new URLSearchParams(sent.toString())))
}

// [leads.linking.1] [leads.linking.2]
test('an app without a webhook of Pages gets ours, asked for with the app and its secret', async (t) => {
  const { server, page } = await opened(t, { json: { data: [] } })
  t.deepEqual(await page.subscribeApp(OURS, 'verify me'), { kind: 'read', value: 'SUBSCRIBED' })
  t.deepEqual(posted(server), [{ object: 'page', callback_url: OURS, verify_token: 'verify me', fields: 'leadgen' }])
  t.true(
    server.asked.every(
      ({ headers, target }) => headers.authorization === 'Bearer 3003|page-app-secret' && target === AT,
    ),
    'no proof of a token that is the secret itself',
  )
})

// [leads.linking.2]
test('ours is left as it is while it tells of leads, and set with all its fields where it does not', async (t) => {
  const { server, page } = await opened(
    t,
    webhook(OURS, ['feed', 'leadgen']),
    webhook(OURS, ['feed', 'name']),
    webhook(OURS, ['leadgen'], { active: false }),
    webhook(OURS, [], { fields: ['feed', 'leadgen'] }),
  )
  t.deepEqual(await page.subscribeApp(OURS, 'verify me'), { kind: 'read', value: 'SUBSCRIBED' })
  t.deepEqual(posted(server), [])
  t.deepEqual(await page.subscribeApp(OURS, 'verify me'), { kind: 'read', value: 'SUBSCRIBED' })
  t.deepEqual(
    posted(server).map(({ fields }) => fields),
    ['feed,name,leadgen'],
  )
  t.deepEqual(await page.subscribeApp(OURS, 'verify me'), { kind: 'read', value: 'SUBSCRIBED' })
  t.deepEqual(
    posted(server).map(({ fields }) => fields),
    ['feed,name,leadgen', 'leadgen'],
  )
  t.deepEqual(await page.subscribeApp(OURS, 'verify me'), { kind: 'read', value: 'SUBSCRIBED' })
  t.is(posted(server).length, 2)
})

test('another callback is never overwritten, whatever its fields', async (t) => {
  for (const other of [
    webhook('https://other.example/hook', ['leadgen']),
    webhook(`${OURS}4`, []),
    webhook(OURS, ['leadgen'], { callback_url: undefined }),
  ]) {
    const { server, page } = await opened(t, other)
    t.deepEqual(await page.subscribeApp(OURS, 'verify me'), { kind: 'read', value: 'OTHER_CALLBACK' })
    t.deepEqual(await page.appWebhook(OURS), { kind: 'read', value: 'OTHER_CALLBACK' })
    t.deepEqual(posted(server), [])
  }
})

test('a refusal of the subscription is a state, and a fault is a fault', async (t) => {
  const { server, page } = await opened(t, { json: { data: [] } })
  for (const [answer, expected] of [
    [graphError(2200), { kind: 'read', value: 'NOT_SUBSCRIBED' }],
    [graphError(190, 401), { kind: 'read', value: 'NOT_SUBSCRIBED' }],
    [{ json: { success: false } }, { kind: 'read', value: 'NOT_SUBSCRIBED' }],
    [graphError(2, 503), { kind: 'failed' }],
    [graphError(4), { kind: 'throttled' }],
    ['drop', { kind: 'failed' }],
    [{ json: {} }, { kind: 'failed' }],
  ] as const) {
    server.on(`POST ${AT}`, answer as Scripted)
    t.like(await page.subscribeApp(OURS, 'verify me'), expected)
  }
  for (const [answer, expected] of [
    [graphError(190, 401), { kind: 'read', value: 'NOT_SUBSCRIBED' }],
    [graphError(10, 403), { kind: 'read', value: 'NOT_SUBSCRIBED' }],
    [graphError(1), { kind: 'failed' }],
    [{ json: {} }, { kind: 'failed' }],
  ] as const) {
    server.on(`GET ${AT}`, answer as Scripted)
    t.like(await page.subscribeApp(OURS, 'verify me'), expected)
    t.like(await page.appWebhook(OURS), expected)
  }
})

test('looking at the webhook changes nothing', async (t) => {
  const { server, page } = await opened(t, { json: { data: [] } }, webhook(OURS, ['feed']), webhook(OURS, ['leadgen']))
  for (const status of ['NOT_SUBSCRIBED', 'NOT_SUBSCRIBED', 'SUBSCRIBED'] as const)
    t.deepEqual(await page.appWebhook(OURS), { kind: 'read', value: status })
  t.true(server.asked.every(({ method }) => method === 'GET'))
})

test('neither the secret nor the verify token is in what upstream is quoted with', async (t) => {
  const { server, page } = await opened(t, { json: { data: [] } })
  server.on(`POST ${AT}`, graphError(4, 400, { message: 'Bad 3003|page-app-secret, page-app-secret, verify me' }))
  t.deepEqual(await page.subscribeApp(OURS, 'verify me'), {
    kind: 'throttled',
    no: { upstreamCode: 4, upstreamSubcode: null, upstreamMessage: 'Bad ***, ***, ***' },
    waitMs: null,
  })
})
