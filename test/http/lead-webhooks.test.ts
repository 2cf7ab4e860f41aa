import test from 'ava'
import type { ExecutionContext } from 'ava'
import * as fc from 'fast-check'
import { LocalBroadcast } from '../../src/cluster/local.ts'
import { createAppSecrets } from '../../src/commands/leads/app-secrets.ts'
import type { LeadPorts } from '../../src/commands/leads/ports.ts'
import type { LeadNoticeStore } from '../../src/ports/stores/lead-notice-store.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { signed } from '../helpers/http-memory-official.ts'
import { openLeadApp, upstreamDigits } from '../helpers/lead-app.ts'
import { serve } from '../helpers/http-app.ts'
import type { Changes } from '../helpers/http-nouns.ts'
import { silentLog } from '../helpers/silent.ts'
import { counted } from '../helpers/size.ts'

// Serial, because concurrent tests share the single session of an embedded database, and on a busy machine a test could
// wait for longer than a statement may take.
const database = sharedDatabase(test, openTestDatabase)

/** A notice in the upstream's form. Ids are inserted as written, so they can be strings or numbers of any length. */
function change(pageId: string, leadgenId: string, more = ''): string {
  return `{"field":"leadgen","value":{"leadgen_id":${leadgenId},"page_id":${pageId},"form_id":"77","created_time":1767225600${more}}}`
}

function envelope(pageId: string, changes: readonly string[]): string {
  return `{"object":"page","entry":[{"id":"${pageId}","time":1767225600,"changes":[${changes.join(',')}]}]}`
}

async function open(t: ExecutionContext, changes: Changes = {}) {
  const app = await openLeadApp(t, database(), changes)
  const page = await app.link()
  const path = `/webhooks/official/pages/${page.appId}`
  const post = (body: string | Buffer, secret = page.appSecret, to = path) =>
    app.client.send('POST', to, { body, headers: { 'x-hub-signature-256': signed(secret, body) } })
  const noticed = async (pageId = page.pageId) =>
    (await database().query<{ leadgen_id: string }>('select leadgen_id from lead_notices where page_id = $1', [pageId]))
      .map(({ leadgen_id: id }) => id)
      .toSorted()
  app.world.woken.length = 0
  return { ...app, page, path, post, noticed }
}

// [leads.webhook.2]
test.serial('the challenge is answered as plain text, to the token of that very app alone', async (t) => {
  const { client, path, page } = await open(t)
  const ask = (to: string, query: Record<string, string>) => client.send('GET', `${to}?${new URLSearchParams(query)}`)
  const fitting = { 'hub.mode': 'subscribe', 'hub.verify_token': `verify-${page.appId}`, 'hub.challenge': '<b>115&' }
  const reply = await ask(path, fitting)
  t.deepEqual([reply.status, reply.text], [200, '<b>115&'])
  t.regex(reply.headers.get('content-type') ?? '', /^text\/plain/)
  t.is(
    (await ask('/webhooks/official/pages/4711', { ...fitting, 'hub.verify_token': 'verify-4711' })).status,
    200,
    'it is verified while its first Page is being linked',
  )
  const wrong = [
    { ...fitting, 'hub.verify_token': 'verify-4711' },
    { ...fitting, 'hub.mode': 'unsubscribe' },
    { 'hub.mode': 'subscribe' },
    { 'hub.mode': 'subscribe', 'hub.verify_token': '' },
    {},
  ]
  for (const query of wrong) t.is((await ask(path, query)).status, 403)
})

test.serial(
  'notices of a linked Page are stored before the answer, each once, and whoever fetches them is woken',
  async (t) => {
    const { page, post, noticed, world, send } = await open(t)
    const [one, two] = ['12345678901234567890', '12345678901234567891']
    t.like(await post(envelope(page.pageId, [change(page.pageId, one)])), { status: 200, body: { stored: 1 } })
    t.deepEqual(await noticed(), [one])
    t.deepEqual(world.woken, ['leads'])
    const batch = `{"object":"page","entry":[{"id":${page.pageId},"changes":[${change(page.pageId, `"${one}"`)},${change(`"${page.pageId}"`, two)}]},{"id":"1","changes":[${change(page.pageId, two)}]}]}`
    t.like(await post(batch), { status: 200, body: { stored: 1 } })
    t.deepEqual(await noticed(), [one, two], 'digit by digit, as numbers and as texts')
    t.like(await post(batch), { status: 200, body: { stored: 0 } })
    t.is(world.woken.length, 2, 'a repetition wakes nobody')
    t.is((await send('GET', `/v1/lead-pages/${page.pageId}`)).body.pendingLeads, 2)
  },
)

// [leads.fetching.1]
test.serial('a lead that is stored, or was erased, is not told of again', async (t) => {
  const { page, post, noticed, addLead, send, own } = await open(t)
  const [stored, erased] = [await addLead(page), await addLead(page)]
  await send('DELETE', `/v1/leads/${erased.id}`, undefined, { key: own.key })
  t.like(
    await post(
      envelope(
        page.pageId,
        [stored, erased].map(({ leadgenId }) => change(page.pageId, leadgenId)),
      ),
    ),
    { status: 200, body: { stored: 0 } },
  )
  t.deepEqual(await noticed(), [])
})

// [leads.webhook.4]
test.serial('other objects, fields and Pages are 200 and change nothing', async (t) => {
  const { page, post, noticed, world, addPage } = await open(t)
  const unlinked = addPage().pageId
  const id = upstreamDigits()
  for (const body of [
    envelope(unlinked, [change(unlinked, id)]),
    envelope(page.pageId, [change(unlinked, id)]),
    envelope(page.pageId, [change(page.pageId, id).replace('leadgen"', 'leadgen_update"')]),
    envelope(page.pageId, [change(page.pageId, id)]).replace('"page"', '"whatsapp_business_account"'),
    envelope(page.pageId, [`{"field":"feed","value":{"leadgen_id":${id}}}`]),
    envelope(page.pageId, []),
  ])
    t.like(await post(body), { status: 200, body: { stored: 0 } }, body)
  t.deepEqual([await noticed(), await noticed(unlinked), world.woken], [[], [], []])
})

// [leads.webhook.3]
test.serial('a post that is not signed with a secret of the app is 401 and changes nothing', async (t) => {
  const { page, post, noticed, client, path, link, own } = await open(t)
  const body = envelope(page.pageId, [change(page.pageId, upstreamDigits())])
  const unfit: Record<string, string>[] = [
    {},
    { 'x-hub-signature-256': '' },
    { 'x-hub-signature-256': 'sha256=' },
    { 'x-hub-signature-256': signed(page.appSecret, `${body} `) },
    { 'x-hub-signature-256': signed(page.appSecret, body).replace('sha256', 'sha1') },
    { 'x-hub-signature': signed(page.appSecret, body) },
    { 'x-hub-signature-256': signed('', body) },
  ]
  for (const headers of unfit)
    t.is((await client.send('POST', path, { body, headers })).status, 401, JSON.stringify(headers))
  const other = await link(own, { appSecret: 'secret-of-another-app' })
  t.is((await post(body, 'secret-of-another-app')).status, 401, 'the secret of another app on the path of this one')
  t.like(
    await post(body, 'secret-of-another-app', `/webhooks/official/pages/${other.appId}`),
    { status: 200, body: { stored: 0 } },
    'on its own path it speaks not for this Page',
  )
  for (const app of ['4711', 'x', '%20'])
    t.is((await post(body, page.appSecret, `/webhooks/official/pages/${app}`)).status, 401)
  t.deepEqual(await noticed(), [])
})

// [leads.webhook.3]
test.serial('a secret speaks only for the Pages that were linked with it, of the same app too', async (t) => {
  const { page, post, noticed, link, own } = await open(t)
  const second = await link(own, { appSecret: 'new-secret' }, page.appId)
  const both = envelope(page.pageId, [change(page.pageId, '111'), change(second.pageId, '222')])
  t.like(await post(both, 'new-secret'), { status: 200, body: { stored: 1 } })
  t.deepEqual([await noticed(), await noticed(second.pageId)], [[], ['222']])
  t.like(await post(both), { status: 200, body: { stored: 1 } })
  t.deepEqual([await noticed(), await noticed(second.pageId)], [['111'], ['222']])
})

test.serial('a secret verifies as soon as its Page is linked, changed or gone, on every node', async (t) => {
  const { page, post, send, client: _, world, stores, ...app } = await open(t)
  const node = await serve(t, world, { ...stores, broadcast: world.broadcast })
  const body = (id: string) => envelope(page.pageId, [change(page.pageId, id)])
  const path = `/webhooks/official/pages/${page.appId}`
  const there = async (secret: string, id: string) =>
    (await node.send('POST', path, { body: body(id), headers: { 'x-hub-signature-256': signed(secret, body(id)) } }))
      .status
  t.deepEqual(
    [(await post(body('1'))).status, await there(page.appSecret, '2'), await there('next', '3')],
    [200, 200, 401],
  )
  Object.assign(page, { appSecret: 'next' })
  t.is((await send('PATCH', `/v1/lead-pages/${page.pageId}`, { appSecret: 'next' })).status, 200)
  t.deepEqual(
    [
      (await post(body('4'), 'next')).status,
      await there('next', '5'),
      (await post(body('6'), 'app-secret')).status,
      await there('app-secret', '7'),
    ],
    [200, 200, 401, 401],
  )
  t.is((await send('DELETE', `/v1/lead-pages/${page.pageId}`)).status, 200)
  t.deepEqual([(await post(body('8'), 'next')).status, await there('next', '9')], [401, 401])
  await app.link(app.own, { appSecret: 'third' }, page.appId)
  t.deepEqual([(await post(body('10'), 'third')).status, await there('third', '11')], [200, 200])
})

test.serial(
  'secrets are remembered for a moment, those of unknown apps never, and a look-up under way when they change is not',
  async (t) => {
    const clock = new FakeClock()
    const broadcast = new LocalBroadcast(silentLog)
    const looked: string[] = []
    let secrets: readonly string[] = ['one']
    let hold: Promise<void> | null = null
    const appSecretsOf = async (appId: string) => {
      looked.push(appId)
      const found = appId === 'known' ? secrets : []
      await hold
      return found
    }
    const ports = { leadPages: { appSecretsOf }, broadcast, clock }
    const cache = createAppSecrets(ports as unknown as LeadPorts)
    for (let n = 0; n < 3; n++) t.deepEqual([await cache.find('known'), await cache.find('unknown')], [['one'], []])
    t.deepEqual(looked, ['known', 'unknown', 'unknown', 'unknown'])
    secrets = ['two']
    clock.advance(4_999)
    t.deepEqual(await cache.find('known'), ['one'])
    clock.advance(1)
    t.deepEqual(await cache.find('known'), ['two'], 'a node that did not hear of it follows')
    secrets = ['three']
    await broadcast.publish('leads.app', 'known')
    t.deepEqual(await cache.find('known'), ['three'])
    await cache.forget('known')
    let release = (): void => {}
    hold = new Promise((resolve) => {
      release = resolve
    })
    const under = cache.find('known')
    secrets = ['four']
    await cache.forget('known')
    release()
    t.deepEqual([await under, await cache.find('known')], [['three'], ['four']])
  },
)

test.serial('signed junk is 200 and changes nothing', async (t) => {
  const { page, post, noticed, log } = await open(t)
  const junk = [
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '7',
    '{"object":"page","entry":5}',
    '{"object":"page","entry":[1,null,{}]}',
    '{"object":"page","entry":[{"changes":[7,{"field":"leadgen"}]}]}',
    Buffer.from([0xff, 0xfe, 0x00]),
    envelope(page.pageId, [change(page.pageId, '0')]),
    envelope(page.pageId, [change(page.pageId, '"no number of upstream"')]),
    envelope(page.pageId, [change(page.pageId, '1.5')]),
    envelope(page.pageId, [change(page.pageId, '{}')]),
  ]
  for (const body of junk) t.like(await post(body), { status: 200, body: { stored: 0 } }, String(body))
  t.deepEqual(await noticed(), [])
  t.false(log.text().includes('no number of upstream'))
  await fc.assert(
    fc.asyncProperty(
      fc.json(),
      fc.array(fc.record({ field: fc.oneof(fc.constant('leadgen'), fc.string()), value: fc.jsonValue() })),
      async (noise, changes) =>
        (await post(noise)).status === 200
        && (
          await post(
            envelope(
              page.pageId,
              changes.map((one) => JSON.stringify(one)),
            ),
          )
        ).status === 200,
    ),
    { numRuns: counted(40, 10) },
  )
})

test.serial('as many notices as upstream posts at once, each with all that it writes, are stored whole', async (t) => {
  const { page, post, noticed } = await open(t)
  const entries = Array.from(
    { length: 1_000 },
    (_, at) =>
      `{"id":"${page.pageId}","time":1767225600,"changes":[${change(page.pageId, `"${9_007_199_254_740_993n + BigInt(at)}"`, ',"ad_id":"5","adgroup_id":"6"')}]}`,
  )
  const body = `{"object":"page","entry":[${entries.join(',')}]}`
  t.like(await post(body), { status: 200, body: { stored: 1_000 } })
  t.is((await noticed()).length, 1_000)
  t.like(await post(body), { status: 200, body: { stored: 0 } })
})

test.serial('the values of a post are counted before it is read, whatever they are (security case 5)', async (t) => {
  const read: number[] = []
  const { page, post, noticed } = await open(t, {
    readLeadNotices: ({ length }) => (read.push(length), { ok: true, notices: [] }),
  })
  const filled = (item: string, bytes: number) => `{"object":"page","entry":[${item.repeat(bytes / item.length)}{}]}`
  for (const body of [
    filled('[],', 3_000_000),
    filled('12345678901234567890,', 9_800_000),
    filled(`${envelope(page.pageId, [change(page.pageId, '9007199254740993')])},`, 3_100_000),
  ])
    t.is((await post(body)).status, 413)
  t.is((await post(Buffer.alloc(10_000_001, ' '))).status, 413)
  t.deepEqual([read, await noticed()], [[], []])
})

test.serial(
  'notices are limited by app and secret and by Page: posts over the limit must come later, and no other Page waits',
  async (t) => {
    const { page, post, link, own, world } = await open(t)
    const other = await link(own, { appSecret: 'other-secret' }, page.appId)
    let next = 1n
    const notices = (pageId: string, count: number) =>
      envelope(
        pageId,
        Array.from({ length: count }, () => change(pageId, `"${next++}"`)),
      )
    for (const [count, status] of [
      [2_000, 200],
      [2_000, 200],
      [1_000, 200],
      [21, 429],
    ] as const)
      t.is((await post(notices(page.pageId, count))).status, status)
    const refused = await post(notices(page.pageId, 21))
    t.is(refused.headers.get('retry-after'), '1')
    t.like(await post(notices(page.pageId, 20)), { status: 200 }, 'a few count for the app alone')
    t.like(
      await post(notices(other.pageId, 2_000), 'other-secret'),
      { status: 200, body: { stored: 2_000 } },
      'a secret takes nothing from another, of the same app too',
    )
    for (let page2 = 0; page2 < 7; page2++) t.is((await post(notices(String(500 + page2), 2_000))).status, 200)
    t.is((await post(notices('507', 1_000))).status, 429, 'many Pages are one app')
    world.clock.advance(60_000)
    t.like(await post(notices(page.pageId, 21)), { status: 200, body: { stored: 21 } })
  },
)

test.serial('a store that fails is a fault, so that upstream comes again', async (t) => {
  const leadNotices = { accept: () => Promise.reject(new Error('the database is away')) } as unknown as LeadNoticeStore
  const { page, post } = await open(t, { leadNotices })
  t.is((await post(envelope(page.pageId, [change(page.pageId, '1')]))).status, 500)
})
