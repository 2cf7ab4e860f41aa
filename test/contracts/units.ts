import { OptimisticLockError, raw } from '@mikro-orm/core'
import type { TestFn } from 'ava'
import { newId, type TenantId } from '../../src/domain/ids.ts'
import type { Permission } from '../../src/domain/permissions.ts'
import { TenantBrandingEntity } from '../../src/storage/branding/entity.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import type { RecordOf } from '../../src/storage/engine/rows-of.ts'
import { despiteOthers } from '../../src/storage/engine/overtaken.ts'
import { OAuthGrantEntity, OAuthTokenEntity } from '../../src/storage/oauth/entity.ts'
import { TenantEntity } from '../../src/storage/tenants/entity.ts'
import { InvitationEntity, UserEntity } from '../../src/storage/users/entity.ts'
import { WebhookEntity } from '../../src/storage/webhooks/entity.ts'

const NOW = new Date('2026-03-04T05:06:07.089Z')

function tenantOf(id: TenantId, name = 'Acme') {
  return { id, name, createdAt: NOW }
}

/** The fields of a webhook that was created without options. */
const BARE_WEBHOOK = {
  name: null,
  active: true,
  sealedPreviousSecret: null,
  previousUntil: null,
  lastTriggered: null,
  failingSince: null,
  disabledReason: null,
  removedAt: null,
}

function webhookOf(tenantId: TenantId, given: Partial<RecordOf<typeof WebhookEntity>> = {}) {
  return {
    id: newId('wh'),
    tenantId,
    numberId: newId('num'),
    provider: 'OFFICIAL' as const,
    url: 'https://a.example',
    events: [],
    sealedSecret: 'first',
    createdAt: NOW,
    updatedAt: NOW,
    ...given,
  }
}

function grantOf(tenantId: TenantId, scopes: readonly Permission[]) {
  return {
    id: newId('grt'),
    tenantId,
    clientId: 'client',
    clientName: 'Client',
    resource: 'v1' as const,
    scopes,
    isAccountWide: true,
    createdAt: NOW,
  }
}

async function addTenant(database: Database): Promise<TenantId> {
  const id = newId('ten')
  await database.entities().added(TenantEntity, tenantOf(id))
  return id
}

/** What the ORM does on every Database. */
export function unitSuite(test: TestFn, name: string, database: () => Database): void {
  test(`${name}: rows are stored, read, changed and removed as their entity describes them`, async (t) => {
    const id = newId('ten')
    const named = `O'Reilly \\ "?" ?? $1 \u{1F600}`
    const rows = database().entities()
    const stored = { ...tenantOf(id, named), plan: 'unlimited', maxNumbers: null, requestsPerMinute: null }
    t.deepEqual(await rows.created(TenantEntity, tenantOf(id, named)), {
      ...stored,
      sendsPerMinute: null,
      stepsDone: [],
    })
    t.like(await rows.readOne(TenantEntity, { name: named }), stored)
    t.is(await rows.changed(TenantEntity, { id }, { name: 'a\0b', maxNumbers: 3 }), 1)
    t.like(await rows.readOne(TenantEntity, { id }), { name: 'a\u{FFFD}b', maxNumbers: 3 })
    t.like((await rows.updated(TenantEntity, { id }, { plan: 'ten', createdAt: new Date(0) }))[0], {
      plan: 'ten',
      createdAt: new Date(0),
    })
    t.is(await rows.removed(TenantEntity, { id, plan: 'unlimited' }), 0)
    t.is(await rows.count(TenantEntity, { id: { $in: [id, newId('ten')] } }), 1)
    t.is(await rows.removed(TenantEntity, { id }), 1)
    t.is(await rows.count(TenantEntity, { id: { $in: [id, newId('ten')] } }), 0)
  })

  test(`${name}: rows of any shape are stored one after another: JSON, lists, null, defaults, numbers, true and false`, async (t) => {
    const tenantId = await addTenant(database())
    const rows = database().entities({ tenantId })
    const quoted = `O'Reilly, {"a": [1]} \\ "?" $1 \u{1F600}`
    const events = ['message.received', 'call.ended'] as const
    for (const given of [
      { url: 'https://a.example' },
      { url: 'https://b.example', active: false },
      { url: quoted, events: [...events, ...events], name: quoted },
      { url: 'https://c.example', name: null, events: [] },
      { url: 'https://d.example', previousUntil: NOW },
      { url: 'https://e.example' },
    ]) {
      const webhook = webhookOf(tenantId, given)
      const row = { ...BARE_WEBHOOK, ...webhook }
      t.deepEqual(await rows.created(WebhookEntity, webhook), row)
      t.deepEqual(await rows.readOne(WebhookEntity, { id: webhook.id }), row)
      const other = webhookOf(tenantId, { ...given, id: newId('wh') })
      await rows.added(WebhookEntity, other)
      t.deepEqual(await rows.readOne(WebhookEntity, { id: other.id }), { ...BARE_WEBHOOK, ...other })
      t.like((await rows.updated(WebhookEntity, { id: other.id }, { events: ['call.ended'], name: quoted }))[0], {
        name: quoted,
        events: ['call.ended'],
      })
    }
    for (const scopes of [['messages:read', 'a,b"c\\d'], [], ['', '{}']] as string[][] as Permission[][]) {
      const grant = grantOf(tenantId, scopes)
      t.deepEqual((await rows.created(OAuthGrantEntity, grant)).scopes, scopes)
      const payload = { deep: [{ scopes, at: null, n: 1 }] }
      const token = { kind: 'code', grantId: grant.id, payload, createdAt: NOW, expiresAt: NOW }
      const [first, second] = [newId('grt'), newId('grt')]
      await rows.added(OAuthTokenEntity, { ...token, tokenHash: first }, { ...token, tokenHash: second })
      t.deepEqual(
        (await rows.read(OAuthTokenEntity, { tokenHash: { $in: [first, second] } })).map((one) => one.payload),
        [payload, payload],
      )
    }
    await rows.added(OAuthTokenEntity)
    t.is(await rows.count(OAuthTokenEntity, { tokenHash: 'none' }), 0)
  })

  test(`${name}: a row is stored, or what is given is written into the row of its key`, async (t) => {
    const tenantId = await addTenant(database())
    const rows = database().entities({ tenantId })
    const [first, second] = [newId('usr'), newId('usr')]
    for (const id of [first, second]) {
      const user = { id, tenantId, email: id, emailKey: id, role: 'OWNER', status: 'INVITED', createdAt: NOW } as const
      t.like(await rows.created(UserEntity, user), { ...user, name: null, password: null, sessionsVersion: 1 })
    }
    const again = { userId: first, tokenHash: newId('key'), expiresAt: new Date(0) }
    const other = { userId: second, tokenHash: newId('key'), expiresAt: NOW }
    for (const invitation of [{ ...other, userId: first, tokenHash: newId('key') }, other, again])
      await rows.upserted(InvitationEntity, invitation)
    t.deepEqual(await rows.read(InvitationEntity, { userId: first }), [again])
    t.deepEqual(await rows.read(InvitationEntity, { userId: second }), [other])
    const brand = { tenantId, fields: '{}', updatedAt: NOW }
    await t.throwsAsync(database().entities({ tenantId }).upserted(TenantBrandingEntity, brand))
  })

  test(`${name}: SQL in a change refers to the row itself`, async (t) => {
    const tenantId = await addTenant(database())
    const rows = database().entities({ tenantId })
    const webhook = await rows.created(WebhookEntity, webhookOf(tenantId))
    for (const sealedSecret of ['second', 'third'])
      t.is(
        await rows.changed(
          WebhookEntity,
          { id: webhook.id },
          { sealedSecret, sealedPreviousSecret: raw('sealed_secret') },
        ),
        1,
      )
    t.like(await rows.readOne(WebhookEntity, { id: webhook.id }), {
      sealedSecret: 'third',
      sealedPreviousSecret: 'second',
    })
  })

  test(`${name}: records are read as entities are, in order and in part, again and again, and held where that is asked`, async (t) => {
    const ids = await Promise.all(['a', 'b', 'c'].map(() => addTenant(database())))
    const [first = 'ten_', second] = ids.toSorted()
    const read = (some: readonly TenantId[], limit: number, offset: number) =>
      database()
        .entities()
        .read(TenantEntity, { id: { $in: [...some] }, maxNumbers: null }, { orderBy: { id: 'desc' }, limit, offset })
    t.deepEqual(
      (await read(ids, 2, 1)).map(({ id }) => id),
      [second, first] as TenantId[],
    )
    for (const id of [...ids, newId('ten')])
      t.deepEqual(
        await database().entities().readOne(TenantEntity, { id }),
        ids.includes(id)
          ? {
              ...tenantOf(id),
              plan: 'unlimited',
              maxNumbers: null,
              requestsPerMinute: null,
              sendsPerMinute: null,
              stepsDone: [],
            }
          : null,
      )
    await database().unitOfWork(null, async (rows) => {
      for (const lock of ['key share', 'no key update', 'update'] as const)
        t.is((await rows.readOne(TenantEntity, { id: first }, { lock }))?.id, first)
      t.is(await rows.changed(TenantEntity, { id: first, createdAt: NOW }, { maxNumbers: 4 }), 1)
      t.is(await rows.changed(TenantEntity, { id: first, createdAt: new Date(0) }, { maxNumbers: 5 }), 0)
      t.is((await rows.readOne(TenantEntity, { id: first }))?.maxNumbers, 4)
    })
  })

  test(`${name}: an error of a unit of work names its constraint and repeats no values`, async (t) => {
    const id = await addTenant(database())
    const asks = [
      () => database().entities().added(TenantEntity, tenantOf(id)),
      () => database().entities().created(TenantEntity, tenantOf(id)),
      () => database().unitOfWork(null, (rows) => rows.added(TenantEntity, tenantOf(newId('ten')), tenantOf(id))),
    ]
    for (const ask of asks) {
      const error = await t.throwsAsync(ask(), { code: '23505' })
      t.like(error, { constraint: 'tenants_pkey' })
      t.false(`${error?.message} ${JSON.stringify(error)}`.includes(id))
    }
  })

  test(`${name}: the changes of a unit of work are kept together or not at all`, async (t) => {
    const [first, second] = [newId('ten'), newId('ten')]
    const there = await addTenant(database())
    const kept = () =>
      database()
        .entities()
        .count(TenantEntity, { id: { $in: [first, second] } })
    await t.throwsAsync(database().entities().added(TenantEntity, tenantOf(first), tenantOf(there)), { code: '23505' })
    await t.throwsAsync(
      database().unitOfWork(null, async (unit) => {
        await unit.added(TenantEntity, tenantOf(first))
        await unit.created(TenantEntity, tenantOf(second))
        t.is(await unit.count(TenantEntity, { id: { $in: [first, second] } }), 2)
        throw new Error('changed my mind')
      }),
      { message: 'changed my mind' },
    )
    t.is(await kept(), 0)
    await database().unitOfWork(null, async (unit) => {
      for (const id of [first, second]) await unit.added(TenantEntity, tenantOf(id))
    })
    t.is(await kept(), 2)
  })

  test(`${name}: a query of rows that belong to somebody fails without a scope, and sees nobody else's within one`, async (t) => {
    const [own, others] = [await addTenant(database()), await addTenant(database())]
    for (const tenantId of [own, others])
      await database().entities({ tenantId }).added(TenantBrandingEntity, { tenantId, fields: '{}', updatedAt: NOW })
    for (const entity of [TenantBrandingEntity, WebhookEntity] as unknown[] as (typeof TenantBrandingEntity)[]) {
      const unscoped = { message: "No arguments provided for filter 'tenant'" }
      await t.throwsAsync(database().entities().count(entity, {}), unscoped)
      await t.throwsAsync(database().entities().countBy(entity, 'tenantId'), unscoped)
      await t.throwsAsync(database().entities().removed(entity, { tenantId: own }), unscoped)
      await t.throwsAsync(database().entities().updated(entity, { tenantId: own }, { updatedAt: NOW }), unscoped)
      await t.throwsAsync(database().entities().changed(entity, { tenantId: own }, { updatedAt: NOW }), unscoped)
      await t.throwsAsync(database().entities().read(entity, {}), unscoped)
      await t.throwsAsync(database().entities().readOne(entity, { tenantId: own }), unscoped)
    }
    const within = () => database().entities({ tenantId: own })
    t.is(await within().readOne(TenantBrandingEntity, { tenantId: others }), null)
    t.deepEqual(
      (await within().read(TenantBrandingEntity, {})).map(({ tenantId }) => tenantId),
      [own],
    )
    t.is(await within().changed(TenantBrandingEntity, { tenantId: others }, { fields: '[]' }), 0)
    t.deepEqual(await within().updated(TenantBrandingEntity, { tenantId: others }, { fields: '[]' }), [])
    t.is(await within().removed(TenantBrandingEntity, { tenantId: others }), 0)
    t.is(await within().count(TenantBrandingEntity, {}), 1)
    t.deepEqual(await within().countBy(TenantBrandingEntity, 'tenantId'), { [own]: 1 })
    t.deepEqual(
      await database()
        .entities('everybody')
        .countBy(TenantBrandingEntity, 'tenantId', { tenantId: { $in: [own, others] } }),
      { [own]: 1, [others]: 1 },
    )
    t.is(
      await database()
        .entities('everybody')
        .count(TenantBrandingEntity, { tenantId: { $in: [own, others] } }),
      2,
    )
  })

  test(`${name}: when two changes of a row meet, the second reads the row again`, async (t) => {
    const tenantId = await addTenant(database())
    const add = (word: string) =>
      despiteOthers('tenant_branding_pkey', async () => {
        const rows = database().entities({ tenantId })
        const brand = await rows.readOne(TenantBrandingEntity, {})
        if (brand) await rows.changedSince(TenantBrandingEntity, brand, { fields: `${brand.fields} ${word}` })
        else await rows.added(TenantBrandingEntity, { tenantId, fields: word, updatedAt: NOW })
      })
    await Promise.all(['a', 'b', 'c', 'd'].map(add))
    const rows = database().entities({ tenantId })
    const brand = await rows.readOne(TenantBrandingEntity, {})
    t.deepEqual([brand?.fields.split(' ').toSorted(), brand?.version], [['a', 'b', 'c', 'd'], 4])
    await rows.removed(TenantBrandingEntity, {})
    await t.throwsAsync(
      rows.changedSince(TenantBrandingEntity, brand ?? { tenantId, fields: '', updatedAt: NOW, version: 4 }, {
        fields: '',
      }),
      { instanceOf: OptimisticLockError },
    )
  })
}
