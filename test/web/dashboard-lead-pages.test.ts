import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { backfillSaid, FORM, LINKED, RUNNING, PAGES_SCRIPT as SCRIPT } from '../helpers/leads-shown.ts'

const stage = new DashboardStage(test)
const SETTINGS = 'form[data-form=lead-form]'

/** The newest request of a method. */
function lastOf(method: string) {
  return stage.asked.findLast(({ what }) => what.startsWith(method))
}

inBrowser('linked Pages and their forms can be read by all in each language', async (t) => {
  const { page } = stage
  const wrong = [
    await stage.looks('/dashboard/leads/pages', SCRIPT, () => page.locator('[data-id="701"]').waitFor()),
    await stage.looks('/dashboard/leads/pages/700?form=800', { ...SCRIPT, ...backfillSaid(RUNNING) }, async () => {
      await page.locator(SETTINGS).waitFor()
      await page.locator('[data-import]').waitFor()
    }),
  ]
  t.deepEqual(wrong, [[], []])
})

// [dashboard.leads.6] [dashboard.pages.6]
inBrowser(
  'the Pages of a number stand with their state; a Page is linked with the secrets that were typed',
  async (t) => {
    await stage.open('/dashboard/leads?number=num_2', SCRIPT)
    const { page } = stage
    await page.click('[data-action=pages]')
    await page.locator('[data-id="700"][data-status=SUBSCRIBED]').waitFor()
    await page.locator('[data-id="701"][data-status=TOKEN_REFUSED]', { hasText: '12 leads' }).waitFor()
    t.like(lastOf('GET /api/v1/lead-pages'), { headers: { 'x-channel-number-id': 'num_2' } })

    await page.click('[data-action=new]')
    await page.fill('[name=pageId]', ' 702 ')
    await page.fill('[name=pageAccessToken]', 'EAAG')
    t.deepEqual(await stage.violations(), [])
    const fields = [{ path: 'appId', message: 'is needed: the number has none to take' }]
    stage.script({
      'POST /api/v1/lead-pages': { status: 400, body: { error: 'no', code: 'VALIDATION', details: fields } },
    })
    await page.click('[data-action=create]')
    await page.locator('[data-field-fault]', { hasText: 'is needed' }).waitFor()
    t.deepEqual(lastOf('POST')?.body, { pageId: '702', pageAccessToken: 'EAAG', channelNumberId: 'num_2' })

    const elsewhere = { ...LINKED, pageId: '702', webhook: { ...LINKED.webhook, status: 'OTHER_CALLBACK' } }
    stage.script({ 'POST /api/v1/lead-pages': { status: 201, body: { ...elsewhere, verifyToken: 'verify-1' } } })
    await page.click('[data-action=create]')
    await page.locator('[data-by-hand="702"] [data-secret]', { hasText: 'verify-1' }).waitFor()
    t.deepEqual(await stage.violations(), [])

    await stage.open('/dashboard/leads', SCRIPT, 'AGENT')
    await page.locator('[data-id=lead_1]').waitFor()
    t.is(await page.locator('[data-action=pages]').count(), 0)
  },
)

// [dashboard.leads.7]
inBrowser('the consent and the answer of a form are set with its own questions, faults at their fields', async (t) => {
  await stage.open('/dashboard/leads/pages/700', SCRIPT)
  const { page } = stage
  await page.click('[data-id="800"] [data-action=edit]')
  await page.waitForURL(/form=800/)
  const settings = page.locator(SETTINGS)
  t.is(await settings.locator('[name=consentKey]').inputValue(), 'may_message')
  t.is(await settings.locator('[name="autoSend.templateId"]').inputValue(), 'tpl_1')
  t.is(await settings.locator('option[value=tpl_3]').count(), 0, 'what cannot be sent is not offered')
  t.is(await settings.locator('[name="autoSend.variables.customer.fallback"]').inputValue(), 'friend')
  stage.script({ 'PUT /api/v1/lead-pages/700/forms/800': { body: FORM } })
  await settings.locator('[data-action=save]').click()
  await page.locator('.said', { hasText: 'Saved' }).waitFor()
  t.deepEqual(lastOf('PUT')?.body, { consentKey: FORM.consentKey, autoSend: FORM.autoSend })

  await settings.locator('[name="autoSend.templateId"]').selectOption('tpl_2')
  t.is(await settings.locator('[data-variable]').count(), 1)
  await settings.locator('[name="autoSend.variables.1.field"]').selectOption('model')
  await settings.locator('[name=consentKey]').selectOption('')
  const fields = [{ path: 'autoSend.onlyWithConsent', message: 'needs consentKey, the checkbox that says yes' }]
  stage.script({
    'PUT /api/v1/lead-pages/700/forms/800': { status: 400, body: { error: 'no', code: 'VALIDATION', details: fields } },
  })
  await settings.locator('[data-action=save]').click()
  await page.locator('[data-field-fault]', { hasText: 'needs consentKey' }).waitFor()
  t.deepEqual(lastOf('PUT')?.body, {
    consentKey: null,
    autoSend: {
      templateId: 'tpl_2',
      variables: { 1: { field: 'model' } },
      onlyWithConsent: true,
      skipRecentConversationDays: 7,
    },
  })
  await settings.locator('[name="autoSend.variables.1.field"]').selectOption('')
  await settings.locator('[name="autoSend.variables.1.value"]').fill('a\tb')
  const details = { missing: [], invalid: [{ key: '1', reason: 'TAB' }] }
  stage.script({
    'PUT /api/v1/lead-pages/700/forms/800': {
      status: 400,
      body: { error: 'These values cannot be sent: 1 (TAB)', code: 'INVALID_TEMPLATE_VARIABLE_VALUE', details },
    },
  })
  await settings.locator('[data-action=save]').click()
  await settings.locator('[data-variable="1"] [data-field-fault]', { hasText: '1 (TAB)' }).waitFor()
  t.like(lastOf('PUT')?.body, { autoSend: { variables: { 1: { value: 'a\tb' } } } })
  stage.script({
    'PUT /api/v1/lead-pages/700/forms/800': { body: { ...FORM, consentKey: null, autoSend: null } },
  })
  await settings.locator('[name="autoSend.templateId"]').selectOption('')
  await settings.locator('[data-action=save]').click()
  await page.locator('[data-id="800"]', { hasText: 'Not asked for' }).waitFor()
  t.deepEqual(lastOf('PUT')?.body, { consentKey: null, autoSend: null })
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.leads.8]
inBrowser('a Page is given a new token, asked for its state, and unlinked once its name is typed', async (t) => {
  const dead = { ...LINKED, isTokenValid: false, pendingLeads: 3 }
  await stage.open('/dashboard/leads/pages/700', {
    ...SCRIPT,
    'GET /api/v1/lead-pages/700': { body: dead },
    'GET /api/v1/lead-pages/700/forms': {
      status: 422,
      body: { error: 'Error validating access token', code: 'LEAD_PAGE_REJECTED' },
    },
  })
  const { page } = stage
  await page.locator('main[data-status=TOKEN_REFUSED]', { hasText: '3 leads' }).waitFor()
  await page.locator('[data-code=LEAD_PAGE_REJECTED]', { hasText: 'validating access token' }).waitFor()
  stage.script({
    'PATCH /api/v1/lead-pages/700': { body: LINKED },
    'GET /api/v1/lead-pages/700': { body: LINKED },
  })
  await page.fill('[name=pageAccessToken]', 'EAAGnew')
  await page.click('form[data-form=lead-page] [data-action=save]')
  await page.locator('main[data-status=SUBSCRIBED]').waitFor()
  t.deepEqual(lastOf('PATCH')?.body, { pageAccessToken: 'EAAGnew' })
  t.is(await page.inputValue('[name=pageAccessToken]'), '', 'no secret stays in the page')

  const away = { ...LINKED, webhook: { ...LINKED.webhook, status: 'NOT_SUBSCRIBED' } }
  stage.script({ 'GET /api/v1/lead-pages/700?refresh=1': { body: away } })
  await page.click('[data-action=refresh]')
  await page.locator('main[data-status=NOT_SUBSCRIBED]').waitFor()

  await page.click('[data-action=delete]')
  await page.fill('input[name=confirm]', 'Shop')
  stage.script({ 'DELETE /api/v1/lead-pages/700': { body: { deleted: true, id: '700' } } })
  await page.click('[data-action=confirm]')
  await page.locator('main[data-page=lead-pages]').waitFor()
  t.regex(page.url(), /number=num_1/)
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.leads.9]
inBrowser('an import shows how far it is while it runs, and then what it brought or why it failed', async (t) => {
  await stage.open('/dashboard/leads/pages/700?form=800', SCRIPT)
  const { page } = stage
  const start = page.locator('form[data-form=backfill] [data-action=create]')
  await start.waitFor()
  t.is(await page.locator('[data-import]').count(), 0)
  const post = 'POST /api/v1/lead-pages/700/forms/800/backfill'
  stage.script({ [post]: { status: 400, body: { error: 'no', code: 'INVALID_DATE_RANGE' } } })
  await page.fill('[name=since]', '2026-10-02')
  await page.fill('[name=until]', '2026-10-01')
  await start.click()
  await page.locator('[data-code=INVALID_DATE_RANGE]').waitFor()

  const begun = { ...RUNNING, read: 0, imported: 0, duplicates: 0, waitingUntil: null }
  stage.script({ [post]: { status: 202, body: begun }, ...backfillSaid(begun) })
  await page.fill('[name=until]', '')
  await start.click()
  await page.locator('[data-import=lbf_1][data-status=RUNNING] progress').waitFor()
  t.deepEqual(lastOf('POST')?.body, { since: '2026-10-02' })
  t.true(await start.isDisabled())
  stage.script(backfillSaid(RUNNING))
  await page.locator('[data-count=read]', { hasText: '200' }).waitFor()
  await page.locator('[data-waiting]').waitFor()
  stage.script(
    backfillSaid({
      ...RUNNING,
      status: 'DONE',
      read: 240,
      imported: 215,
      duplicates: 25,
      waitingUntil: null,
      finishedAt: RUNNING.since,
    }),
  )
  await page.locator('[data-import][data-status=DONE]').waitFor()
  t.regex(await page.innerText('[data-count=imported]'), /215/)
  t.regex(await page.innerText('[data-count=duplicates]'), /25/)
  t.false(await start.isDisabled())
  const asked = stage.asked.length
  t.deepEqual(await stage.violations(), [])
  t.is(stage.asked.length, asked, 'what has ended is read no more')

  const failed = { ...RUNNING, status: 'FAILED', errorCode: 'LEAD_PAGE_REJECTED', errorMessage: 'Bad token' }
  stage.script({ [post]: { status: 409, body: { error: 'no', code: 'BACKFILL_RUNNING' } }, ...backfillSaid(failed) })
  await start.click()
  await page.locator('[data-code=BACKFILL_RUNNING]').waitFor()
  await page
    .locator('[data-import][data-status=FAILED] [data-code=LEAD_PAGE_REJECTED]', { hasText: 'Bad token' })
    .waitFor()
})
