import * as fc from 'fast-check'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { newId } from '../../../src/domain/ids.ts'
import { readLeadNotices } from '../../../src/providers/official/inbound/lead-notices.ts'
import { pageOps } from '../../../src/providers/official/ops/pages.ts'
import { FIRST_PAGE, HOUR_MS, linked, NOON, upstreamDigits } from '../../contracts/lead-world.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { textOf, twisted } from '../../helpers/twisted.ts'
import { rig } from '../../providers/official/scripted-graph.ts'
import { worldsOver } from '../../contracts/sql-worlds.ts'
import { LeadWork } from './lead-rig.ts'

const worlds = worldsOver(sharedDatabase(test, openTestPglite))
const digits = fc.constant(null).map(upstreamDigits)
const RUNS = { numRuns: 4, endOnFailure: true }

const LEAD = {
  created_time: '2026-01-10T11:59:00+0000',
  form_id: '77',
  ad_id: '120213456789012345678',
  ad_name: 'Ad',
  adset_name: 'Set',
  campaign_name: 'Campaign',
  is_organic: false,
  platform: 'fb',
  field_data: [
    { name: 'full_name', values: ['Ana'] },
    { name: 'phone_number', values: ['+55 11 99999-0000'] },
    { name: 'email', values: ['ana@example.com'] },
    { name: 'size', values: ['M', 'L'] },
  ],
  custom_disclaimer_responses: [{ checkbox_key: 'agree', is_checked: '1' }],
}
const FORM = {
  id: '77',
  name: 'Newsletter',
  status: 'ACTIVE',
  page_id: '5',
  questions: [
    { key: 'full_name', label: 'Who?', type: 'FULL_NAME' },
    { key: 'phone_number', label: 'Phone?', type: 'PHONE' },
  ],
  legal_content: { custom_disclaimer: { checkboxes: [{ key: 'agree', text: 'Yes', is_required: true }] } },
}
const lead = digits.chain((id) =>
  fc.record({
    id: fc.constant(id),
    shown: twisted({ id, ...LEAD }, ['id']),
    notice: twisted(
      { leadgen_id: id, page_id: 'PAGE', form_id: '77', ad_id: '5', adgroup_id: '5', created_time: 1_768_046_340 },
      [],
    ),
  }),
)

/** A Page over the real rows and the real client of the upstream. A template answers the leads of its form. */
async function leadRig(t: ExecutionContext) {
  const { server, graph } = await rig(t)
  const work = new LeadWork(worlds(NOON))
  const { tenantId, number, page } = await linked(work.world)
  const { pageId, appId, appSecret } = page
  work.pages.script = pageOps(graph, page)
  work.pages.only = pageId
  const autoSend = {
    templateId: newId('tpl'),
    variables: { 1: { field: 'full_name', fallback: 'you' }, 2: { field: 'size', fallback: '-' } },
    onlyWithConsent: false,
    skipRecentConversationDays: 3,
  }
  await work.world.stores.leadPages.setForm({ tenantId, numberId: null }, pageId, '77', {
    consentKey: 'agree',
    autoSend,
  })
  const { leads, leadNotices } = work.world.stores
  return {
    server,
    work,
    pageId,
    tenantId,
    number,
    async tell(notices: readonly unknown[]) {
      const changes = notices.map((value) => ({ field: 'leadgen', value }))
      const read = readLeadNotices(
        Buffer.from(
          textOf({ object: 'page', entry: [{ id: pageId, time: 1_768_046_340, changes }] }).replaceAll(
            '"PAGE"',
            `"${pageId}"`,
          ),
        ),
      )
      if (!read.ok) throw new Error(read.reason)
      await leadNotices.accept(appId, appSecret, read.notices)
    },
    /** Works off everything that is due. */
    async fetched() {
      const outcomes: string[] = []
      for (let more = await work.fetch(); more.length > 0; more = await work.fetch()) outcomes.push(...more)
      return outcomes
    },
    isStored: async (id: string) => (await leads.known(pageId, [id])).get(id) !== undefined,
  }
}

test.serial('leads and forms with any content are stored, unless the upstream has to correct them', async (t) => {
  const { server, work, pageId, number, tell, fetched, isStored } = await leadRig(t)
  await fc.assert(
    fc.asyncProperty(fc.array(lead, { minLength: 20, maxLength: 30 }), twisted(FORM, ['id']), async (told, form) => {
      work.world.clock.advance(2 * HOUR_MS)
      server.on('GET /77', { text: textOf(form) })
      for (const { id, shown } of told) server.on(`GET /${id}`, { text: textOf(shown) })
      const plain = upstreamDigits()
      server.on(`GET /${plain}`, { json: { id: plain, ...LEAD } })
      await tell([...told.map(({ notice }) => notice), { leadgen_id: plain, page_id: pageId, form_id: '77' }])
      const outcomes = await fetched()
      t.deepEqual(
        outcomes.filter((one) => one === 'error'),
        [],
      )
      t.true(await isStored(plain))
      t.true((await work.world.stores.leads.list(number.id, FIRST_PAGE)).items.length > 0)
    }),
    RUNS,
  )
})

test.serial('a listing of leads or forms is swept and imported, whatever else it contains', async (t) => {
  const { server, work, pageId, tenantId, number, fetched, isStored } = await leadRig(t)
  await fc.assert(
    fc.asyncProperty(
      fc.array(lead, { minLength: 20, maxLength: 30 }),
      fc.array(twisted(FORM, []), { maxLength: 9 }),
      fc.array(twisted(LEAD, []), { maxLength: 9 }),
      async (shown, forms, others) => {
        work.world.clock.advance(2 * HOUR_MS)
        const plain = upstreamDigits()
        server.on('GET /77', { json: FORM })
        server.on(`GET /${pageId}/leadgen_forms`, { text: textOf({ data: [...forms, 'x', FORM] }) })
        for (const one of shown) server.on(`GET /${one.id}`, { text: textOf(one.shown) })
        server.on(`GET /${plain}`, { json: { id: plain, ...LEAD } })
        server.on('GET /77/leads', {
          text: textOf({ data: [...others, null, ...shown.slice(9).map((one) => one.shown), { id: plain, ...LEAD }] }),
        })
        await work.leads.sweep(() => true)
        t.deepEqual(
          (await fetched()).filter((one) => one === 'error'),
          [],
        )
        t.true(await isStored(plain))
        const late = upstreamDigits()
        server.on('GET /77/leads', {
          text: textOf({ data: [...shown.map((one) => one.shown), { id: late, ...LEAD }] }),
        })
        const started = await work.world.stores.leadBackfills.start({
          tenantId,
          numberId: number.id,
          pageId,
          formId: '77',
          since: new Date(NOON - HOUR_MS),
          until: new Date(NOON),
        })
        t.is(started.kind, 'started')
        await work.leads.runBackfills(() => true)
        t.like(await work.world.stores.leadBackfills.newest(tenantId, pageId, '77'), {
          status: 'DONE',
          errorCode: null,
        })
        t.true(await isStored(late))
      },
    ),
    RUNS,
  )
})
