import test from 'ava'
import {
  linkPage,
  readPage,
  seedAd,
  startBackfill,
  submitLead,
  tellAgain,
  untilBackfilled,
  untilLead,
  leadsOf,
} from '../helpers/lead-service.ts'
import { connectOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let number: OfficialNumber

test.before(async () => {
  service = await joinService()
  number = await connectOfficial(service)
})

test('a Page is linked, a person submits its form, and the lead is there with all that was answered', async (t) => {
  const page = await linkPage(service, number)
  t.like(await readPage(service, page), {
    pageId: page.pageId,
    pageName: 'Shop',
    channelNumberId: number.id,
    appId: page.appId,
    isTokenValid: true,
    webhook: { status: 'SUBSCRIBED' },
  })
  const ad = await seedAd(service)
  const leadgenId = await submitLead(
    service,
    page,
    {
      answers: { full_name: 'Ana 😀', email: 'ana@example.com', model: ['{{x}}', '$&'] },
      adId: ad.adId,
      platform: 'ig',
    },
    '5511987650001',
  )
  const lead = await untilLead(service, number, leadgenId)
  t.like(lead, {
    leadgenId,
    channelNumberId: number.id,
    pageId: page.pageId,
    pageName: 'Shop',
    formId: page.formId,
    formName: 'Test drive',
    adId: ad.adId,
    platform: 'ig',
    isOrganic: false,
    fullName: 'Ana 😀',
    email: 'ana@example.com',
    phone: '+5511987650001',
    consentGiven: null,
    source: 'webhook',
    redacted: false,
    autoSendStatus: 'none',
  })
  t.deepEqual(lead.fields, [
    { key: 'full_name', label: 'Your name', values: ['Ana 😀'] },
    { key: 'email', label: 'Your e-mail', values: ['ana@example.com'] },
    { key: 'phone_number', label: 'Your phone', values: ['+5511987650001'] },
    { key: 'model', label: 'Which model?', values: ['{{x}}', '$&'] },
  ])
})

test('a lead is told of many times and stored once, with one event; what no webhook told of is imported', async (t) => {
  const page = await linkPage(service, number)
  const leadgenId = await submitLead(service, page)
  for (let count = 0; count < 4; count++) await tellAgain(service, leadgenId)
  await untilLead(service, number, leadgenId)
  await tellAgain(service, leadgenId)
  const old = await submitLead(service, page, {
    isSilent: true,
    createdAt: new Date(Date.now() - 86_400_000).toISOString(),
  })
  await startBackfill(service, page)
  t.like(await untilBackfilled(service, page), { status: 'DONE', imported: 1 })
  t.like(await untilLead(service, number, old), { source: 'backfill' })
  const leads = await leadsOf(service, number, `&pageId=${page.pageId}`)
  t.deepEqual(
    leads.map((lead) => lead.leadgenId),
    [leadgenId, old],
  )
  // A notice that arrives while its lead is being stored may be read again later, and then finds the lead.
  await until('nothing waits', async () => (await readPage(service, page)).pendingLeads === 0)
  const told = await service.events(number, 'lead.received')
  t.deepEqual(
    told.filter(({ data }) => data.pageId === page.pageId).map(({ data }) => data.leadgenId),
    [leadgenId],
  )
})
