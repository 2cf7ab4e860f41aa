import { readFileSync } from 'node:fs'
import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { AT, HOSTILE, LEADS_SCRIPT } from '../helpers/leads-shown.ts'
import type { Script } from '../helpers/people-scenes.ts'

const stage = new DashboardStage(test)
const SUMMARY = 'GET /api/v1/referrals/summary'
const ACCESS = '/api/v1/numbers/num_1/ad-access'
const AD = {
  sourceId: '120210000000000001',
  sourceType: 'ad',
  conversations: 40,
  messages: 41,
  lastSourceUrl: 'https://fb.me/x',
  lastHeadline: HOSTILE,
  lastMessageAt: AT,
  adName: 'Spring',
  adsetName: 'Young',
  campaignName: HOSTILE,
  namesResolvedAt: AT,
}
const POST = {
  ...AD,
  sourceId: '9',
  sourceType: 'post',
  adName: null,
  adsetName: null,
  campaignName: null,
  lastSourceUrl: 'javascript:alert(1)',
}
const REFERRAL = {
  id: 'msg_1',
  conversationId: 'conv_1',
  content: HOSTILE,
  from: '5511999990000',
  fromName: HOSTILE,
  redacted: false,
  createdAt: AT,
}
const SHARED = { shared: true, adAccounts: [{ id: 'act_1', name: HOSTILE }], checkedAt: AT }
const SCRIPT: Script = {
  ...LEADS_SCRIPT,
  [SUMMARY]: { body: { ads: [AD, POST], truncated: false } },
  'GET /api/v1/referrals': {
    body: {
      referrals: [REFERRAL, { id: 'msg_2', conversationId: 'conv_2', content: null, redacted: true, createdAt: AT }],
    },
  },
  [`GET ${ACCESS}`]: { body: SHARED },
}
const told = { id: 'evt_1', channelNumberId: 'num_1', timestamp: AT, event: 'messages' }

inBrowser('ads and who wrote from one of them can be read by all in each language', async (t) => {
  const wrong = await stage.looks(`/dashboard/ads?ad=${AD.sourceId}`, SCRIPT, async () => {
    await stage.page.locator('[data-id=msg_2]').waitFor()
    await stage.page.locator('[data-shared=true]').waitFor()
  })
  t.deepEqual(wrong, [])
})

// [dashboard.ads.2] [dashboard.pages.6]
inBrowser(
  'whoever may read chats sees who wrote from an ad, and goes on to the conversation and the leads',
  async (t) => {
    await stage.open('/dashboard/ads?number=num_1&startDate=2026-10-01', SCRIPT)
    const { page } = stage
    await page.click(`[data-id="${AD.sourceId}"] [data-action=people]`)
    await page.locator('[data-id=msg_2]', { hasText: 'Withheld' }).waitFor()
    t.like(
      stage.asked.findLast(({ what }) => what === 'GET /api/v1/referrals'),
      {
        query: { sourceId: AD.sourceId, startDate: '2026-10-01' },
        headers: { 'x-channel-number-id': 'num_1' },
      },
    )
    t.is(
      await page.getAttribute('[data-id=msg_1] [data-conversation]', 'href'),
      '/dashboard/inbox?numberId=num_1&conversationId=conv_1',
    )
    t.is(
      await page.getAttribute(`[data-id="${AD.sourceId}"] [data-leads]`, 'href'),
      `/dashboard/leads?number=num_1&adId=${AD.sourceId}`,
    )
    t.is(await page.locator('[data-source]').count(), 1, 'an address that is not https is no link')
    await page.click('[data-action=close]')
    await page.locator('[data-open]').waitFor({ state: 'detached' })
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=export]')])
    t.true(readFileSync(await file.path(), 'utf8').includes(`${AD.sourceId},Spring,`))

    await stage.open(`/dashboard/ads?ad=${AD.sourceId}`, SCRIPT, 'ANALYST')
    await page.locator('[data-shared=true]').waitFor()
    await page.locator(`[data-id="${AD.sourceId}"]`).waitFor()
    t.is(await page.locator('[data-action=people], [data-open], [data-leads], form[data-form=ad-access]').count(), 0)
  },
)

// [dashboard.ads.3] [dashboard.pages.4]
inBrowser('a click on an ad shows without a reload, and names that are awaited follow', async (t) => {
  const unnamed = { ...AD, adName: null, lastHeadline: 'Run lighter', namesResolvedAt: null }
  await stage.open('/dashboard/ads?number=num_1', { ...SCRIPT, [SUMMARY]: { body: { ads: [unnamed] } } })
  const { page } = stage
  await page.locator(`[data-id="${AD.sourceId}"]`, { hasText: 'Run lighter' }).waitFor()
  stage.script({ [SUMMARY]: { body: { ads: [AD] } } })
  await page.locator(`[data-id="${AD.sourceId}"]`, { hasText: 'Spring' }).waitFor()
  stage.script({ [SUMMARY]: { body: { ads: [AD, POST] } } })
  await stage.tell('event', { ...told, data: { entry: [{ changes: [{ value: { messages: [{ referral: {} }] } }] }] } })
  await page.locator('[data-id="9"]').waitFor()
  t.deepEqual(stage.faults, [])
})

// [dashboard.ads.4]
inBrowser('ad accounts are shared by a token, and taken back once the name of the number is typed', async (t) => {
  const none = { shared: false, adAccounts: [], checkedAt: null }
  const refused = { status: 400, body: { error: 'no', code: 'FEATURE_NOT_SUPPORTED' } }
  await stage.open('/dashboard/ads?number=num_1', { ...SCRIPT, [SUMMARY]: refused, [`GET ${ACCESS}`]: { body: none } })
  const { page } = stage
  await page.locator('[data-code=FEATURE_NOT_SUPPORTED]', { hasText: 'Only official' }).waitFor()
  await page.locator('[data-shared=false]').waitFor()
  const share = page.locator('form[data-form=ad-access]')
  await share.locator('[name=accessToken]').fill('EAAG')
  stage.script({ [`PUT ${ACCESS}`]: { status: 422, body: { error: 'No account', code: 'AD_ACCESS_REJECTED' } } })
  await share.locator('[data-action=save]').click()
  await share.locator('[data-code=AD_ACCESS_REJECTED]', { hasText: 'No account' }).waitFor()
  stage.script({ [`PUT ${ACCESS}`]: { body: SHARED } })
  await share.locator('[data-action=save]').click()
  await page.locator('[data-shared=true] [data-id=act_1]').waitFor()
  t.deepEqual(stage.asked.findLast(({ what }) => what.startsWith('PUT'))?.body, { accessToken: 'EAAG' })
  t.is(await share.locator('[name=accessToken]').inputValue(), '', 'no secret stays in the page')

  await page.click('[data-action=delete]')
  await page.fill('input[name=confirm]', 'Desk num_1')
  stage.script({ [`DELETE ${ACCESS}`]: { body: { deleted: true, id: 'num_1' } }, [`GET ${ACCESS}`]: { body: none } })
  await page.click('[data-action=confirm]')
  await page.locator('[data-shared=false]').waitFor()
  t.deepEqual(await stage.violations(), [])
})
