import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import type { Script } from '../helpers/people-scenes.ts'

const stage = new DashboardStage(test)
const PATH = '/api/v1/canned-replies'
const HOSTILE = `<img src=x onerror=alert(1)> \u202E${'w'.repeat(4_000)}`
const HOURS = { id: 'crep_1', shortcut: 'hours', text: 'From 9 to 17', updatedAt: '2026-11-01T10:00:00.000Z' }
const BYE = { ...HOURS, id: 'crep_2', shortcut: 'bye', text: HOSTILE }
const listed = (...cannedReplies: readonly object[]) => ({ body: { cannedReplies } })
const SCRIPT: Script = { [`GET ${PATH}`]: listed(BYE, HOURS) }

inBrowser('canned replies can be read by all in each language, whatever they say', async (t) => {
  const wrong = await stage.looks('/dashboard/inbox/replies', SCRIPT, async () => {
    await stage.page.locator('[data-id=crep_1]').waitFor()
    await stage.page.click('[data-action=new]')
    await stage.page.locator('form[data-form=reply]').waitFor()
  })
  t.deepEqual(wrong, [])
})

// [dashboard.replies.1]
inBrowser('a canned reply is made, changed and deleted once its shortcut is typed', async (t) => {
  await stage.open('/dashboard/inbox/replies', { [`GET ${PATH}`]: listed() })
  const { page } = stage
  await page.locator('[data-empty]').waitFor()
  await page.click('[data-action=new]')
  stage.script({ [`POST ${PATH}`]: { status: 409, body: { error: 'Taken', code: 'CANNED_REPLY_EXISTS' } } })
  await page.fill('[name=shortcut]', 'hours')
  await page.fill('[name=text]', 'From 9 to 17')
  await page.click('form[data-form=reply] [data-action=save]')
  await page.locator('[data-code=CANNED_REPLY_EXISTS]').waitFor()
  stage.script({ [`POST ${PATH}`]: { status: 201, body: HOURS }, [`GET ${PATH}`]: listed(HOURS) })
  await page.click('form[data-form=reply] [data-action=save]')
  await page.locator('[data-id=crep_1]', { hasText: 'From 9 to 17' }).waitFor()
  t.deepEqual(stage.asked.findLast(({ what }) => what === `POST ${PATH}`)?.body, {
    shortcut: 'hours',
    text: 'From 9 to 17',
  })
  t.is(await page.locator('form[data-form=reply]').count(), 0)
  await page.click('[data-id=crep_1] [data-action=edit]')
  const changed = { ...HOURS, text: 'From 8 to 17' }
  stage.script({ [`PATCH ${PATH}/crep_1`]: { body: changed }, [`GET ${PATH}`]: listed(changed) })
  await page.fill('[name=text]', changed.text)
  await page.click('form[data-form=reply] [data-action=save]')
  await page.locator('[data-id=crep_1]', { hasText: 'From 8 to 17' }).waitFor()
  await page.click('[data-id=crep_1] [data-action=delete]')
  t.true(await page.isDisabled('[data-action=confirm]'))
  stage.script({ [`DELETE ${PATH}/crep_1`]: { body: { deleted: true } }, [`GET ${PATH}`]: listed() })
  await page.fill('input[name=confirm]', 'hours')
  await page.click('[data-action=confirm]')
  await page.locator('[data-empty]').waitFor()
  t.deepEqual(await stage.violations(), [])
})
