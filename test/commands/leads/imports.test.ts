import test from 'ava'
import { createLeads } from '../../../src/commands/leads/leads.ts'
import { HOUR_MS, newNotice, NOON, upstreamDigits } from '../../contracts/lead-world.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import type { MakeWorld } from '../../contracts/world.ts'
import { worldsOver } from '../../contracts/sql-worlds.ts'
import { killedAt, no, read, throttled, upstreamLead } from './lead-rig.ts'
import { noticed, showsLeads, forget } from './noticed-leads.ts'

const makeWorld = worldsOver(sharedDatabase(test, openTestPglite))

/** An import of a Page's form, with functions that run its steps. */
async function importing(makeWorld: MakeWorld) {
  const of = await noticed(makeWorld, 0)
  const {
    work,
    linked: {
      page: { pageId },
      number,
      tenantId,
    },
  } = of
  const { leadBackfills } = work.world.stores
  const started = await leadBackfills.start({
    tenantId,
    numberId: number.id,
    pageId,
    formId: '77',
    since: new Date(NOON - 90 * 24 * HOUR_MS),
    until: new Date(NOON),
  })
  if (started.kind !== 'started') throw new Error(started.kind)
  return {
    ...of,
    run: () => work.leads.runBackfills(() => true),
    shownNow: async () => await leadBackfills.newest(tenantId, pageId, '77'),
  }
}

const old = (leadgenId: string) => upstreamLead(leadgenId, { createdAt: new Date(NOON - 48 * HOUR_MS) })

// [leads.backfill.1] [leads.backfill.2] [leads.backfill.3]
test.serial(
  'an import stores what is not known, counts what is, keeps dates, and leaves young leads to the webhook',
  async (t) => {
    const of = await importing(makeWorld)
    const { work, linked, run, shown, shownNow } = of
    const [fresh, other, pending, young] = [upstreamDigits(), upstreamDigits(), upstreamDigits(), upstreamDigits()]
    const { leadNotices, leads } = work.world.stores
    await leadNotices.accept(linked.page.appId, linked.page.appSecret, [newNotice(linked.page, { leadgenId: pending })])
    const pages = [
      [old(fresh), old(pending)],
      [],
      [upstreamLead(young, { createdAt: new Date(NOON - 15 * 60_000 + 1) }), old(other), old(fresh)],
    ]
    work.pages.script = {
      ...showsLeads,
      leadsOf: async (_form, _range, after) => {
        const at = Number(after ?? 0)
        return read({ leads: pages[at] ?? [], next: at + 1 < pages.length ? String(at + 1) : null })
      },
    }
    await run()
    t.like(await shownNow(), {
      status: 'DONE',
      read: 5,
      imported: 2,
      duplicates: 2,
      waitingUntil: null,
      errorCode: null,
      finishedAt: new Date(NOON),
    })
    t.deepEqual((await shown()).map(({ leadgenId }) => leadgenId).toSorted(), [fresh, other].toSorted())
    t.like((await shown())[0], {
      source: 'backfill',
      createdAt: new Date(NOON - 48 * HOUR_MS),
      autoSendStatus: 'none',
      formName: 'Newsletter',
    })
    t.is((await leads.known(linked.page.pageId, [pending])).get(pending), null)
    await forget(of)
  },
)

// [leads.backfill.1]
test.serial(
  'an import whose process ended within a page counts each lead once, and goes on where it was',
  async (t) => {
    const { work, linked, run, shown, shownNow } = await importing(makeWorld)
    const ids = Array.from({ length: 6 }, upstreamDigits)
    let calls = 0
    work.pages.script = {
      ...showsLeads,
      leadsOf: async (_form, _range, after) => {
        calls++
        return read(
          after === null
            ? { leads: ids.slice(0, 3).map(old), next: 'two' }
            : { leads: ids.slice(3).map(old), next: null },
        )
      },
    }
    work.world.clock.advance(1)
    const leadBackfills = killedAt(work.ports.leadBackfills, 'advance')
    await createLeads({ ...work.ports, leadBackfills }).runBackfills(() => true)
    t.like(await shownNow(), { status: 'RUNNING', read: 0, imported: 0 })
    t.is((await shown()).length, 3)
    work.world.clock.advance(60_000)
    await run()
    t.like(await shownNow(), { status: 'DONE', read: 6, imported: 6, duplicates: 0 })
    t.is((await shown()).length, 6)
    t.is(calls, 3)
    // A second import of the same leads adds nothing.
    const again = await work.world.stores.leadBackfills.start({
      tenantId: linked.tenantId,
      numberId: linked.number.id,
      pageId: linked.page.pageId,
      formId: '77',
      since: new Date(0),
      until: new Date(NOON),
    })
    t.is(again.kind, 'started')
    work.world.clock.advance(1)
    await run()
    t.like(await shownNow(), { status: 'DONE', read: 6, imported: 0, duplicates: 6 })
  },
)

test.serial(
  'an import that is throttled says until when it waits, and one that fails goes on by the schedule',
  async (t) => {
    const { work, run, shownNow } = await importing(makeWorld)
    work.pages.script = { leadsOf: async () => throttled(90_000) }
    await run()
    t.like(await shownNow(), { status: 'RUNNING', waitingUntil: new Date(NOON + 90_000) })
    work.world.clock.advance(90_000)
    work.pages.script = { leadsOf: async () => no('failed') }
    await run()
    t.like(await shownNow(), { status: 'RUNNING', waitingUntil: null })
    work.pages.script = { ...showsLeads, leadsOf: async () => read({ leads: [], next: null }) }
    work.world.clock.advance(29_999)
    await run()
    t.like(await shownNow(), { status: 'RUNNING' })
    work.world.clock.advance(1)
    await run()
    t.like(await shownNow(), { status: 'DONE', read: 0 })
  },
)

// [leads.backfill.4] [leads.pages.3]
test.serial('an import ends with a refused token, and with its Page', async (t) => {
  const refused = await importing(makeWorld)
  refused.work.pages.script = { leadsOf: async () => no('token-dead', 190) }
  await refused.run()
  t.like(await refused.shownNow(), { status: 'FAILED', errorCode: 'LEAD_PAGE_REJECTED', errorMessage: 'No.' })
  t.is((await refused.page())?.isTokenValid, false)
  const removed = await importing(makeWorld)
  removed.work.pages.script = {
    ...showsLeads,
    leadsOf: async () => {
      await removed.work.world.stores.leadPages.remove(removed.scope, removed.linked.page.pageId)
      return read({ leads: [old(upstreamDigits())], next: null })
    },
  }
  await removed.run()
  t.like(await removed.shownNow(), { status: 'FAILED', errorCode: 'LEAD_PAGE_REMOVED' })
  t.deepEqual(await removed.shown(), [])
})
