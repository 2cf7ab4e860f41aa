import test from 'ava'
import {
  leadsOf,
  linkPage,
  startBackfill,
  submitLead,
  tellAgain,
  untilBackfilled,
  untilLead,
  type LinkedPage,
} from '../helpers/lead-service.ts'
import { newPeer } from '../helpers/message-service.ts'
import { connectOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import { logsOf } from '../helpers/receiver-ledger.ts'
import { Receiver } from '../helpers/receiver.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { taken } from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'

const DAY_MS = 86_400_000
const PERSON = { full_name: 'Cinnabar Quill', email: 'quill@cinnabar.example', model: 'a brass sextant' }
let service: Service
let number: OfficialNumber
let page: LinkedPage
let receiver: Receiver

test.before(async () => {
  service = await joinService()
  number = await connectOfficial(service)
  page = await linkPage(service, number)
  receiver = await Receiver.open()
})

test.after.always(async () => {
  await receiver?.close()
})

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

test('an erased lead is gone everywhere, and neither a notice nor three imports bring it back', async (t) => {
  const hook = taken(
    await service.api('POST', '/v1/webhooks', number.key, {
      url: receiver.endpoint('/erased'),
      events: ['lead.received'],
    }),
    201,
  )
  const peer = newPeer()
  const live = await untilLead(
    service,
    number,
    await submitLead(service, page, { answers: PERSON, createdAt: ago(20 * 60_000) }, peer),
  )
  const kept = await untilLead(service, number, await submitLead(service, page, { answers: PERSON }))
  const silent = await submitLead(service, page, { answers: PERSON, isSilent: true, createdAt: ago(3 * DAY_MS) })
  await startBackfill(service, page)
  t.like(await untilBackfilled(service, page), { status: 'DONE', imported: 1, duplicates: 1 })
  const imported = await untilLead(service, number, silent)
  await receiver.until('/erased', 2)
  await until('both deliveries are logged', async () => (await logsOf(service, number.key, hook.id)).length === 2)
  t.is((await leadsOf(service, number)).length, 3)

  for (const { id } of [live, imported]) {
    t.deepEqual(taken(await service.api('DELETE', `/v1/leads/${id}`, number.key), 200), { deleted: true, id })
    for (const method of ['GET', 'DELETE']) {
      const answer = await service.api(method, `/v1/leads/${id}`, number.key)
      t.deepEqual([answer.status, answer.body.code], [404, 'LEAD_NOT_FOUND'], method)
    }
  }
  for (let again = 1; again <= 3; again++) {
    await tellAgain(service, live.leadgenId)
    await startBackfill(service, page)
    t.like(await untilBackfilled(service, page), { status: 'DONE', imported: 0, duplicates: 2 }, `import ${again}`)
  }
  // A later lead is stored, so the notices before it were read too.
  const last = await untilLead(service, number, await submitLead(service, page))
  const list = taken(await service.api('GET', '/v1/leads', number.key), 200)
  t.deepEqual([list.leads.map(({ id }: any) => id), list.total], [[last.id, kept.id], 2])
  t.is(taken(await service.api('GET', `/v1/lead-pages/${page.pageId}`, service.tenantKey), 200).pendingLeads, 0)

  const events = await service.events(number, 'lead.received')
  t.deepEqual(
    events.map(({ data }) => (data.redacted === true ? data : data.id)),
    [{ redacted: true }, kept.id, last.id],
  )
  const logs = await logsOf(service, number.key, hook.id)
  t.deepEqual(
    logs.filter(({ payload }) => payload === '').map(({ response }) => response),
    [''],
  )
  const shown = JSON.stringify([events, logs])
  t.false(shown.includes(peer) || shown.includes(live.id), 'nothing tells of the person')
})
