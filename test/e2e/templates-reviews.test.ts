import test from 'ava'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { connectBody, postSigned, seedOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import {
  connectTemplates,
  createTemplate,
  failTemplates,
  givenTemplate,
  readTemplate,
  readyTemplate,
  taken,
  templatesHere,
  templatesUpstream,
  turnTemplate,
  untilTemplate,
} from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'

const HOUR_S = 3_600
let service: Service

test.before(async () => {
  service = await joinService()
})

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000)
}

/**
 * A change as the upstream posts it, one second later than any earlier one, because for two of the same second the
 * service asks the upstream, which does not know what a test makes up. The id is inserted as digits, because no
 * JavaScript number is precise enough.
 */
function webhookOf(
  { accountId }: OfficialNumber,
  field: string,
  value: Record<string, unknown>,
  id: string | null,
  atSeconds = nowSeconds() + 1,
): string {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: accountId,
        time: atSeconds,
        changes: [{ field, value: { ...value, ...(id === null ? {} : { message_template_id: '@id' }) } }],
      },
    ],
  })
  return body.replace('"@id"', String(id))
}

async function tell(
  number: OfficialNumber,
  field: string,
  value: Record<string, unknown>,
  id: string | null,
  atSeconds?: number,
): Promise<void> {
  const { status } = await postSigned(number, webhookOf(number, field, value, id, atSeconds))
  if (status !== 200) throw new Error(`not taken: ${status}`)
}

/** Waits for a last change. An account's changes are worked off in order, so all earlier ones are done by then. */
async function untilWorkedOff(number: OfficialNumber, { id, externalId }: any): Promise<any> {
  await turnTemplate(service, externalId, { quality: 'YELLOW' })
  return await untilTemplate(service, number, id, 'YELLOW', ({ quality }) => quality === 'YELLOW')
}

/**
 * Makes upstream tell a quality and a status of a template, and waits until both are worked off. What a test makes up
 * afterwards is newer, so the service takes it without asking upstream. Only its event tells the reason of a pause, so
 * the reason shows that the event was applied, not merely read upstream for another one.
 */
async function haveBothTold(number: OfficialNumber, { id, externalId }: any): Promise<void> {
  await turnTemplate(service, externalId, { quality: 'RED' })
  await untilTemplate(service, number, id, 'RED', ({ quality }) => quality === 'RED')
  await turnTemplate(service, externalId, { event: 'PAUSED', title: 'FIRST_PAUSE' })
  await untilTemplate(service, number, id, 'paused', ({ statusReason }) => statusReason === 'FIRST_PAUSE')
}

/** Waits as `untilWorkedOff` does after what a test made up of a template that went through `haveBothTold`. */
async function untilMadeUpIsWorkedOff(number: OfficialNumber, { id, externalId, name, language }: any): Promise<any> {
  await tell(
    number,
    'message_template_quality_update',
    { new_quality_score: 'YELLOW', message_template_name: name, message_template_language: language },
    externalId,
  )
  return await untilTemplate(service, number, id, 'YELLOW', ({ quality }) => quality === 'YELLOW')
}

// [templates.account-changes.4]
test('when an approval is told before the creation is answered, the answer says APPROVED', async (t) => {
  const number = await connectTemplates(service)
  // In ms: less than the gateway waits for an answer, but longer than a busy machine needs to post the approval.
  await failTemplates(service, 'template.create', number.accountId, { answerDelayMs: 8_000 })
  const asked = createTemplate(service, number, 'early')
  const told = await untilTemplate(
    service,
    number,
    'early',
    'approved',
    ({ officialStatus }) => officialStatus === 'APPROVED',
  )
  const template = await asked
  t.like(template, { id: told.id, officialStatus: 'APPROVED', upstreamStatus: 'APPROVED', sendable: true })
  const [upstream] = await templatesUpstream(service, number)
  t.is(template.externalId, upstream.id)
  t.false(Number.isSafeInteger(Number(upstream.id)))
})

// [templates.account-changes.3]
test('a pause is not undone by an approval of before it, however late that is told', async (t) => {
  const number = await connectTemplates(service)
  const template = await readyTemplate(service, number, 'paused')
  await turnTemplate(service, template.externalId, {
    event: 'PAUSED',
    title: 'SECOND_PAUSE',
    description: 'many blocked it',
  })
  await untilTemplate(service, number, 'paused', 'paused', ({ upstreamStatus }) => upstreamStatus === 'PAUSED')
  await tell(
    number,
    'message_template_status_update',
    { event: 'APPROVED', reason: 'NONE', message_template_name: 'paused', message_template_language: 'en' },
    template.externalId,
    nowSeconds() - HOUR_S,
  )
  t.like(await untilWorkedOff(number, template), {
    officialStatus: 'DISABLED',
    upstreamStatus: 'PAUSED',
    statusReason: 'SECOND_PAUSE',
    statusDescription: 'many blocked it',
    sendable: false,
  })
  const send = await service.api('POST', '/v1/messages/send', number.key, {
    destinationNumber: '5511990000001',
    templateId: 'paused',
    variables: { customer: 'Bo' },
  })
  t.deepEqual([send.status, send.body.code], [404, undefined])
})

// [templates.object.9] [templates.account-changes.8]
test('a change that is told ten times at once is applied once, is told once, and keeps all digits of its id', async (t) => {
  const number = await connectTemplates(service)
  const template = await readyTemplate(service, number, 'tenfold')
  await haveBothTold(number, template)
  const body = webhookOf(
    number,
    'message_template_status_update',
    { event: 'REJECTED', reason: 'SCAM', message_template_name: 'tenfold', message_template_language: 'en' },
    template.externalId,
  )
  const answers = await Promise.all(Array.from({ length: 10 }, () => postSigned(number, body)))
  t.true(answers.every(({ status }) => status === 200))
  t.like(await untilMadeUpIsWorkedOff(number, template), {
    officialStatus: 'REJECTED',
    statusReason: 'SCAM',
    externalId: template.externalId,
  })
  const events = (await storedEvents(service, service.tenantKey)).filter(
    ({ event, data }) => event === 'message_template_status_update' && JSON.stringify(data).includes('SCAM'),
  )
  t.is(events.length, 1)
  t.true(
    (
      await service.api('GET', `/v1/events?limit=1000&event=message_template_status_update`, service.tenantKey)
    ).text.includes(template.externalId),
  )
})

// [templates.account-changes.1]
test('a change that names its template by name and en-US finds the one in en_US, and not the other languages of the name', async (t) => {
  const number = await connectTemplates(service)
  const [english, portuguese] = [
    await readyTemplate(service, number, 'both', { language: 'en_US' }),
    await readyTemplate(service, number, 'both', { language: 'pt-BR' }),
  ]
  await haveBothTold(number, english)
  await tell(
    number,
    'message_template_status_update',
    { event: 'DISABLED', reason: 'NONE', message_template_name: 'both', message_template_language: 'en-US' },
    null,
  )
  t.like(await untilMadeUpIsWorkedOff(number, english), { upstreamStatus: 'DISABLED', language: 'en_US' })
  t.like(await readTemplate(service, number, portuguese.id), { upstreamStatus: 'APPROVED', language: 'pt_BR' })
})

test('a change of a template that no longer has the name does not affect its successor', async (t) => {
  const number = await connectTemplates(service)
  const first = await createTemplate(service, number, 'again_rejected')
  await untilTemplate(service, number, first.id, 'rejected', ({ officialStatus }) => officialStatus === 'REJECTED')
  taken(await service.api('DELETE', `/v1/templates/${first.id}`, number.key), 200)
  const gone = {
    event: 'DELETED',
    reason: 'NONE',
    message_template_name: 'again_rejected',
    message_template_language: 'en',
  }
  await failTemplates(service, 'template.create', number.accountId, { answerDelayMs: 2_000 })
  const asked = service.api('POST', '/v1/templates', number.key, givenTemplate('again_rejected'))
  await until('it is being created', async () => (await templatesHere(service, number)).length > 0)
  await tell(number, 'message_template_status_update', gone, first.externalId)
  const second = taken(await asked, 201)
  await tell(number, 'message_template_status_update', gone, first.externalId)
  t.is((await untilWorkedOff(number, second)).id, second.id)
  t.deepEqual(
    (await templatesUpstream(service, number)).map(({ id }) => id),
    [second.externalId],
  )
})

// [templates.account-changes.1] [templates.account-changes.2]
test('a template nobody knows is imported when upstream speaks of it, in every tenant of the account; a change reaches the rows of all of them', async (t) => {
  const number = await connectTemplates(service)
  const stranger = await askToCreateTenant(service.dataDir, 'Same account')
  if (!stranger) return t.fail('no second tenant')
  const { accountId, appId, appSecret, accessToken } = number
  const connected = taken(
    await service.api(
      'POST',
      '/v1/numbers/official',
      stranger.key,
      connectBody(await seedOfficial(service, { accountId, appId, appSecret, accessToken })),
    ),
    201,
  )
  const other = { id: connected.id, digits: '', key: connected.apiKey.key }
  const shown = taken(
    await service.control('POST', '/official/templates', {
      accountId,
      name: 'elsewhere',
      components: [{ type: 'BODY', text: 'Hello {{1}}, well met.', example: { body_text: [['Ana']] } }],
    }),
    201,
  )
  await turnTemplate(service, shown.id, { event: 'APPROVED' })
  const rows = await Promise.all(
    [number, other].map((one) =>
      untilTemplate(service, one, 'elsewhere', 'imported', ({ externalId }) => externalId === shown.id),
    ),
  )
  t.not(rows[0].id, rows[1].id)
  t.true(rows.every(({ sendable, variables }) => sendable && variables.join() === '1'))
  await turnTemplate(service, shown.id, { correctCategory: 'MARKETING' })
  for (const one of [number, other])
    t.like(
      await untilTemplate(service, one, 'elsewhere', 'noticed', ({ correctCategory }) => correctCategory !== null),
      { category: 'UTILITY', correctCategory: 'MARKETING' },
    )
  await turnTemplate(service, shown.id, { category: 'MARKETING' })
  for (const one of [number, other])
    t.like(
      await untilTemplate(service, one, 'elsewhere', 'another category', ({ category }) => category === 'MARKETING'),
      { id: rows[one === number ? 0 : 1].id, externalId: shown.id },
    )
})
