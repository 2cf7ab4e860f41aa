import test from 'ava'
import { answeringPage, autoSendOf, submitWish, YES } from '../helpers/answered-leads.ts'
import {
  changePage,
  leadsOf,
  linkPage,
  readPage,
  setForm,
  startBackfill,
  submitLead,
  tellAgain,
  untilBackfilled,
  untilLead,
  type LinkedPage,
} from '../helpers/lead-service.ts'
import {
  failSends,
  KINDS,
  newPeer,
  numbersOfBothKinds,
  sendText,
  untilInbox,
  untilStatus,
  write,
  type BothNumbers,
  type Kind,
} from '../helpers/message-service.ts'
import { Receiver } from '../helpers/receiver.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { taken } from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'

const HOUR_MS = 3_600_000
let service: Service
let numbers: BothNumbers
let receiver: Receiver

test.before(async () => {
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
  receiver = await Receiver.open()
})

test.after.always(async () => {
  await receiver?.close()
})

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

/** A Page whose leads a template answers; `over` changes its settings. */
function answering(
  kind: Kind,
  name: string,
  over: object = {},
  number: PairedNumber = numbers[kind],
): Promise<LinkedPage> {
  return answeringPage(service, number, `${name}_${kind.toLowerCase()}`, over)
}

/** Imports the leads of the form; resolves to the finished import. */
async function importLeads(page: LinkedPage, range: object = {}): Promise<any> {
  await startBackfill(service, page, range)
  return await untilBackfilled(service, page)
}

const isAnswered = ({ autoSendStatus }: any) => autoSendStatus === 'sent'
const isFailed = ({ autoSendStatus }: any) => autoSendStatus === 'failed'

for (const kind of KINDS) {
  // [leads.event.2] [leads.scope.1] [leads.object.3] [leads.object.7]
  test(`${kind}: a person submits a form; the lead is delivered once, read by name of its questions, answered by a template, and shows it`, async (t) => {
    const number = numbers[kind]
    const page = await answering(kind, 'story')
    const webhookUrl = receiver.endpoint(`/leads-${kind}`)
    taken(await service.api('POST', '/v1/webhooks', number.key, { url: webhookUrl, events: ['lead.received'] }), 201)
    const peer = newPeer()
    const leadgenId = await submitWish(service, page, peer, { ...YES, createdAt: ago(60_000) })
    const lead = await untilLead(service, number, leadgenId, isAnswered)
    t.like(lead, {
      channelNumberId: number.id,
      pageId: page.pageId,
      pageName: 'Shop',
      formId: page.formId,
      formName: 'Test drive',
      adId: null,
      adName: null,
      platform: 'fb',
      isOrganic: true,
      fullName: 'Ana Lima',
      phone: `+${peer}`,
      email: null,
      consentGiven: true,
      autoSendReason: null,
      source: 'webhook',
      redacted: false,
    })
    t.deepEqual(
      lead.fields.find(({ key }: any) => key === 'wish'),
      { key: 'wish', label: 'What would you like?', values: ['A red one'] },
    )
    const [message] = await untilInbox(service, peer, number, 1)
    t.is(message.text, 'Hello Ana Lima, thank you for your interest: A red one. See you!')
    t.like(await untilStatus(service, number, lead.autoSendMessageId, ['SENT', 'DELIVERED', 'READ']), {
      type: 'template',
      correlationId: lead.id,
    })
    await untilLead(service, number, leadgenId, ({ conversationId }) => conversationId !== null)
    t.deepEqual(taken(await service.api('GET', `/v1/leads/${lead.id}`, number.key), 200).lead.id, lead.id)
    // The lead is told twice more. It stays the same lead with the same event.
    for (let again = 0; again < 2; again++) await tellAgain(service, leadgenId)
    const ofLead =
      (id: string) =>
      ({ body }: { readonly body: Buffer }) =>
        String(body).includes(id)
    const [delivery] = await receiver.until(`/leads-${kind}`, 1, ofLead(leadgenId))
    const told = JSON.parse(String(delivery?.body))
    t.like(told, {
      event: 'lead.received',
      data: { id: lead.id, leadgenId, phone: `+${peer}`, autoSendStatus: 'pending', autoSendMessageId: null },
    })
    const other = await submitWish(service, page, newPeer())
    await untilLead(service, number, other)
    await receiver.until(`/leads-${kind}`, 1, ofLead(other))
    t.is(receiver.at(`/leads-${kind}`).filter(ofLead(leadgenId)).length, 1)
    t.is((await leadsOf(service, number, `&pageId=${page.pageId}`)).length, 2)
  })

  // [leads.auto-send.4] [leads.stored.12]
  test(`${kind}: each row of the table decides when the lead is stored`, async (t) => {
    const number = numbers[kind]
    const page = await answering(kind, 'table', { skipRecentConversationDays: 1 })
    const known = newPeer()
    await write(service, known, number)
    const written = newPeer()
    // The upstream refuses a text outside the window, but the conversation exists all the same.
    const { id } = await sendText(service, number, written, 'hello').catch(() => ({ id: null }))
    t.truthy(id)
    const answered = newPeer()
    await untilLead(service, number, await submitWish(service, page, answered, YES), isAnswered)
    const rows: readonly (readonly [status: string, reason: string | null, peer: string, more: object])[] = [
      ['skipped', 'too_old', newPeer(), { ...YES, createdAt: ago(25 * HOUR_MS) }],
      ['skipped', 'no_consent', newPeer(), { consent: { may_message: false } }],
      ['skipped', 'consent_unknown', newPeer(), {}],
      ['skipped', 'no_phone', newPeer(), { ...YES, answers: { full_name: 'Ana', wish: 'x', phone_number: [] } }],
      [
        'skipped',
        'invalid_phone',
        newPeer(),
        { ...YES, answers: { full_name: 'Ana', wish: 'x', phone_number: 'call me' } },
      ],
      [
        'skipped',
        'missing_variable',
        newPeer(),
        { ...YES, answers: { full_name: 'Ana', wish: ' \n', phone_number: `+${newPeer()}` } },
      ],
      ['skipped', 'recent_conversation', known, YES],
      ['skipped', 'recent_conversation', written, YES],
    ]
    for (const [status, reason, peer, more] of rows) {
      const leadgenId = await submitWish(service, page, peer, more)
      t.like(
        await untilLead(service, number, leadgenId),
        { autoSendStatus: status, autoSendReason: reason, autoSendMessageId: null },
        String(reason),
      )
    }
    // Without the look at conversations, only a second lead of the same form and phone is skipped.
    await setForm(
      service,
      page,
      autoSendOf((await service.api('GET', `/v1/templates/table_${kind.toLowerCase()}`, number.key)).body.id),
    )
    t.like(await untilLead(service, number, await submitWish(service, page, answered, YES)), {
      autoSendStatus: 'skipped',
      autoSendReason: 'already_sent',
    })
    t.is((await untilInbox(service, answered, number, 1)).length, 1)
    await setForm(service, page, { consentKey: null, autoSend: null })
    t.like(await untilLead(service, number, await submitWish(service, page, newPeer(), YES)), {
      autoSendStatus: 'none',
      autoSendReason: null,
      consentGiven: null,
    })
    // Earlier decisions do not change.
    t.is(
      (await leadsOf(service, number, `&pageId=${page.pageId}`)).filter(({ consentGiven }) => consentGiven === false)
        .length,
      1,
    )
  })

  test(`${kind}: text that a person types reaches the template in one line and is never taken for a placeholder`, async (t) => {
    const number = numbers[kind]
    const page = await answering(kind, 'typed')
    const peer = newPeer()
    await submitWish(service, page, peer, {
      ...YES,
      answers: { full_name: ' Ana\r\n\tLima  😀 ', wish: '{{customer}} $& $1', phone_number: `+${peer}` },
    })
    const [message] = await untilInbox(service, peer, number, 1)
    t.is(message.text, 'Hello Ana Lima 😀, thank you for your interest: {{customer}} $& $1. See you!')
    const long = newPeer()
    const told = await submitWish(service, page, long, {
      ...YES,
      answers: { full_name: 'Ana', wish: `a\n${'b'.repeat(5_000)}`, phone_number: `+${long}` },
    })
    if (kind === 'UNOFFICIAL') {
      const [cut] = await untilInbox(service, long, number, 1)
      t.is(cut.text, `Hello Ana, thank you for your interest: a ${'b'.repeat(1_022)}. See you!`)
    } else {
      // The upstream counts the characters of the whole message and rejects it, with a reason.
      const lead = await untilLead(service, number, told, isFailed)
      t.is(
        (await untilStatus(service, number, lead.autoSendMessageId, ['FAILED'])).errorCode.toLowerCase(),
        lead.autoSendReason,
      )
    }
  })

  // [leads.auto-send.14]
  test(`${kind}: an answer that the upstream refuses fails with its code, and one whose template is gone fails as template_unavailable`, async (t) => {
    // A number of its own, because the fault would affect every message of the number.
    const number = (await numbersOfBothKinds(service))[kind]
    const page = await answering(kind, 'refused', {}, number)
    const peer = newPeer()
    await failSends(
      service,
      number,
      kind === 'OFFICIAL' ? { error: '132015' } : { error: { code: 'FAILED', retryable: false } },
    )
    const failed = await untilLead(service, number, await submitWish(service, page, peer, YES), isFailed)
    const message = await untilStatus(service, number, failed.autoSendMessageId, ['FAILED'])
    t.is(failed.autoSendReason, message.errorCode.toLowerCase())
    taken(await service.api('DELETE', `/v1/templates/refused_${kind.toLowerCase()}`, number.key), 200)
    await until(
      'the template is gone',
      async () => (await service.api('GET', `/v1/templates/refused_${kind.toLowerCase()}`, number.key)).status === 404,
    )
    const gone = await untilLead(service, number, await submitWish(service, page, newPeer(), YES), isFailed)
    t.like(gone, { autoSendReason: 'template_unavailable', autoSendMessageId: null })
  })

  // [leads.backfill.1] [leads.event.2] [leads.object.10]
  test(`${kind}: older leads are imported once, keep their dates, are not answered and cause no event`, async (t) => {
    const number = numbers[kind]
    const page = await answering(kind, 'import')
    const live = await submitWish(service, page, newPeer(), YES)
    await untilLead(service, number, live)
    const old = await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        submitWish(service, page, newPeer(), { ...YES, isSilent: true, createdAt: ago((at + 2) * 24 * HOUR_MS) }),
      ),
    )
    const far = await submitWish(service, page, newPeer(), { isSilent: true, createdAt: ago(100 * 24 * HOUR_MS) })
    t.like(
      await importLeads(page),
      { status: 'DONE', read: 6, imported: 5, duplicates: 0, waitingUntil: null, errorCode: null },
      'the live one is young',
    )
    t.like(await importLeads(page), { status: 'DONE', imported: 0, duplicates: 5 })
    const shown = await leadsOf(service, number, `&pageId=${page.pageId}`)
    t.deepEqual(
      shown.filter(({ source }) => source === 'backfill').map(({ leadgenId }) => leadgenId),
      old,
      'newest first',
    )
    t.true(shown.every(({ source, autoSendStatus }) => source === 'webhook' || autoSendStatus === 'none'))
    t.like(await importLeads(page, { since: ago(120 * 24 * HOUR_MS), until: ago(90 * 24 * HOUR_MS) }), {
      status: 'DONE',
      imported: 1,
    })
    await untilLead(service, number, far)
    const told = (await service.events(number, 'lead.received')).map(({ data }) => data.leadgenId)
    t.deepEqual(
      [live, ...old, far].map((leadgenId) => told.filter((one) => one === leadgenId).length),
      [1, 0, 0, 0, 0, 0, 0],
    )
  })
}

test('leads of a Page whose token ended wait, and come with a new one', async (t) => {
  const page = await linkPage(service, numbers.UNOFFICIAL)
  await changePage(service, page, { isTokenExpired: true })
  const [one, two] = [await submitLead(service, page), await submitLead(service, page)]
  await until('the token is known to be dead', async () => !(await readPage(service, page)).isTokenValid)
  t.is((await readPage(service, page)).pendingLeads, 2)
  const pageAccessToken = `${page.pageAccessToken}2`
  await changePage(service, page, { isTokenExpired: false, accessToken: pageAccessToken })
  t.like(
    taken(await service.api('PATCH', `/v1/lead-pages/${page.pageId}`, service.tenantKey, { pageAccessToken }), 200),
    { isTokenValid: true },
  )
  for (const leadgenId of [one, two])
    t.like(await untilLead(service, numbers.UNOFFICIAL, leadgenId), { source: 'webhook' })
  const shown = await readPage(service, page)
  t.is(shown.pendingLeads, 0)
  t.truthy(shown.lastLeadAt)
})
