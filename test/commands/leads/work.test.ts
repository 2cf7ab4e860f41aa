import test from 'ava'
import { HOUR_MS, newNotice, NOON, upstreamDigits } from '../../contracts/lead-world.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { until } from '../../helpers/until.ts'
import { worldsOver } from '../../contracts/sql-worlds.ts'
import { LeadWork, no, read, throttled, upstreamForm, upstreamLead } from './lead-rig.ts'
import { noticed, showsLeads, forget } from './noticed-leads.ts'

const makeWorld = worldsOver(sharedDatabase(test, openTestPglite))

// [leads.object.6] [leads.object.10]
test.serial(
  'a noticed lead is read, named by its form, stored, and its notice goes; the form is read once an hour',
  async (t) => {
    const { work, linked, ids, shown, page, asked } = await noticed(makeWorld, 3)
    const formReads = () => asked().filter((one) => one === 'form 77').length
    work.pages.script = showsLeads
    t.deepEqual(await work.fetch(), ['stored', 'stored', 'stored'])
    t.deepEqual((await shown()).map(({ leadgenId }) => leadgenId).toSorted(), ids.toSorted())
    t.like((await shown())[0], {
      fullName: 'Ana',
      formName: 'Newsletter',
      source: 'webhook',
      createdAt: new Date(NOON - 60_000),
      receivedAt: new Date(NOON),
    })
    t.deepEqual((await shown())[0]?.fields, [{ key: 'full_name', label: 'Who?', values: ['Ana'] }])
    t.is((await page())?.pendingLeads, 0)
    const more = async () => {
      await work.world.stores.leadNotices.accept(linked.page.appId, linked.page.appSecret, [newNotice(linked.page)])
      return await work.fetch()
    }
    work.world.clock.advance(HOUR_MS - 1)
    t.deepEqual([await more(), formReads()], [['stored'], 1])
    work.world.clock.advance(1)
    t.deepEqual([await more(), formReads()], [['stored'], 2])
  },
)

// [leads.stored.4] [leads.object.3]
test.serial('a form that cannot be read, or not soon, delays nothing: labels are keys', async (t) => {
  for (const form of [async () => no('refused', 100), async () => read(null), () => new Promise<never>(() => {})]) {
    const { work, shown, asked } = await noticed(makeWorld, 1)
    work.pages.script = { ...showsLeads, form }
    const fetched = work.fetch()
    await until('the lead was read', async () => asked().some((one) => one.startsWith('lead ')))
    await until('it is stored', async () => {
      work.world.clock.advance(100)
      return (await shown()).length === 1
    })
    t.deepEqual(await fetched, ['stored'])
    t.like((await shown())[0], {
      formName: null,
      fullName: 'Ana',
      fields: [{ key: 'full_name', label: 'full_name', values: ['Ana'] }],
    })
  }
})

test.serial(
  'a lead that cannot be stored for a reason of its own is set aside after three tries, others are stored, and a retry brings it',
  async (t) => {
    const {
      work,
      ids: [bad, good],
      linked,
      shown,
    } = await noticed(makeWorld, 2)
    const {
      world: { stores, clock },
    } = work
    let isPoisoned = true
    work.pages.script = {
      ...showsLeads,
      lead: async (leadgenId) => {
        if (isPoisoned && leadgenId === bad) throw new RangeError('poison')
        return read(upstreamLead(leadgenId))
      },
    }
    t.deepEqual((await work.fetch()).toSorted(), ['error', 'stored'])
    for (const seconds of [5, 30]) {
      clock.advance(seconds * 1_000)
      t.deepEqual(await work.fetch(), ['error'])
    }
    t.deepEqual(
      (await shown()).map(({ leadgenId }) => leadgenId),
      [good],
    )
    const [item] = (await stores.setAside.list(10)).filter(({ numberId }) => numberId === linked.number.id)
    t.like(item, { line: 'lead-notices', item: `${linked.page.pageId}/${bad}`, reason: 'RangeError', tries: 3 })
    isPoisoned = false
    t.is(await stores.setAside.retry(item?.id ?? ''), 'retried')
    t.deepEqual(await work.fetch(), ['stored'])
  },
)

// [leads.fetching.3] [leads.fetching.6] [leads.fetching.7]
test.serial(
  'a lead that the upstream does not show is asked for by the schedule, and given up after seven days',
  async (t) => {
    const { work, shown, page } = await noticed(makeWorld, 1)
    let tries = 0
    const waits = [5, 30, 120, 600, 3_600, 21_600, 43_200, 43_200]
    for (const [at, seconds] of waits.entries()) {
      work.pages.script = { lead: async () => (tries++, at % 2 === 0 ? no('failed') : no('refused', 100)) }
      t.deepEqual(await work.fetch(), [at % 2 === 0 ? 'failed' : 'refused'])
      work.world.clock.advance(seconds * 1_000 - 1)
      t.deepEqual(await work.fetch(), [], `not before ${seconds} s`)
      work.world.clock.advance(1)
    }
    t.is(tries, waits.length)
    t.is((await page())?.pendingLeads, 1)
    work.world.clock.advance(6 * 24 * HOUR_MS)
    t.deepEqual(await work.fetch(), ['gave up', 'refused'])
    t.is((await page())?.pendingLeads, 0)
    t.deepEqual(await shown(), [])
  },
)

// [leads.fetching.4]
test.serial('a throttled Page is not asked before upstream said, for none of its leads; another Page is', async (t) => {
  const one = await noticed(makeWorld, 6)
  const { work } = one
  work.pages.script = { lead: async () => throttled(60_000) }
  t.deepEqual(await work.fetch(), ['throttled', 'throttled', 'throttled', 'throttled'])
  const other = await noticed(makeWorld, 1, one)
  work.pages.script = showsLeads
  work.world.clock.advance(59_999)
  t.deepEqual(await work.fetch(), ['stored'])
  t.is((await other.shown()).length, 1)
  work.world.clock.advance(1)
  t.deepEqual([...(await work.fetch()), ...(await work.fetch())], Array(6).fill('stored'))
})

// [leads.fetching.5]
test.serial(
  'leads of a dead token wait for a new one without being tried, and are fetched with it at once',
  async (t) => {
    const { work, linked, shown, page, scope, asked } = await noticed(makeWorld, 2)
    work.pages.script = { lead: async () => no('token-dead', 190) }
    t.deepEqual(await work.fetch(), ['token-dead', 'token-dead'])
    t.like(await page(), { isTokenValid: false, pendingLeads: 2 })
    work.world.clock.advance(8 * 24 * HOUR_MS)
    const before = asked().length
    t.deepEqual(await work.fetch(), [])
    t.is(asked().length, before)
    await work.world.stores.leadPages.patch(scope, linked.page.pageId, { accessToken: 'EAAGnewtoken' })
    work.pages.script = showsLeads
    t.deepEqual(await work.fetch(), ['stored', 'stored'])
    t.is(work.pages.tokens.at(-1), 'EAAGnewtoken')
    t.is((await shown()).length, 2)
  },
)

test.serial('a token that was replaced while upstream said no to the old one stays good', async (t) => {
  const { work, linked, page, scope } = await noticed(makeWorld, 1)
  work.pages.script = {
    lead: async () => {
      await work.world.stores.leadPages.patch(scope, linked.page.pageId, { accessToken: 'EAAGnewtoken' })
      return no('token-dead', 190)
    },
  }
  t.deepEqual(await work.fetch(), ['token-dead'])
  t.is((await page())?.isTokenValid, true)
  work.pages.script = showsLeads
  t.deepEqual(await work.fetch(), ['stored'])
})

test.serial('a Page that is slow keeps no other waiting, and is asked for a few leads at once', async (t) => {
  const slow = await noticed(makeWorld, 12)
  const { work } = slow
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  work.pages.script = {
    ...showsLeads,
    lead: async (leadgenId) => {
      if (slow.ids.includes(leadgenId)) await held
      return read(upstreamLead(leadgenId))
    },
  }
  for (let turn = 0; turn < 5; turn++) await work.leads.fetch(() => true)
  await until('the slow Page is asked', async () => slow.asked().filter((one) => one.startsWith('lead ')).length === 8)
  const other = await noticed(makeWorld, 1, slow)
  await work.leads.fetch(() => true)
  await until('the other Page has its lead', async () => (await other.shown()).length === 1)
  t.is(slow.asked().filter((one) => one.startsWith('lead ')).length, 8)
  release()
  await work.leads.fetched()
  await work.fetch()
  t.is((await slow.shown()).length, 12)
})

// [leads.privacy.5]
test.serial("a lead whose number's mode cannot be read waits, and is not given up for that", async (t) => {
  const { work, linked, shown, page } = await noticed(makeWorld, 1)
  work.pages.script = showsLeads
  const mode = (piiMode: string) =>
    work.world.stores.numbers.patch(linked.tenantId, linked.number.id, { piiMode, piiRetentionDays: null } as never)
  await mode('SOMETHING')
  t.deepEqual(await work.fetch(), ['waits'])
  work.world.clock.advance(8 * 24 * HOUR_MS)
  t.deepEqual(await work.fetch(), ['waits'])
  t.deepEqual([await shown(), (await page())?.pendingLeads], [[], 1])
  await mode('STORE_INDEFINITE')
  work.world.clock.advance(10_000)
  t.deepEqual(await work.fetch(), ['stored'])
  t.is((await shown()).length, 1)
})

test.serial(
  'leads that were being fetched when a process was killed are fetched at once after the next start',
  async (t) => {
    const { work, ids, shown } = await noticed(makeWorld, 1)
    await work.world.stores.leadNotices.take(32, 4, { by: 'gone', leaseMs: 60_000 })
    const started = new LeadWork(work.world)
    started.pages.script = showsLeads
    t.deepEqual(await started.fetch(), ['stored'])
    t.deepEqual(
      (await shown()).map(({ leadgenId }) => leadgenId),
      ids,
    )
  },
)

test.serial('leads that a process left behind are fetched again and stored once', async (t) => {
  const { work, ids, shown } = await noticed(makeWorld, 1)
  // A second node. Its row says that it is alive.
  const other = work.world.leases()
  await other.renew()
  await work.world.stores.leadNotices.take(32, 4, { by: other.nodeId, leaseMs: 60_000 })
  work.pages.script = showsLeads
  t.deepEqual(await work.fetch(), [])
  work.world.clock.advance(60_000)
  t.deepEqual(await work.fetch(), ['stored'])
  t.deepEqual(
    (await shown()).map(({ leadgenId }) => leadgenId),
    ids,
  )
})

test.serial('a lead that the upstream shows without a time is a failed fetch', async (t) => {
  const of = await noticed(makeWorld, 1)
  of.work.pages.script = {
    ...showsLeads,
    lead: async (leadgenId) => read(upstreamLead(leadgenId, { createdAt: null })),
  }
  t.deepEqual(await of.work.fetch(), ['failed'])
  t.deepEqual(await of.shown(), [])
  await forget(of)
})

// [leads.sweep.1] [leads.sweep.2]
test.serial(
  'a sweep makes notices of leads of 48 hours that nobody told of, an hour after linking and every hour from then on',
  async (t) => {
    const of = await noticed(makeWorld, 1)
    const { work, ids, shown, page, asked } = of
    work.pages.script = showsLeads
    await work.fetch()
    const [lost, far] = [upstreamDigits(), upstreamDigits()]
    work.pages.only = of.linked.page.pageId
    const ranges: number[] = []
    work.pages.script = {
      ...showsLeads,
      forms: async (after) =>
        read(
          after === null
            ? { forms: [upstreamForm({ formId: '78' })], next: 'two' }
            : { forms: [upstreamForm()], next: null },
        ),
      leadsOf: async (formId, { since, until: end }, after) => {
        ranges.push((end.getTime() - since.getTime()) / HOUR_MS)
        if (formId === '78') return no('refused', 100)
        return read(
          after === null
            ? { leads: [upstreamLead(ids[0] ?? ''), upstreamLead(lost)], next: 'more' }
            : { leads: [upstreamLead(far)], next: null },
        )
      },
    }
    /** Sweeps all Pages, those of other tests too. The upstream refuses those. */
    const sweep = async () => {
      while (await work.leads.sweep(() => true));
    }
    const swept = async () => {
      await sweep()
      return asked().filter((one) => one === 'leadsOf 77').length
    }
    t.is(await swept(), 0, 'not before an hour')
    work.world.clock.advance(HOUR_MS)
    const before = work.fetchesWanted
    t.is(await swept(), 2)
    t.true(ranges.every((hours) => hours === 48))
    t.is(work.fetchesWanted - before, 2)
    t.is((await page())?.pendingLeads, 2)
    t.deepEqual(await work.fetch(), ['stored', 'stored'])
    t.deepEqual(
      (await shown()).map(({ leadgenId, source }) => [leadgenId, source]).toSorted(),
      [ids[0] ?? '', lost, far].toSorted().map((id) => [id, 'webhook']),
    )
    t.is(await swept(), 2, 'not again at once')
    work.world.clock.advance(HOUR_MS)
    t.is(await swept(), 4)
    t.is((await page())?.pendingLeads, 0, 'known ones are not noticed again')
    work.pages.script = { forms: async () => no('token-dead', 190) }
    work.world.clock.advance(HOUR_MS)
    await sweep()
    t.is((await page())?.isTokenValid, false)
    await forget(of)
  },
)
