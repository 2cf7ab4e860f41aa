import test from 'ava'
import { answeringPage, submitWish, YES } from '../helpers/answered-leads.ts'
import { leadsOf, startBackfill, untilBackfilled, untilLead, type LinkedPage } from '../helpers/lead-service.ts'
import { KINDS, newPeer, numbersOfBothKinds, untilInbox, type Kind } from '../helpers/message-service.ts'
import { logsOf } from '../helpers/receiver-ledger.ts'
import { Receiver } from '../helpers/receiver.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { taken } from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'

const DAY_MS = 86_400_000
let service: Service
let receiver: Receiver

test.before(async () => {
  service = await joinService()
  receiver = await Receiver.open()
})

test.after.always(async () => {
  await receiver?.close()
})

const NOBODY = { fullName: null, email: null, phone: null, fields: [], redacted: true }
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

async function setMode(number: PairedNumber, mode: object): Promise<void> {
  taken(await service.api('PATCH', `/v1/numbers/${number.id}`, service.tenantKey, mode), 200)
}

async function opened(kind: Kind, name: string): Promise<{ readonly number: PairedNumber; readonly page: LinkedPage }> {
  const number = (await numbersOfBothKinds(service))[kind]
  return { number, page: await answeringPage(service, number, `${name}_${kind.toLowerCase()}`) }
}

async function importNow(page: LinkedPage): Promise<any> {
  await startBackfill(service, page)
  return await untilBackfilled(service, page)
}

for (const kind of KINDS) {
  // [leads.privacy.9]
  test(`${kind}: a RELAY_ONLY number relays the person and keeps nothing of it, live or imported, and answers all the same`, async (t) => {
    const { number, page } = await opened(kind, 'relay')
    await setMode(number, { piiMode: 'RELAY_ONLY' })
    const path = `/relay-${kind}`
    const hook = taken(
      await service.api('POST', '/v1/webhooks', number.key, {
        url: receiver.endpoint(path),
        events: ['lead.received'],
      }),
      201,
    )
    const peer = newPeer()
    const leadgenId = await submitWish(service, page, peer, YES)
    const [delivery] = await receiver.until(path, 1)
    t.like(JSON.parse(String(delivery?.body)).data, {
      leadgenId,
      fullName: 'Ana Lima',
      phone: `+${peer}`,
      autoSendStatus: 'pending',
      consentGiven: true,
    })
    const lead = await untilLead(service, number, leadgenId, ({ autoSendStatus }) => autoSendStatus === 'sent')
    t.like(lead, {
      ...NOBODY,
      leadgenId,
      pageId: page.pageId,
      pageName: 'Shop',
      formName: 'Test drive',
      platform: 'fb',
      isOrganic: true,
      consentGiven: true,
      source: 'webhook',
    })
    const [message] = await untilInbox(service, peer, number, 1)
    t.is(message.text, 'Hello Ana Lima, thank you for your interest: A red one. See you!')
    const silent = await submitWish(service, page, newPeer(), { isSilent: true, createdAt: ago(2 * DAY_MS) })
    t.like(await importNow(page), { status: 'DONE', imported: 1 })
    t.like(await untilLead(service, number, silent), { ...NOBODY, source: 'backfill' })
    t.is(taken(await service.api('GET', '/v1/leads', number.key), 200).notice, 'PII_RELAY_ONLY')
    t.is(taken(await service.api('GET', `/v1/leads/${lead.id}`, number.key), 200).notice, 'PII_RELAY_ONLY')
    await until('the delivery is logged', async () => (await logsOf(service, number.key, hook.id)).length === 1)
    t.deepEqual(
      (await service.events(number, 'lead.received')).map(({ data }) => data),
      [{ redacted: true }],
      'emptied once delivered',
    )
    t.like((await logsOf(service, number.key, hook.id))[0], { payload: '' })
    // Leads that were stored without personal data do not get it back.
    await setMode(number, { piiMode: 'STORE_INDEFINITE' })
    for (const shown of await leadsOf(service, number)) t.like(shown, NOBODY)
    const list = taken(await service.api('GET', '/v1/leads', number.key), 200)
    t.false('notice' in list)
  })

  test(`${kind}: leads past the window are withheld; those that were imported past it stay withheld for good`, async (t) => {
    const { number, page } = await opened(kind, 'window')
    const [fresh, old] = [
      await submitWish(service, page, newPeer(), { createdAt: ago(3_600_000) }),
      await submitWish(service, page, newPeer(), { createdAt: ago(2 * DAY_MS) }),
    ]
    for (const leadgenId of [fresh, old])
      t.like(await untilLead(service, number, leadgenId), { fullName: 'Ana Lima', redacted: false })
    await setMode(number, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 1 })
    const silent = await submitWish(service, page, newPeer(), { isSilent: true, createdAt: ago(3 * DAY_MS) })
    await importNow(page)
    t.like(await untilLead(service, number, fresh), { fullName: 'Ana Lima', redacted: false })
    for (const leadgenId of [old, silent]) t.like(await untilLead(service, number, leadgenId), NOBODY)
    const list = taken(await service.api('GET', '/v1/leads', number.key), 200)
    t.is(list.notice, 'PII_RETENTION_WINDOW')
    const [newest] = list.leads
    t.false(
      'notice' in taken(await service.api('GET', `/v1/leads/${newest.id}`, number.key), 200),
      'none of this one is withheld',
    )
    await setMode(number, { piiMode: 'STORE_INDEFINITE' })
    t.like(await untilLead(service, number, silent), NOBODY)
    t.like(await untilLead(service, number, fresh), { fullName: 'Ana Lima' })
  })
}
