import { readFileSync } from 'node:fs'
import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { nameToType } from '../../web/dashboard/pages/lead/name-to-type.ts'
import { HOSTILE, LEAD, LEADS_SCRIPT as SCRIPT, SKIPPED } from '../helpers/leads-shown.ts'

const stage = new DashboardStage(test)

/** The query of the newest request for leads. */
function lastQuery(): Readonly<Record<string, string>> {
  return stage.asked.filter(({ what }) => what === 'GET /api/v1/leads').at(-1)?.query ?? {}
}

inBrowser('leads with long and hostile texts can be read by all in each language', async (t) => {
  const { page } = stage
  const wrong = [
    await stage.looks('/dashboard/leads', SCRIPT, () => page.locator('[data-id=lead_3]').waitFor()),
    await stage.looks('/dashboard/leads/lead_1', SCRIPT, () => page.locator('[data-field=model]').waitFor()),
    await stage.looks('/dashboard/leads/lead_3', SCRIPT, () => page.locator('[data-redacted]').waitFor()),
  ]
  t.deepEqual(wrong, [[], [], []])
})

// [dashboard.leads.1]
inBrowser('each lead says in words whether there is consent, and what became of its template', async (t) => {
  await stage.open('/dashboard/leads', SCRIPT)
  const { page } = stage
  await page.locator('[data-id=lead_1] [data-consent=true]', { hasText: 'Given' }).waitFor()
  await page.locator('[data-id=lead_2] [data-consent=false]', { hasText: 'Not given' }).waitFor()
  await page.locator('[data-id=lead_2] [data-reason]', { hasText: 'did not consent' }).waitFor()
  await page.locator('[data-id=lead_3] [data-consent=null]', { hasText: 'Not known' }).waitFor()
  await page.locator('[data-id=lead_3] [data-reason]', { hasText: 'WINDOW_CLOSED' }).waitFor()
  t.is(await page.locator('[data-id=lead_1] [data-reason]').count(), 0)
})

// [dashboard.leads.2]
inBrowser('the service narrows leads to a form, an ad and a Page, and the address keeps the choice', async (t) => {
  await stage.open('/dashboard/leads?number=num_2', SCRIPT)
  const { page } = stage
  await page.locator('[data-id=lead_2] [data-only=formId]').click()
  await page.waitForURL(/formId=801/)
  await page.locator('[data-id=lead_1]').waitFor()
  t.like(lastQuery(), { formId: '801', page: '1' })
  t.is(await page.inputValue('select[name=formId]'), '801')
  await page.selectOption('select[name=adId]', { label: 'Spring' })
  await page.waitForURL(/adId=900/)
  await page.locator('[data-id=lead_1]').waitFor()
  t.like(lastQuery(), { formId: '801', adId: '900' })

  stage.script({ 'GET /api/v1/leads': { body: { leads: [], total: 0 } } })
  await page.selectOption('select[name=pageId]', '700')
  await page.locator('[data-empty]', { hasText: 'of this choice' }).waitFor()
  t.like(lastQuery(), { formId: '801', adId: '900', pageId: '700' })
  t.deepEqual(await stage.violations(), [])

  await page.selectOption('select[name=number]', 'num_1')
  await page.locator('[data-empty]', { hasText: 'No lead came to this number' }).waitFor()
  t.notRegex(page.url(), /formId|adId|pageId/, 'what was chosen belongs to the number before')
})

// [dashboard.leads.3]
inBrowser('a lead changes without a reload when its template goes out, and another one comes', async (t) => {
  const waiting = { ...LEAD, autoSendStatus: 'pending' }
  await stage.open('/dashboard/leads?number=num_1', { ...SCRIPT, 'GET /api/v1/leads': { body: { leads: [waiting] } } })
  const { page } = stage
  await page.locator('[data-id=lead_1][data-status=pending]').waitFor()
  stage.script({ 'GET /api/v1/leads': { body: { leads: [LEAD] } } })
  const told = { id: 'evt_1', channelNumberId: 'num_1', timestamp: LEAD.createdAt }
  await stage.tell('event', { ...told, event: 'message.sent', data: { correlationId: 'lead_1' } })
  await page.locator('[data-id=lead_1][data-status=sent]').waitFor()
  stage.script({ 'GET /api/v1/leads': { body: { leads: [SKIPPED, LEAD] } } })
  await stage.tell('event', { ...told, id: 'evt_2', event: 'lead.received', data: { id: 'lead_2' } })
  await page.locator('[data-id=lead_2][data-status=skipped]').waitFor()
  t.deepEqual(stage.faults, [])
})

// [dashboard.exports.1] [dashboard.exports.2]
inBrowser('the file of leads has a column for each question, and runs no answer as a formula', async (t) => {
  await stage.open('/dashboard/leads', SCRIPT)
  const { page } = stage
  await page.locator('[data-id=lead_1]').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=export]')])
  const [head = '', first = '', second = ''] = readFileSync(await file.path(), 'utf8').split('\r\n')
  t.true(head.endsWith(',Consent,Template,Why,Your name,Which model?,Size'), head)
  t.true(first.includes(`,Given,Sent,,"Ana ""Nana"", of Acme",'=A1; `))
  t.true(second.endsWith(',Not given,Not sent,The person did not consent,,,M'), second)
})

// [dashboard.leads.4]
inBrowser('a lead shows every answer as text, where it came from, and the way to its conversation', async (t) => {
  await stage.open('/dashboard/leads?number=num_2', SCRIPT)
  const { page } = stage
  await page.click('[data-id=lead_1] a')
  await page.locator('[data-field=model]').waitFor()
  t.regex(page.url(), /leads\/lead_1\?number=num_2/)
  t.deepEqual(await page.locator('[data-field=model] p').allInnerTexts(), ['=A1', HOSTILE])
  t.is(await page.locator('main img').count(), 0)
  t.true(
    await page
      .locator('.answers dt bdi, [data-field] p')
      .evaluateAll((all: any[]) =>
        all.every((one) => (globalThis as any).getComputedStyle(one).unicodeBidi.includes('isolate')),
      ),
  )
  const text = await page.innerText('main')
  for (const said of ['Shop', 'Spring', 'Young', 'Cars', 'Instagram', 'ana@acme.example', 'Given'])
    t.true(text.includes(said), said)
  t.is(
    await page.getAttribute('[data-action=conversation]', 'href'),
    '/dashboard/inbox?numberId=num_2&conversationId=conv_1',
  )
  await page.click('[data-action=same-form]')
  await page.locator('[data-id=lead_2]').waitFor()
  t.is(lastQuery()['formId'], '800')
})

// [dashboard.leads.5] [dashboard.pages.6]
inBrowser(
  'a lead is erased once its id is typed where its name is not plain; who may only read is not asked',
  async (t) => {
    await stage.open('/dashboard/leads/lead_1?number=num_2', SCRIPT)
    const { page } = stage
    await page.click('[data-action=delete]')
    t.is(await page.innerText('dialog .name'), 'lead_1')
    t.true(await page.isDisabled('[data-action=confirm]'))
    t.deepEqual(await stage.violations(), [])
    stage.script({ 'DELETE /api/v1/leads/lead_1': { status: 404, body: { error: 'no', code: 'LEAD_NOT_FOUND' } } })
    await page.fill('input[name=confirm]', 'lead_1')
    await page.click('[data-action=confirm]')
    await page.locator('[data-code=LEAD_NOT_FOUND]', { hasText: 'be erased' }).waitFor()
    stage.script({ 'DELETE /api/v1/leads/lead_1': { body: { deleted: true, id: 'lead_1' } } })
    await page.click('[data-action=confirm]')
    await page.locator('main[data-page=leads]').waitFor()
    await page.locator('.said', { hasText: 'erased' }).waitFor()
    t.like(
      stage.asked.findLast(({ what }) => what.startsWith('DELETE')),
      {
        headers: { 'x-channel-number-id': 'num_2' },
      },
    )
    await stage.open('/dashboard/leads/lead_1?number=num_2', SCRIPT, 'AGENT')
    await page.locator('[data-action=conversation]').waitFor()
    t.is(await page.locator('[data-action=delete]').count(), 0)
    await stage.open('/dashboard/leads/lead_9?number=num_2', {
      ...SCRIPT,
      'GET /api/v1/leads/lead_9': { status: 404, body: { error: 'no', code: 'LEAD_NOT_FOUND' } },
    })
    await page.locator('[data-code=LEAD_NOT_FOUND]').waitFor()
  },
)

test('only a name that can be typed as it is shown is asked for before a lead is erased', (t) => {
  const id = 'lead_1'
  for (const fullName of ['Ana Souza', " Zoë O'Neil-Brown ", '李小龙', 'محمد علي'])
    t.is(nameToType({ id, fullName }), fullName.trim())
  for (const fullName of [null, '', '  ', 'Ana  Souza', '<b>', 'a\u202Eb', 'x'.repeat(61), 'Ana\nSouza'])
    t.is(nameToType({ id, fullName }), id, String(fullName))
})

// [dashboard.leads.4]
inBrowser('a lead that privacy withholds says why, and keeps where it came from', async (t) => {
  await stage.open('/dashboard/leads/lead_3', SCRIPT)
  const { page } = stage
  await page.locator('[data-notice=PII_RELAY_ONLY]').waitFor()
  const text = await page.innerText('main')
  t.true(text.includes('Newsletter') && text.includes('WINDOW_CLOSED'))
  t.is(await page.locator('[data-field]').count(), 0)
})
