import test from 'ava'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { Receiver, signatureOf, startOfficial, VERIFY_TOKEN, type OfficialPlayground } from '../official-playground.ts'

/** Posts `count` changes, numbered from `from` on. */
async function send({ control, seeded }: OfficialPlayground, count: number, from: number = 1): Promise<void> {
  for (let index = from; index < from + count; index++) {
    await control('POST', '/official/webhooks/send', { phoneId: seeded.phoneId, field: 'messages', value: { index } })
  }
}

function indexes(receiver: Receiver): number[] {
  return receiver.changes('messages').map(({ value }) => value.index)
}

// [sandbox.listening.2]
test('a callback is taken once it passed the challenge, and shows with the subscription', async (t) => {
  const official = await startOfficial()
  const { receiver, subscribe, graph, seeded } = official
  const apps = `${seeded.accountId}/subscribed_apps`
  t.deepEqual((await graph('GET', apps)).body, { data: [] })
  t.deepEqual((await subscribe()).body, { success: true })
  const [asked] = receiver.challenges
  t.is(asked?.get('hub.mode'), 'subscribe')
  t.regex(asked?.get('hub.challenge') ?? '', /^\d+$/)
  const [app] = (await graph('GET', apps)).body.data
  t.like(app, { whatsapp_business_api_data: { id: seeded.appId }, override_callback_uri: receiver.url })
  t.is((await graph('GET', seeded.phoneId)).body.webhook_configuration.whatsapp_business_account, receiver.url)
  t.deepEqual((await graph('DELETE', apps)).body, { success: true })
  t.deepEqual((await graph('GET', apps)).body, { data: [] })
  t.is(
    (
      await official.control('POST', '/official/webhooks/send', {
        accountId: seeded.accountId,
        field: 'flows',
        value: {},
      })
    ).body.code,
    'NOT_SUBSCRIBED',
  )
  await official.close()
})

test('a callback that does not know the token, or is not there, is refused', async (t) => {
  const { receiver, subscribe, graph, seeded, close } = await startOfficial()
  receiver.verifyToken = 'another'
  const refused = await subscribe()
  t.is(refused.status, 400)
  t.is(refused.body.error.code, 2200)
  t.regex(refused.body.error.message, /HTTP Status Code = 403/)
  receiver.verifyToken = VERIFY_TOKEN
  receiver.challengePrefix = 'you said '
  const parroted = await subscribe()
  t.is(parroted.status, 400)
  t.regex(parroted.body.error.message, /does not match the challenge/)
  const apps = `${seeded.accountId}/subscribed_apps`
  t.is(
    (await graph('POST', apps, { override_callback_uri: 'http://127.0.0.1:1/x', verify_token: 'v' })).body.error.code,
    2200,
  )
  t.is((await graph('POST', apps, { override_callback_uri: receiver.url })).body.error.code, 100)
  t.is(
    (await graph('POST', apps, { override_callback_uri: `${receiver.url}?${'x'.repeat(200)}`, verify_token: 'v' })).body
      .error.code,
    100,
  )
  t.deepEqual((await graph('GET', apps)).body, { data: [] })
  await close()
})

// [sandbox.listening.2]
test('a change is signed over its very bytes, escaped as upstream escapes them', async (t) => {
  const official = await startOfficial({ appSecret: 'top secret' })
  const { receiver, seeded, subscribe, control } = official
  await subscribe()
  const value = { text: 'olá 😀 / ok', id: 12_345 }
  t.is(
    (await control('POST', '/official/webhooks/send', { phoneId: seeded.phoneId, field: 'messages', value })).status,
    202,
  )
  const [post] = await until('the change came', () => (receiver.posts.length > 0 ? receiver.posts : null))
  t.is(post?.signature, signatureOf(post?.raw ?? Buffer.of(), 'top secret'))
  t.not(post?.signature, signatureOf(post?.raw ?? Buffer.of(), 'other'))
  t.is(post?.headers['content-type'], 'application/json')
  t.true(post?.raw.toString().includes(String.raw`ol\u00e1 \ud83d\ude00 \/ ok`))
  t.deepEqual(post?.body, {
    object: 'whatsapp_business_account',
    entry: [{ id: seeded.accountId, changes: [{ field: 'messages', value }] }],
  })
  await official.close()
})

test('a change that is not answered with 200 comes again, after twice the time each', async (t) => {
  const official = await startOfficial({}, { clock: new FakeClock() })
  const { receiver, subscribe, control, advance } = official
  await subscribe()
  receiver.statuses.push(500, 201, 404)
  await send(official, 1)
  for (const [attempts, waitMs] of [
    [1, 500],
    [2, 1_000],
    [3, 2_000],
  ] as const) {
    await until(
      `attempt ${attempts}`,
      async () => (await control('GET', '/official/webhooks')).body.deliveries[0].attempts.length === attempts,
    )
    t.is(receiver.posts.length, attempts)
    await advance(waitMs)
  }
  await until('it was taken', () => receiver.changes().length > 0)
  await until(
    'delivered',
    async () => (await control('GET', '/official/webhooks')).body.deliveries[0].state === 'DELIVERED',
  )
  const [delivery] = (await control('GET', '/official/webhooks')).body.deliveries
  t.deepEqual(delivery.fields, ['messages'])
  const times = delivery.attempts.map(({ atMs }: { atMs: number }) => atMs)
  t.deepEqual(
    times.slice(1, 4).map((time: number, index: number) => time - times[index]),
    [500, 1_000, 2_000],
  )
  t.deepEqual(
    receiver.posts.map(({ status }) => status),
    [500, 201, 404, 200],
  )
  t.is(new Set(receiver.posts.map(({ signature }) => signature)).size, 1)
  await official.close()
})

test('a receiver that accepts no change is retried every 32 s at most, and given up after an hour', async (t) => {
  const official = await startOfficial({}, { clock: new FakeClock() })
  const { receiver, subscribe, control, advance } = official
  await subscribe()
  receiver.statuses.push(...Array(130).fill(503))
  await send(official, 1)
  const shown = async () => (await control('GET', '/official/webhooks')).body.deliveries[0]
  for (let attempts = 1; attempts <= 120; attempts++) {
    await until(`attempt ${attempts}`, async () => (await shown()).attempts.length === attempts)
    await advance(32_000)
  }
  const { state, attempts } = await shown()
  t.is(state, 'GIVEN_UP')
  t.is(receiver.posts.length, 120)
  t.true(attempts.at(-1).atMs - attempts[0].atMs >= 3_600_000)
  await official.close()
})

test('changes come in order by themselves, and newest first when asked to', async (t) => {
  const official = await startOfficial({}, { clock: new FakeClock() })
  const { receiver, subscribe, control, advance } = official
  await subscribe()
  await send(official, 5)
  await until('all came', () => receiver.changes().length === 5)
  t.deepEqual(indexes(receiver), [1, 2, 3, 4, 5])
  await control('POST', '/official/webhooks', { reorder: true, delayMs: 60_000 })
  await send(official, 3, 6)
  t.is(receiver.changes().length, 5)
  await advance(60_000)
  await until('all came', () => receiver.changes().length === 8)
  t.deepEqual(indexes(receiver).slice(5), [8, 7, 6])
  await official.close()
})

test('a batch puts accounts and changes in one signed body', async (t) => {
  const official = await startOfficial({}, { clock: new FakeClock() })
  const { receiver, subscribe, control, advance, seeded, graph } = official
  await subscribe()
  const other = (await control('POST', '/official/numbers', { number: '551140000005', appId: seeded.appId })).body
  await graph(
    'POST',
    `${other.accountId}/subscribed_apps`,
    { override_callback_uri: receiver.url, verify_token: receiver.verifyToken },
    other.accessToken,
  )
  await control('POST', '/official/webhooks', { batch: true, delayMs: 60_000 })
  await send(official, 3)
  await control('POST', '/official/webhooks/send', {
    accountId: other.accountId,
    field: 'account_update',
    value: { event: 'VERIFIED_ACCOUNT' },
  })
  await advance(60_000)
  await until('the batch came', () => receiver.posts.length > 0)
  t.is(receiver.posts.length, 1)
  const [post] = receiver.posts
  t.deepEqual(
    post?.body.entry.map(({ id, changes }: any) => [id, changes.length]),
    [
      [seeded.accountId, 3],
      [other.accountId, 1],
    ],
  )
  t.is(typeof post?.body.entry[1].time, 'number')
  t.is(post?.signature, signatureOf(post?.raw ?? Buffer.of(), seeded.appSecret))
  await official.close()
})

test('duplicates are the same bytes again', async (t) => {
  const official = await startOfficial()
  const { receiver, subscribe, control } = official
  await subscribe()
  t.like((await control('POST', '/official/webhooks', { duplicate: 9, parallel: true })).body, {
    duplicate: 9,
    reorder: false,
  })
  await send(official, 1)
  await until('all came', () => receiver.posts.length === 10)
  t.is(new Set(receiver.posts.map(({ raw }) => raw.toString())).size, 1)
  t.is((await control('POST', '/official/webhooks', { duplicate: -1 })).status, 400)
  await official.close()
})

test("the callback of the number takes precedence over that of the account, and that over the app's", async (t) => {
  const official = await startOfficial()
  const { receiver: ofAccount, subscribe, control, graph, seeded } = official
  const [ofApp, ofNumber] = await Promise.all([Receiver.open(), Receiver.open()])
  await control('PATCH', `/official/accounts/${seeded.accountId}`, { callbackUrl: ofApp.url })
  await graph('POST', `${seeded.accountId}/subscribed_apps`, {})
  await send(official, 1)
  await until('the app got it', () => ofApp.changes().length === 1)
  await subscribe()
  await send(official, 1)
  await until('the account got it', () => ofAccount.changes().length === 1)
  const set = await graph('POST', seeded.phoneId, {
    webhook_configuration: { override_callback_uri: ofNumber.url, verify_token: ofNumber.verifyToken },
  })
  t.is(set.status, 200)
  await send(official, 1)
  await until('the number got it', () => ofNumber.changes().length === 1)
  t.deepEqual((await graph('GET', seeded.phoneId)).body.webhook_configuration, {
    application: ofApp.url,
    whatsapp_business_account: ofAccount.url,
    phone_number: ofNumber.url,
  })
  t.deepEqual(
    [ofApp, ofAccount, ofNumber].map(({ posts }) => posts.length),
    [1, 1, 1],
  )
  ofApp.close()
  ofNumber.close()
  await official.close()
})

test('a field that the app is not subscribed to is not posted', async (t) => {
  const official = await startOfficial()
  const { receiver, subscribe, control, seeded } = official
  await subscribe()
  await control('PATCH', `/official/accounts/${seeded.accountId}`, { subscribedFields: ['flows'] })
  t.is(
    (await control('POST', '/official/webhooks/send', { phoneId: seeded.phoneId, field: 'messages', value: {} }))
      .status,
    409,
  )
  t.is(
    (await control('POST', '/official/webhooks/send', { phoneId: seeded.phoneId, field: 'flows', value: {} })).status,
    202,
  )
  await until('it came', () => receiver.changes('flows').length === 1)
  t.is((await control('POST', '/official/webhooks/send', { phoneId: '9', field: 'flows', value: {} })).status, 404)
  await official.close()
})
