import { createHmac } from 'node:crypto'
import test from 'ava'
import {
  CHECKBOXES,
  changePage,
  leadRequests,
  linkPage,
  QUESTIONS,
  readPage,
  seedAd,
  setForm,
  startBackfill,
  submitLead,
  untilBackfilled,
  untilLead,
} from '../helpers/lead-service.ts'
import { FAST } from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import { Service } from '../helpers/service.ts'
import { readyTemplate, taken } from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'

/** The test reads the log and the rows of this service. */
const ENV = { ...FAST, LEAD_RETRY_SECONDS: '0,0,1', AD_NAME_RETRY_SECONDS: '0,0,1' }
/** Answers of a person, in words that occur nowhere else. */
const WRITTEN = { full_name: 'Obsidian Marigold', email: 'marigold@obsidian.example', model: 'a velvet zeppelin' }
const PERSON = '5511987654321'

/** The upstream's errors quote what it was sent, as they do for malformed tokens. */
function quoting(code: number, ...secrets: readonly string[]): object {
  return {
    status: code === 2 ? 503 : 400,
    body: {
      error: {
        message: `(#${code}) ${secrets.join(' ')}`,
        error_user_msg: `Not ${secrets.join(' nor ')}`,
        type: 'OAuthException',
        code,
      },
    },
  }
}

test('tokens, secrets and what persons wrote are in no log line, error, metric or row in the open, whatever fails', async (t) => {
  const service = await Service.start({ env: ENV })
  t.teardown(() => service.stop())
  const number = await connectOfficial(service)
  const page = await linkPage(service, number, {
    forms: [{ name: 'Test drive', questions: QUESTIONS, checkboxes: CHECKBOXES }],
  })
  const ad = await seedAd(service)
  const proof = createHmac('sha256', page.appSecret).update(page.pageAccessToken).digest('hex')
  const secrets = [page.pageAccessToken, page.appSecret, ad.accessToken, proof, 'EAAnewpagetoken', 'EAArefusedtoken']
  const answers: string[] = []
  const ask = async (method: string, path: string, key: string, body?: unknown) => {
    const answer = await service.api(method, path, key, body)
    answers.push(answer.text)
    return answer
  }

  const template = await readyTemplate(service, number, 'velvet')
  await setForm(service, page, {
    consentKey: 'may_message',
    autoSend: { templateId: template.id, variables: { customer: { field: 'full_name' } } },
  })
  await ask('PUT', `/v1/numbers/${number.id}/ad-access`, service.tenantKey, { accessToken: ad.accessToken })
  for (const op of ['lead.read', 'form.read', 'page.read', 'ad.read']) {
    const sent = op === 'ad.read' ? [ad.accessToken] : [page.pageAccessToken, page.appSecret, proof]
    for (const code of [100, 2, 80_005])
      taken(await service.control('POST', '/faults', { match: { op }, ...quoting(code, ...sent) }), 201)
  }
  for (let count = 0; count < 3; count++) await ask('GET', `/v1/lead-pages/${page.pageId}?refresh=1`, service.tenantKey)
  const leadgenId = await submitLead(
    service,
    page,
    { answers: WRITTEN, consent: { may_message: true }, adId: ad.adId },
    PERSON,
  )
  const lead = await untilLead(service, number, leadgenId, ({ autoSendStatus }) => autoSendStatus !== 'pending')
  t.like(lead, { fullName: WRITTEN.full_name, phone: `+${PERSON}` })
  t.true((await leadRequests(service, 'lead.read', leadgenId)).length > 3, 'each of the faults came')

  await service.control('DELETE', '/faults')
  await changePage(service, page, { isTokenExpired: true })
  const waiting = await submitLead(service, page, { answers: WRITTEN }, PERSON)
  await until('the token is known to be dead', async () => !(await readPage(service, page)).isTokenValid)
  taken(
    await service.control('POST', '/faults', { match: { op: 'page.read' }, ...quoting(190, 'EAArefusedtoken') }),
    201,
  )
  t.is(
    (await ask('PATCH', `/v1/lead-pages/${page.pageId}`, service.tenantKey, { pageAccessToken: 'EAArefusedtoken' }))
      .status,
    422,
  )
  await changePage(service, page, { isTokenExpired: false, accessToken: 'EAAnewpagetoken' })
  t.is(
    (await ask('PATCH', `/v1/lead-pages/${page.pageId}`, service.tenantKey, { pageAccessToken: 'EAAnewpagetoken' }))
      .status,
    200,
  )
  await untilLead(service, number, waiting)
  await startBackfill(service, page)
  await untilBackfilled(service, page)
  for (const path of ['', `/${page.pageId}`, `/${page.pageId}/forms`, `/${page.pageId}/forms/${page.formId}/backfill`])
    await ask('GET', `/v1/lead-pages${path}`, service.tenantKey)
  await ask('GET', `/v1/numbers/${number.id}/ad-access`, service.tenantKey)
  await ask('GET', '/v1/events?limit=1000', number.key)
  const metrics = await (await fetch(`${service.base}/metrics`)).text()
  t.regex(metrics, /lead_/)

  await service.gateway.kill('SIGTERM')
  const log = service.gateway.output.join('')
  t.regex(log, /lead\.read/)
  const rows = JSON.stringify([
    await service.rows('select * from lead_pages'),
    await service.rows('select * from ad_access'),
    await service.rows('select * from lead_backfills'),
  ])
  for (const secret of secrets) {
    for (const [where, text] of Object.entries({ log, metrics, rows, answers: answers.join('\n') }))
      t.false(text.includes(secret), `${secret} is in the ${where}`)
  }
  for (const word of [...Object.values(WRITTEN), PERSON]) {
    for (const [where, text] of Object.entries({ log, metrics }))
      t.false(text.includes(word), `${word} is in the ${where}`)
  }
})
