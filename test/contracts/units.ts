import { executionAsyncId } from 'node:async_hooks'
import type { TestFn } from 'ava'
import { newId, type TenantId } from '../../src/domain/ids.ts'
import { BrandLogoEntity, TenantBrandingEntity } from '../../src/storage/branding/entity.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { despiteOthers } from '../../src/storage/engine/overtaken.ts'
import { TenantEntity } from '../../src/storage/tenants/entity.ts'
import { WebhookEntity } from '../../src/storage/webhooks/entity.ts'

const NOW = new Date('2026-03-04T05:06:07.089Z')

function tenantOf(id: TenantId, name = 'Acme') {
  return { id, name, createdAt: NOW }
}

async function addTenant(database: Database): Promise<TenantId> {
  const id = newId('ten')
  const rows = database.entities()
  rows.create(TenantEntity, tenantOf(id), { persist: true })
  await rows.flush()
  return id
}

/** What the ORM does on every Database. */
export function unitSuite(test: TestFn, name: string, database: () => Database): void {
  test(`${name}: entities are stored, found, changed and removed as they were described`, async (t) => {
    const id = newId('ten')
    const named = `O'Reilly \\ "?" ?? $1 \u{1F600}`
    const rows = database().entities()
    rows.create(TenantEntity, tenantOf(id, named), { persist: true })
    await rows.flush()
    t.like(await database().entities().findOne(TenantEntity, { name: named }), {
      id,
      name: named,
      plan: 'unlimited',
      maxNumbers: null,
      createdAt: NOW,
    })
    const other = database().entities()
    other.assign(await other.findOneOrFail(TenantEntity, { id }), { name: 'a\0b', maxNumbers: 3 })
    await other.flush()
    t.like(await database().entities().findOne(TenantEntity, { id }), { name: 'a\u{FFFD}b', maxNumbers: 3 })
    t.is(await database().entities().nativeUpdate(TenantEntity, { id }, { name: 'b' }), 1)
    t.like(
      (
        await database()
          .entities()
          .updated(TenantEntity, { id }, { plan: 'ten', createdAt: new Date(0) })
      )[0],
      { name: 'b', plan: 'ten', createdAt: new Date(0) },
    )
    other.remove(await other.findOneOrFail(TenantEntity, { id }))
    await other.flush()
    t.is(
      await database()
        .entities()
        .count(TenantEntity, { id: { $in: [id, newId('ten')] } }),
      0,
    )
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
          ? { ...tenantOf(id), plan: 'unlimited', maxNumbers: null, requestsPerMinute: null, sendsPerMinute: null }
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
    const rows = database().entities()
    rows.create(TenantEntity, tenantOf(id), { persist: true })
    const error = await t.throwsAsync(rows.flush(), { code: '23505' })
    t.like(error, { constraint: 'tenants_pkey' })
    t.false(`${error?.message} ${JSON.stringify(error)}`.includes(id))
  })

  test(`${name}: the changes of a unit of work are kept together or not at all`, async (t) => {
    const [first, second] = [newId('ten'), newId('ten')]
    const there = await addTenant(database())
    const rows = database().entities()
    for (const id of [first, there]) rows.create(TenantEntity, tenantOf(id), { persist: true })
    await t.throwsAsync(rows.flush(), { code: '23505' })
    await t.throwsAsync(
      database().unitOfWork(null, async (unit) => {
        unit.create(TenantEntity, tenantOf(second), { persist: true })
        await unit.flush()
        t.is(await unit.count(TenantEntity, { id: second }), 1)
        throw new Error('changed my mind')
      }),
      { message: 'changed my mind' },
    )
    t.is(
      await database()
        .entities()
        .count(TenantEntity, { id: { $in: [first, second] } }),
      0,
    )
    await database().unitOfWork(null, async (unit) => {
      for (const id of [first, second]) unit.create(TenantEntity, tenantOf(id), { persist: true })
    })
    t.is(
      await database()
        .entities()
        .count(TenantEntity, { id: { $in: [first, second] } }),
      2,
    )
  })

  test(`${name}: a query of rows that belong to somebody fails without a scope, and sees nobody else's within one`, async (t) => {
    const [own, others] = [await addTenant(database()), await addTenant(database())]
    for (const tenantId of [own, others]) {
      const rows = database().entities({ tenantId })
      rows.create(
        BrandLogoEntity,
        {
          key: `${tenantId}.png`,
          tenantId,
          mimeType: 'image/png',
          fileName: 'a.png',
          sizeBytes: 1,
          createdAt: NOW,
          referencedAt: NOW,
        },
        { persist: true },
      )
      rows.create(TenantBrandingEntity, { tenantId, fields: '{}', updatedAt: NOW }, { persist: true })
      await rows.flush()
    }
    for (const entity of [TenantBrandingEntity, WebhookEntity] as unknown[] as (typeof TenantBrandingEntity)[]) {
      const unscoped = { message: "No arguments provided for filter 'tenant'" }
      await t.throwsAsync(database().entities().findOne(entity, { tenantId: own }), unscoped)
      await t.throwsAsync(database().entities().find(entity, {}), unscoped)
      await t.throwsAsync(database().entities().count(entity, {}), unscoped)
      await t.throwsAsync(database().entities().nativeDelete(entity, { tenantId: own }), unscoped)
      await t.throwsAsync(database().entities().nativeUpdate(entity, { tenantId: own }, { updatedAt: NOW }), unscoped)
      await t.throwsAsync(database().entities().updated(entity, { tenantId: own }, { updatedAt: NOW }), unscoped)
      await t.throwsAsync(database().entities().changed(entity, { tenantId: own }, { updatedAt: NOW }), unscoped)
      await t.throwsAsync(database().entities().read(entity, {}), unscoped)
      await t.throwsAsync(database().entities().readOne(entity, { tenantId: own }), unscoped)
    }
    const within = () => database().entities({ tenantId: own })
    t.is(await within().findOne(TenantBrandingEntity, { tenantId: others }), null)
    t.is(await within().readOne(TenantBrandingEntity, { tenantId: others }), null)
    t.deepEqual(
      (await within().read(TenantBrandingEntity, {})).map(({ tenantId }) => tenantId),
      [own],
    )
    t.is(await within().changed(TenantBrandingEntity, { tenantId: others }, { fields: '[]' }), 0)
    t.deepEqual(
      (await within().find(TenantBrandingEntity, {})).map(({ tenantId }) => tenantId),
      [own],
    )
    t.is(await within().nativeUpdate(TenantBrandingEntity, { tenantId: others }, { fields: '[]' }), 0)
    t.deepEqual(await within().updated(TenantBrandingEntity, { tenantId: others }, { fields: '[]' }), [])
    t.is(await within().nativeDelete(TenantBrandingEntity, { tenantId: others }), 0)
    t.is(
      await database()
        .entities('everybody')
        .count(TenantBrandingEntity, { tenantId: { $in: [own, others] } }),
      2,
    )
  })

  test(`${name}: of two who change a row at once the second reads it again`, async (t) => {
    const tenantId = await addTenant(database())
    const add = (word: string) =>
      despiteOthers('tenant_branding_pkey', async () => {
        const rows = database().entities({ tenantId })
        const brand = await rows.findOne(TenantBrandingEntity, {})
        if (brand) rows.assign(brand, { fields: `${brand.fields} ${word}` })
        else rows.create(TenantBrandingEntity, { tenantId, fields: word, updatedAt: NOW }, { persist: true })
        await rows.flush()
      })
    await Promise.all(['a', 'b', 'c', 'd'].map(add))
    const brand = await database().entities({ tenantId }).findOneOrFail(TenantBrandingEntity, {})
    t.deepEqual([brand.fields.split(' ').toSorted(), brand.version], [['a', 'b', 'c', 'd'], 4])
  })

  if (name === 'PostgreSQL') {
    test.serial('a unit of work leaves no promise of the process followed', async (t) => {
      const tenantId = await addTenant(database())
      await database().unitOfWork({ tenantId }, async (rows) => {
        rows.assign(await rows.findOneOrFail(TenantEntity, { id: tenantId }), { name: 'Other' })
      })
      const before = executionAsyncId()
      await Promise.resolve()
      t.true([before, 0].includes(executionAsyncId()))
    })
  }
}
