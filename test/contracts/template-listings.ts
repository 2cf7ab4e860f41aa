import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import type { ListedTemplate, MergeListed } from '../../src/ports/stores/template-store.ts'
import { newTenant, randomId } from './official-store.ts'
import { accountOf, bodyOf, created, EVERYTHING, keptFile, newTemplate, type TestAccount } from './template-world.ts'
import type { MakeWorld, World } from './world.ts'

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 24 * 3_600_000]

function listedAs(n: number, fields: Partial<ListedTemplate> = {}): ListedTemplate {
  return { externalId: `1000000000000000000${n}`, name: `listed_${n}`, language: 'en_US', ...fields }
}

/** A merge that imports templates the tenant lacks, and writes existing ones only when their wording differs. */
function importing(world: World, { owner }: TestAccount, wording = 'Hi'): MergeListed<ListedTemplate> {
  return ({ externalId, name, language }, row) => {
    const body = bodyOf(wording)
    if (row === null)
      return {
        kind: 'CREATE',
        template: newTemplate(world, owner, { externalId, name, language, body, officialStatus: 'APPROVED' }),
      }
    return row.body.body?.text === wording && row.externalId === externalId
      ? { kind: 'KEEP' }
      : { kind: 'CHANGE', patch: { body, externalId } }
  }
}

function pageOf(count: number): ListedTemplate[] {
  return Array.from({ length: count }, (_, n) => listedAs(n))
}

/**
 * What every TemplateStore does with listings of the upstream. Due accounts are taken from the whole database, so those
 * tests run one after another.
 */
export function templateListingSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: templates of an account whose Flow nobody knew are found, and no others`, async (t) => {
    const world = makeWorld()
    const { templates } = world.stores
    const account = await accountOf(world, await newTenant(world))
    const other = await accountOf(world, account.tenantId)
    const wanted = [
      await created(world, account.owner, { unsupported: ['CATALOG', 'FLOW'] }),
      await created(world, account.owner, { unsupported: ['FLOW'] }),
    ]
    await created(world, account.owner, { unsupported: ['CATALOG'] })
    await created(world, account.owner)
    await created(world, other.owner, { unsupported: ['FLOW'] })
    t.deepEqual(
      (await templates.withUnknownFlows(account.owner)).map(({ id }) => id).toSorted(),
      wanted.map(({ id }) => id).toSorted(),
    )
  })

  test(`${name}: a page that was read before a template was removed does not bring it back, a later listing would`, async (t) => {
    const world = makeWorld()
    const { templates } = world.stores
    const account = await accountOf(world, await newTenant(world))
    const other = await accountOf(world, await newTenant(world), account.owner.accountId)
    const merge = (into = account) => templates.merge(into.owner, null, pageOf(3), importing(world, into))
    await merge()
    const { items } = await templates.list(account.number, EVERYTHING)
    const idOf = (n: number) => items.find(({ externalId }) => externalId === listedAs(n).externalId)?.id ?? 'tpl_'
    await templates.change(idOf(0), () => ({ kind: 'REMOVE' }))
    await templates.merge(account.owner, null, [listedAs(1)], () => ({ kind: 'REMOVE' }))
    t.deepEqual(await merge(), { imported: 0, updated: 0 })
    t.deepEqual(await merge(other), { imported: 3, updated: 0 }, 'another tenant removed none')
    const named = await created(world, account.owner, { name: 'listed_0', body: bodyOf('Hello') })
    t.deepEqual(await merge(), { imported: 0, updated: 1 }, 'a template that has its name is merged')
    await templates.change(named.id, () => ({ kind: 'REMOVE' }))
    world.clock.advance(10 * MINUTE_MS)
    t.deepEqual(await merge(), { imported: 2, updated: 0 })
  })

  test(`${name}: a page is merged by id, else by name and language however it is written`, async (t) => {
    const world = makeWorld()
    const { templates } = world.stores
    const account = await accountOf(world, await newTenant(world))
    const byId = await created(world, account.owner, { name: 'renamed', externalId: listedAs(0).externalId })
    const byName = await created(world, account.owner, { name: 'listed_1' })
    const same = await created(world, account.owner, {
      name: 'listed_2',
      externalId: listedAs(2).externalId,
      body: bodyOf('Hi'),
    })
    const other = await created(world, account.owner, { name: 'listed_1', language: 'de' })
    const listed = [listedAs(0), listedAs(1, { language: 'en-US' }), listedAs(2), listedAs(3), listedAs(3)]
    t.deepEqual(await templates.merge(account.owner, null, listed, importing(world, account)), {
      imported: 1,
      updated: 2,
    })
    t.deepEqual(await templates.merge(account.owner, null, listed, importing(world, account)), {
      imported: 0,
      updated: 0,
    })
    const { items } = await templates.list(account.number, EVERYTHING)
    t.is(items.length, 5)
    const textOf = (id: string) => items.find((item) => item.id === id)?.body.body?.text
    t.deepEqual(
      [byId, byName, same, other].map(({ id }) => textOf(id)),
      ['Hi', 'Hi', 'Hi', other.body.body?.text],
    )
    t.like(
      items.find(({ id }) => id === byName.id),
      { externalId: listedAs(1).externalId, sendable: false, variables: [] },
    )
    t.like(
      items.find((item) => item.name === 'listed_3'),
      { sendable: true, officialStatus: 'APPROVED' },
    )
    t.deepEqual(await templates.merge(account.owner, null, [listedAs(2)], () => ({ kind: 'REMOVE' })), {
      imported: 0,
      updated: 0,
    })
    t.deepEqual(await templates.find(account.number, same.id), [])
  })

  test(`${name}: two merges of the same pages at once import each template once, and nothing for a tenant that left the account`, async (t) => {
    const world = makeWorld()
    const { templates, numbers } = world.stores
    const account = await accountOf(world, await newTenant(world))
    const pages = [pageOf(60), pageOf(60).toReversed(), pageOf(60)]
    const counts = await Promise.all(
      pages.map((page) => templates.merge(account.owner, newId('list'), page, importing(world, account))),
    )
    t.is(
      counts.reduce((sum, { imported }) => sum + imported, 0),
      60,
    )
    t.is((await templates.list(account.number, EVERYTHING)).total, 60)
    await numbers.remove(account.tenantId, account.number.id)
    t.deepEqual(await templates.merge(account.owner, null, pageOf(2), importing(world, account)), {
      imported: 0,
      updated: 0,
    })
  })

  test(`${name}: a listing removes rows that it did not contain, unless they are new or changed since, in doubt, or another tenant's`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { templates } = world.stores
    const account = await accountOf(world, await newTenant(world))
    const neighbour = await accountOf(world, await newTenant(world), account.accountId)
    const seen = await created(world, account.owner, { name: 'listed_0' })
    const gone = await created(world, account.owner)
    const inDoubt = await created(world, account.owner, { ask: { kind: 'CREATE' }, askedUntil: new Date(0) })
    const answered = await created(world, account.owner, { ask: { kind: 'CREATE' }, askedUntil: new Date(0) })
    const theirs = await created(world, neighbour.owner)
    world.clock.advance(1)
    await templates.change(answered.id, () => ({ kind: 'CHANGE', patch: { ask: null, askedUntil: null } }))
    const young = await created(world, account.owner)
    await templates.merge(account.owner, newId('list'), [listedAs(0, { name: gone.name })], () => ({ kind: 'KEEP' }))
    const listing = newId('list')
    await templates.merge(account.owner, listing, [listedAs(0), listedAs(9)], (_, row) =>
      row ? { kind: 'KEEP' } : importing(world, account)(listedAs(9), null),
    )
    t.is(await templates.removeUnseen(account.owner, listing, new Date(Date.UTC(2026, 0, 1, 0, 0, 0, 1))), 1)
    const left = (await templates.list(account.number, EVERYTHING)).items.map(({ id, name: called }) =>
      called === 'listed_9' ? called : id,
    )
    t.deepEqual(left.toSorted(), [seen.id, inDoubt.id, answered.id, young.id, 'listed_9'].toSorted())
    t.is((await templates.list(neighbour.number, EVERYTHING)).items[0]?.id, theirs.id)
    t.is(await templates.removeUnseen(account.owner, newId('list'), new Date(world.clock.now() + 1)), 4)
  })

  test(`${name}: of two listings of an account at once neither removes what the other has seen`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { templates } = world.stores
    const account = await accountOf(world, await newTenant(world))
    const listed = await created(world, account.owner, { name: 'listed_0' })
    world.clock.advance(1)
    const began = new Date(world.clock.now())
    const [one, other] = [newId('list'), newId('list')]
    for (const listing of [one, other, one])
      await templates.merge(account.owner, listing, [listedAs(0)], () => ({ kind: 'KEEP' }))
    t.is(await templates.removeUnseen(account.owner, one, began), 0)
    t.is(await templates.removeUnseen(account.owner, other, began), 0)
    t.deepEqual(
      (await templates.list(account.number, EVERYTHING)).items.map(({ id }) => id),
      [listed.id],
    )
  })

  // [templates.import.1]
  test.serial(
    `${name}: an account is due at once, then by its hour, by ten minutes while a template is PENDING, each time for one taker`,
    async (t) => {
      const world = makeWorld(Date.UTC(2008, 0, 1))
      const { templates } = world.stores
      const tenantId = await newTenant(world)
      const [calm, waiting] = [await accountOf(world, tenantId), await accountOf(world, tenantId)]
      await created(world, waiting.owner)
      await created(world, calm.owner, { officialStatus: 'APPROVED' })
      const take = async () =>
        (await templates.takeDueListings(10_000, HOUR_MS, 10 * MINUTE_MS, MINUTE_MS))
          .filter((due) => due.tenantId === tenantId)
          .map((due) => due.accountId)
          .toSorted()
      const both = [calm.accountId, waiting.accountId].toSorted()
      t.deepEqual((await Promise.all([take(), take(), take()])).flat().toSorted(), both)
      t.deepEqual(await take(), [])
      world.clock.advance(MINUTE_MS)
      t.deepEqual(await take(), both, 'nobody said that they were listed')
      for (const { accountId } of [calm, waiting]) await templates.listed(tenantId, accountId)
      world.clock.advance(10 * MINUTE_MS)
      t.deepEqual(await take(), [waiting.accountId])
      await templates.listed(tenantId, waiting.accountId)
      world.clock.advance(50 * MINUTE_MS)
      t.deepEqual(await take(), both)
      for (const { accountId } of [calm, waiting]) await templates.listed(tenantId, accountId)
      await templates.listed(tenantId, randomId())
      t.deepEqual(await take(), [])
    },
  )
}

/**
 * What every TemplateStore does with files, together with a FileStore. Purges act on the whole database by the clock of
 * one test, so these tests run one after another.
 */
export function templateFileSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [templates.files.2]
  test.serial(
    `${name}: a file lives as long as the template that names it, beyond the number that brought it, and 38 days more`,
    async (t) => {
      const world = makeWorld(Date.UTC(2009, 0, 1))
      const { files, templates, numbers } = world.stores
      const tenantId = await newTenant(world)
      const account = await accountOf(world, tenantId)
      const second = await accountOf(world, tenantId, account.accountId)
      const stranger = await accountOf(world, await newTenant(world))
      const keep = () => keptFile(world, tenantId, second.number.id)
      const [header, edited, stray, foreign] = [
        await keep(),
        await keep(),
        await keep(),
        await keptFile(world, stranger.tenantId, stranger.number.id),
      ]
      const template = await created(world, account.owner, { files: { header, cards: [foreign, null] } })
      const wording = {
        body: bodyOf('x'),
        examples: {},
        unsupported: [],
        parameters: null,
        submitted: null,
        files: { header: edited, cards: [] },
      }
      await templates.change(template.id, () => ({
        kind: 'CHANGE',
        patch: { ask: { kind: 'EDIT', category: 'UTILITY', wording } },
      }))
      await numbers.remove(tenantId, second.number.id)
      t.deepEqual(await files.remove([header]), [], 'a message that was made of it does not take it along')
      /** Which of the files still exist after expired ones were deleted. */
      const kept = async () => {
        await files.takeExpired(10_000)
        return (await Promise.all([header, edited, stray, foreign].map((id) => files.find(id)))).map(
          (file) => file !== null,
        )
      }
      world.clock.advance(400 * DAY_MS)
      t.deepEqual(await kept(), [true, true, false, false])
      t.like(await files.find(header), { tenantId, numberId: null })
      await templates.change(template.id, (row) => ({
        kind: 'CHANGE',
        patch: { ...wording, ask: null, askTries: row.askTries },
      }))
      await kept()
      world.clock.advance(38 * DAY_MS - 1)
      t.deepEqual(await kept(), [true, true, false, false])
      world.clock.advance(1)
      t.deepEqual(await kept(), [false, true, false, false])
      t.deepEqual(await files.known([header, edited]), new Set([edited]))
      await numbers.remove(tenantId, account.number.id)
      t.deepEqual(await kept(), [false, true, false, false], 'messages may still be made of it')
      world.clock.advance(38 * DAY_MS)
      t.deepEqual(await kept(), [false, false, false, false])
    },
  )

  // [templates.import.1]
  test.serial(`${name}: the listing of an account is due at once when another number of it is connected`, async (t) => {
    const world = makeWorld(Date.UTC(2008, 0, 1))
    const { templates } = world.stores
    const { tenantId, accountId } = await accountOf(world, await newTenant(world))
    const take = async () =>
      (await templates.takeDueListings(10_000, HOUR_MS, HOUR_MS, MINUTE_MS)).filter((due) => due.tenantId === tenantId)
        .length
    await templates.listed(tenantId, accountId)
    t.is(await take(), 0)
    await accountOf(world, tenantId, accountId)
    t.is(await take(), 1)
  })

  test.serial(
    `${name}: files of an imported template are taken over with it, and let go of when it is removed by a listing`,
    async (t) => {
      const world = makeWorld(Date.UTC(2010, 0, 1))
      const { files, templates } = world.stores
      const account = await accountOf(world, await newTenant(world))
      const header = await keptFile(world, account.tenantId, account.number.id)
      await templates.merge(account.owner, null, pageOf(3), ({ externalId, name: called }) => ({
        kind: 'CREATE',
        template: newTemplate(world, account.owner, {
          externalId,
          name: called,
          ...(called === 'listed_1' ? { files: { header: null, cards: [null, header] } } : {}),
        }),
      }))
      world.clock.advance(2 * DAY_MS)
      await files.takeExpired(10_000)
      t.not(await files.find(header), null)
      await templates.merge(account.owner, null, pageOf(3), () => ({ kind: 'REMOVE' }))
      await files.takeExpired(10_000)
      world.clock.advance(38 * DAY_MS)
      t.is(await files.find(header), null)
    },
  )
}
