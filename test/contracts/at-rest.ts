import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { change, receiver } from './inbound-store.ts'
import { newOfficial, newTenant, officialNumber } from './official-store.ts'
import { makeWebhook, newWebhook, SECRET } from './webhook-store.ts'
import { newNumber, ownedNumber, type MakeWorld } from './world.ts'

/** Whoever reads the tables finds no secret in clear text. */
export function atRestSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [bridge.events.3]
  test(`${name}: credentials of a device are unreadable in the table`, async (t) => {
    const world = makeWorld()
    const { number, fence } = await ownedNumber(world)
    await world.stores.numbers.saveConnection(fence, { state: 'OPEN', credentials: 'noise-key-material' }, [])
    const raw = await world.rawTable('channel_numbers')
    t.true(raw.includes(number.id))
    t.false(raw.includes('noise-key-material'))
    t.false(raw.includes(Buffer.from('noise-key-material').toString('base64url').slice(0, 20)))
  })

  // [voice.number-setting.8]
  test(`${name}: what the headers of a number's bot hold is unreadable in the table`, async (t) => {
    const world = makeWorld()
    const { tenantId, number } = await ownedNumber(world)
    const voice = {
      connectTo: 'wss://bot.example/',
      headers: { authorization: 'Bearer bot-secret-material' },
      dialect: 'native',
      rate: null,
      parameters: {},
      answer: 'accept',
      onUnreachable: 'ring',
      onDisconnect: 'hangup',
      record: false,
    } as const
    await world.stores.numbers.patch(tenantId, number.id, { voice })
    const raw = await world.rawTable('channel_numbers')
    t.true(raw.includes('bot.example'))
    t.false(raw.includes('bot-secret-material'))
  })

  test(`${name}: sealed credentials moved to another number do not open`, async (t) => {
    const world = makeWorld()
    const [one, two] = [await ownedNumber(world), await ownedNumber(world)]
    await world.stores.numbers.saveConnection(one.fence, { credentials: 'of one' }, [])
    await world.copyCredentials(one.number.id, two.number.id)
    await t.throwsAsync(world.stores.numbers.credentials(two.number.id))
  })

  test(`${name}: replaced credentials of an OFFICIAL number are unreadable in the table`, async (t) => {
    const world = makeWorld()
    const tenantId = await newTenant(world)
    const wanted = newOfficial(tenantId)
    await officialNumber(world, wanted)
    await world.stores.official.replaceCredentials(
      tenantId,
      wanted.id,
      { accessToken: 'EAA-other-token', appSecret: 'other-secret' },
      wanted.health,
    )
    const raw = await world.rawTable('channel_numbers')
    for (const secret of ['EAA-other-token', 'other-secret']) t.false(raw.includes(secret))
  })

  test(`${name}: neither the token of an embed session is in the tables, nor the id of the key that minted it`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, key } = await ownedNumber(world)
    const minted = await world.stores.embedSessions.mint({
      tenantId,
      keyId: key.id,
      surface: 'chat',
      numberIds: [number.id],
      allowedOrigins: ['https://crm.example'],
      branding: null,
      canStart: false,
      ttlSeconds: 60,
      maxAgeMs: 60_000,
    })
    const [sessions, secrets] = [await world.rawTable('embed_sessions'), await world.rawTable('embed_secrets')]
    t.true(secrets.includes(minted?.session.id ?? '?'))
    t.false(sessions.includes(key.id))
    t.false(secrets.includes(minted?.token.split('.')[1] ?? ''))
  })

  // [keys.form.4] [rest.ids.3]
  test(`${name}: the table of keys shows none, and no id of one`, async (t) => {
    const world = makeWorld()
    const { tenantId, key: tenantKey } = await world.stores.tenants.create('Listing')
    const made = await world.stores.numbers.create(newNumber(tenantId))
    if (!made.ok) return t.fail(made.error.message)
    const { key } = made.value
    const raw = await world.rawTable('api_keys')
    t.true(raw.includes(key.prefix))
    t.false(raw.includes(key.raw))
    t.false(raw.includes(key.id))
    t.false(raw.includes(tenantKey))
  })

  test(`${name}: the token of a link is stored nowhere`, async (t) => {
    const world = makeWorld()
    const { tenantId, number } = await ownedNumber(world)
    const token = await world.stores.pairing.issue({
      tenantId,
      numberId: number.id,
      branding: null,
      redirectUrl: null,
      expiresAt: new Date(world.clock.now() + 1_000),
    })
    t.false((await world.rawTable('pairing_links')).includes(token))
  })

  test(`${name}: the secrets of dashboard sessions are stored nowhere`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await world.stores.tenants.create('Signing in')
    const [used, unused] = [
      await world.stores.webSessions.mintLoginToken(tenantId),
      await world.stores.webSessions.mintLoginToken(tenantId),
    ]
    const opened = await world.stores.webSessions.open({ loginToken: used ?? '' }, { address: null, userAgent: null })
    const raw = (await world.rawTable('web_sessions')) + (await world.rawTable('login_tokens'))
    t.true(raw.includes(opened?.session.id ?? '-'))
    for (const secret of [opened?.secret ?? '', unused ?? '']) t.false(raw.includes(secret.slice(3)))
  })

  test(`${name}: neither an invitation nor the address of a failed login is in the tables`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await world.stores.tenants.create('Inviting')
    const made = await world.stores.users.create(tenantId, { email: 'at.rest@example.com', role: 'AGENT', name: null })
    if (!made.ok) throw new Error(made.error.message)
    await world.stores.loginFailures.note('somebody@example.com', [{ most: 10, withinMs: 60_000 }])
    const raw =
      (await world.rawTable('users')) + (await world.rawTable('invitations')) + (await world.rawTable('login_failures'))
    t.true(raw.includes(made.value.user.id))
    for (const secret of [made.value.invitation.token, 'somebody@']) t.false(raw.includes(secret))
  })

  test(`${name}: answers are unreadable in the table and do not open under another key`, async (t) => {
    const world = makeWorld()
    const request = { ownerId: newId('num'), key: 'order-7', fingerprint: 'f1' }
    await world.stores.idempotency.start(request)
    await world.stores.idempotency.finish(request, { status: 201, body: 'cms_secret-answer' })
    const raw = await world.rawTable('idempotent_requests')
    t.true(raw.includes('order-7'))
    t.false(raw.includes('cms_secret-answer'))
    t.false(raw.includes(request.ownerId))
  })

  test(`${name}: secrets cannot be read in the table, the rotated one included`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const made = await makeWebhook(world.stores.webhooks, newWebhook(owned))
    const next = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    t.true(
      await world.stores.webhooks.rotateSecret(
        { tenantId: owned.tenantId, numberId: null },
        made.id,
        next,
        new Date(world.clock.now() + 1000),
      ),
    )
    const raw = await world.rawTable('webhooks')
    t.true(raw.includes(made.id))
    for (const secret of [SECRET, next]) t.false(raw.includes(secret.slice(8, 30)))
  })

  test(`${name}: secrets of an OFFICIAL number are unreadable in the table`, async (t) => {
    const world = makeWorld()
    await officialNumber(world, newOfficial(await newTenant(world)))
    const stored = await world.rawTable('channel_numbers')
    for (const secret of ['EAA-secret-token', 'app-secret', 'verify-me']) t.false(stored.includes(secret))
  })

  test(`${name}: of a change that is worked off or never forwarded the table keeps only its key`, async (t) => {
    const world = makeWorld()
    const { number, target, phoneId, fence } = await receiver(world)
    await world.stores.inbound.accept(target, [
      change(target, { phoneId, field: 'messages', value: '{"who":"somebody private"}' }),
    ])
    await world.stores.inbound.settle(
      fence,
      (await world.stores.inbound.pending(number.id, 0, 1)).map(({ position }) => position),
      [],
    )
    await world.stores.inbound.accept(
      target,
      ['history', 'field_of_2030'].map((field) =>
        change(target, { field, phoneId, value: `{"of":"${field} ${phoneId}"}` }),
      ),
    )
    const stored = await world.rawTable('inbound_changes')
    t.false(stored.includes('somebody private'))
    t.false(stored.includes(`history ${phoneId}`))
    t.true(stored.includes(`field_of_2030 ${phoneId}`), 'of fields that nobody knows yet the value too')
  })
}
