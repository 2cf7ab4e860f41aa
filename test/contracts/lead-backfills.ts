import type { TestFn } from 'ava'
import type { LeadBackfill, NewLeadBackfill, TakenBackfill } from '../../src/ports/stores/lead-backfill-store.ts'
import { DAY_MS, HOUR_MS, linked, madeNumber, MINUTE_MS, NOON, rowsOf, type Linked } from './lead-world.ts'
import type { MakeWorld, World } from './world.ts'

function newBackfill({ tenantId, number, page }: Linked, fields: Partial<NewLeadBackfill> = {}): NewLeadBackfill {
  return {
    tenantId,
    numberId: number.id,
    pageId: page.pageId,
    formId: '77',
    since: new Date(NOON - 90 * DAY_MS),
    until: new Date(NOON),
    ...fields,
  }
}

async function started(world: World, one: Linked, fields: Partial<NewLeadBackfill> = {}): Promise<LeadBackfill> {
  const result = await world.stores.leadBackfills.start(newBackfill(one, fields))
  if (result.kind !== 'started') throw new Error(`the import is ${result.kind}`)
  return result.backfill
}

/** Imports of leads. */
export function leadBackfillSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  const claimed = async (world: World, ...ids: readonly string[]): Promise<readonly TakenBackfill[]> =>
    (await world.stores.leadBackfills.take(1_000, MINUTE_MS)).filter(({ id }) => ids.includes(id))

  test.serial(`${name}: an import goes on page by page, one node at a time, and ends with the last`, async (t) => {
    const now = Date.UTC(2015, 0, 1)
    const world = makeWorld(now)
    const { leadBackfills } = world.stores
    const one = await linked(world)
    const backfill = await started(world, one)
    const fresh = {
      id: backfill.id,
      pageId: one.page.pageId,
      formId: '77',
      status: 'RUNNING',
      since: new Date(NOON - 90 * DAY_MS),
      until: new Date(NOON),
      read: 0,
      imported: 0,
      duplicates: 0,
      waitingUntil: null,
      errorCode: null,
      errorMessage: null,
      startedAt: new Date(now),
      finishedAt: null,
    } as const
    t.regex(backfill.id, /^lbf_[0-9a-z]{26}$/)
    t.deepEqual(backfill, fresh)
    const all = (await Promise.all([1, 2, 3].map(() => claimed(world, backfill.id)))).flat()
    t.deepEqual(all, [{ ...fresh, cursor: null, tries: 0, claim: new Date(now + MINUTE_MS) }])
    const [first] = all
    if (!first) return t.fail('nothing was taken')
    world.clock.advance(30_000)
    const second = await leadBackfills.advance(
      first,
      { read: 100, imported: 90, duplicates: 10, cursor: 'page 2' },
      MINUTE_MS,
    )
    if (!second) return t.fail('the claim was lost')
    t.like(second, {
      status: 'RUNNING',
      cursor: 'page 2',
      read: 100,
      imported: 90,
      duplicates: 10,
      claim: new Date(now + 90_000),
    })
    t.is(
      await leadBackfills.advance(first, { read: 100, imported: 90, duplicates: 10, cursor: 'page 2' }, MINUTE_MS),
      null,
    )
    await leadBackfills.postpone(first, new Date(now), false)
    await leadBackfills.fail(first, 'LEAD_PAGE_REJECTED', 'no')
    t.deepEqual(await claimed(world, backfill.id), [], 'a claim that was lost counts for nothing')
    await leadBackfills.postpone(second, new Date(now + HOUR_MS), true)
    t.like(await leadBackfills.newest(one.tenantId, one.page.pageId, '77'), {
      status: 'RUNNING',
      waitingUntil: new Date(now + HOUR_MS),
      read: 100,
    })
    world.clock.advance(HOUR_MS)
    const [third] = await claimed(world, backfill.id)
    if (!third) return t.fail('it did not go on')
    t.like(third, { cursor: 'page 2', tries: 1 })
    const done = await leadBackfills.advance(third, { read: 3, imported: 2, duplicates: 1, cursor: null }, MINUTE_MS)
    const at = new Date(now + 30_000 + HOUR_MS)
    t.like(done, { status: 'DONE', read: 103, imported: 92, duplicates: 11, waitingUntil: null, finishedAt: at })
    t.deepEqual(await leadBackfills.newest(one.tenantId, one.page.pageId, '77'), {
      ...fresh,
      status: 'DONE',
      read: 103,
      imported: 92,
      duplicates: 11,
      finishedAt: at,
    })
    world.clock.advance(DAY_MS)
    t.deepEqual(await claimed(world, backfill.id), [])
  })

  test.serial(
    `${name}: an import that is refused has failed, and waits for nothing; a pause of ours is not shown`,
    async (t) => {
      const now = Date.UTC(2016, 0, 1)
      const world = makeWorld(now)
      const { leadBackfills } = world.stores
      const one = await linked(world)
      const { id } = await started(world, one)
      const [first] = await claimed(world, id)
      if (!first) return t.fail('nothing was taken')
      await leadBackfills.postpone(first, new Date(now), false)
      t.like(await leadBackfills.newest(one.tenantId, one.page.pageId, '77'), { status: 'RUNNING', waitingUntil: null })
      const [again] = await claimed(world, id)
      if (!again) return t.fail('it did not go on')
      await leadBackfills.fail(again, 'LEAD_PAGE_REJECTED', 'The token is dead')
      t.like(await leadBackfills.newest(one.tenantId, one.page.pageId, '77'), {
        status: 'FAILED',
        errorCode: 'LEAD_PAGE_REJECTED',
        errorMessage: 'The token is dead',
        finishedAt: new Date(now),
      })
      world.clock.advance(DAY_MS)
      t.deepEqual(await claimed(world, id), [])
    },
  )

  // [leads.routes.10] [leads.routes.11]
  test(`${name}: of a form one import runs, and the newest is shown to the tenant that began it`, async (t) => {
    const world = makeWorld(NOON)
    const { leadBackfills } = world.stores
    const [one, stranger] = [await linked(world), await madeNumber(world)]
    const results = await Promise.all([1, 2, 3].map(() => leadBackfills.start(newBackfill(one))))
    const [first] = results.flatMap((result) => (result.kind === 'started' ? [result.backfill] : []))
    t.deepEqual(
      results.flatMap((result) => (result.kind === 'running' ? [result.id] : [])),
      [first?.id, first?.id] as never,
    )
    await started(world, one, { formId: '78' })
    t.deepEqual(await leadBackfills.formsWith(one.tenantId, one.page.pageId), new Set(['77', '78']))
    t.deepEqual(
      [
        await leadBackfills.newest(stranger.tenantId, one.page.pageId, '77'),
        (await leadBackfills.formsWith(stranger.tenantId, one.page.pageId)).size,
      ],
      [null, 0],
    )
    t.is(await leadBackfills.newest(one.tenantId, one.page.pageId, '79'), null)
    const gone = [{ pageId: '404' }, { tenantId: stranger.tenantId }, { numberId: stranger.number.id }]
    for (const fields of gone)
      t.deepEqual(await leadBackfills.start(newBackfill(one, { formId: '80', ...fields })), { kind: 'gone' })
  })

  test(`${name}: a Page that is removed ends what runs of it, and another import may begin once it is linked again`, async (t) => {
    const world = makeWorld(NOON)
    const { leadBackfills, leadPages } = world.stores
    const one = await linked(world)
    const first = await started(world, one)
    await leadPages.remove({ tenantId: one.tenantId, numberId: null }, one.page.pageId)
    t.deepEqual(await leadBackfills.newest(one.tenantId, one.page.pageId, '77'), {
      ...first,
      status: 'FAILED',
      errorCode: 'LEAD_PAGE_REMOVED',
      errorMessage: 'The Page is no longer linked',
      finishedAt: new Date(NOON),
    })
    t.deepEqual(await leadBackfills.start(newBackfill(one)), { kind: 'gone' })
    const again = await linked(world, { pageId: one.page.pageId }, one)
    world.clock.advance(1)
    const second = await started(world, again)
    t.deepEqual(await leadBackfills.newest(one.tenantId, one.page.pageId, '77'), second)
  })

  test(`${name}: an import goes with its number, and moves with its Page`, async (t) => {
    const world = makeWorld(NOON)
    const { leadBackfills, leadPages, numbers } = world.stores
    const one = await linked(world)
    const second = await madeNumber(world, {}, one.tenantId)
    const { id } = await started(world, one)
    await leadPages.patch({ tenantId: one.tenantId, numberId: null }, one.page.pageId, {
      channelNumberId: second.number.id,
    })
    await numbers.remove(one.tenantId, one.number.id)
    t.like(await leadBackfills.newest(one.tenantId, one.page.pageId, '77'), { id, status: 'RUNNING' })
    await numbers.remove(one.tenantId, second.number.id)
    t.deepEqual(await rowsOf(world, 'lead_backfills', 'id', id), [])
  })
}
