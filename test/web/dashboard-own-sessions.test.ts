import test from 'ava'
import { browserNameOf } from '../../web/dashboard/pages/people/browser-name.ts'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage, sessionOf } from '../helpers/dashboard-stage.ts'
import { GRANTS, SESSIONS, TEAM } from '../helpers/people-page-scenes.ts'
import type { Script } from '../helpers/people-scenes.ts'

const stage = new DashboardStage(test)

async function open(script: Script = {}): Promise<void> {
  await stage.open('/dashboard/people', { ...TEAM, ...script })
  await stage.page.locator('[data-id^=ses_]').first().waitFor()
  await stage.page.locator('[data-id=grt_1]').waitFor()
}

async function sessionIds(): Promise<(string | null)[]> {
  const rows = await stage.page.locator('[data-id^=ses_]').all()
  return await Promise.all(rows.map((row) => row.getAttribute('data-id')))
}

function ended(): string[] {
  return stage.asked.flatMap(({ what }) => (what.startsWith('DELETE ') ? [what] : []))
}

// [dashboard.people.6]
inBrowser('apps stand with who let them in, their numbers, what they may do and when they were used', async (t) => {
  await open()
  const rows = stage.page.locator('[data-id=grt_1] > *')
  const cells = await rows.allInnerTexts()
  t.deepEqual(
    cells.slice(0, 5).map((cell) => cell.split('\n').filter(Boolean)),
    [
      ['Assistant <img src=x>', 'c1', 'Tools for AI agents'],
      ['Read messages, media, leads and referrals', 'See calls'],
      ['Front <b>desk +5511999990001', 'num_9'],
      ['Let in by:', 'bob@acme.example'],
      ['Last used:', 'never'],
    ],
  )
  t.is(await stage.page.locator('main img').count(), 0)
  const wide = stage.page.locator('[data-id=grt_2]')
  t.true((await wide.innerText()).includes('All numbers'))
  t.is(await wide.locator('li').first().isVisible(), false, 'a long list is counted')
  await wide.locator('summary', { hasText: '5 permissions' }).click()
  t.is(await wide.locator('li').first().isVisible(), true)
})

// [dashboard.people.6]
inBrowser('an app is shut out; one that is out already is told, and leaves the list', async (t) => {
  await open({ 'DELETE /api/grants/grt_1': { body: { deleted: true, id: 'grt_1' } } })
  stage.script({ 'GET /api/grants': { body: { grants: GRANTS.slice(1) } } })
  await stage.page.click('[data-id=grt_1] [data-action=end-grant]')
  await stage.page.locator('[data-id=grt_1]').waitFor({ state: 'detached' })
  await stage.page.locator('.said', { hasText: 'Assistant <img src=x> can do nothing more.' }).waitFor()
  stage.script({
    'GET /api/grants': { body: { grants: [] } },
    'DELETE /api/grants/grt_2': { status: 404, body: { error: 'no', code: 'GRANT_NOT_FOUND' } },
  })
  await stage.page.click('[data-id=grt_2] [data-action=end-grant]')
  t.is(await stage.page.innerText('[data-code=GRANT_NOT_FOUND]'), 'This had ended already.')
  await stage.page.locator('[data-empty]', { hasText: 'Nobody has let an app in.' }).waitFor()
})

// [dashboard.people.7]
inBrowser('a person sees the own sessions alone, and ends one; this one is ended by signing out', async (t) => {
  await open({ 'DELETE /api/sessions/ses_2': { body: { ended: true } } })
  t.deepEqual(await sessionIds(), ['ses_1', 'ses_2', 'ses_3'])
  t.is(await stage.page.innerText('[data-id=ses_1] > * >> nth=0'), 'Firefox, Windows')
  t.is(await stage.page.innerText('[data-id=ses_2] > * >> nth=0'), 'curl/8 <b>')
  t.is(await stage.page.locator('[data-id=ses_1] [data-action]').count(), 0)
  stage.script({ 'GET /api/sessions': { body: { sessions: [SESSIONS[0], SESSIONS[2]] } } })
  await stage.page.click('[data-id=ses_2] [data-action=end-session]')
  await stage.page.locator('[data-id=ses_2]').waitFor({ state: 'detached' })
  t.deepEqual(ended(), ['DELETE /api/sessions/ses_2'])
  t.is(await stage.page.innerText(':focus'), 'Your sessions')
})

// [dashboard.people.7]
inBrowser('all other own sessions end together, those of other people do not', async (t) => {
  await open({
    'DELETE /api/sessions/ses_2': { status: 404, body: { error: 'No such session in this account' } },
    'DELETE /api/sessions/ses_3': { body: { ended: true } },
  })
  stage.script({ 'GET /api/sessions': { body: { sessions: [SESSIONS[0], SESSIONS[3]] } } })
  await stage.page.click('[data-action=end-others]')
  await stage.page.locator('.said', { hasText: 'You are signed out everywhere else.' }).waitFor()
  t.deepEqual(ended(), ['DELETE /api/sessions/ses_2', 'DELETE /api/sessions/ses_3'])
  await stage.page.locator('[data-action=end-others]').waitFor({ state: 'detached' })
  t.deepEqual(await sessionIds(), ['ses_1'])
})

inBrowser('a session that cannot be ended stays in the list, with the reason', async (t) => {
  await open({ 'DELETE /api/sessions/ses_2': { status: 503, body: { error: 'away' } } })
  await stage.page.click('[data-action=end-others]')
  await stage.page.locator('[data-fault=SERVER]').waitFor()
  t.deepEqual(ended(), ['DELETE /api/sessions/ses_2'])
  t.deepEqual(await sessionIds(), ['ses_1', 'ses_2', 'ses_3'])
})

// [dashboard.people.7] [people.permissions.14]
inBrowser('who came by key or link sees the sessions that were opened so', async (t) => {
  await open({ 'GET /api/session': { body: { ...sessionOf('OWNER'), user: null } } })
  t.deepEqual(await sessionIds(), ['ses_5'])
  t.true((await stage.page.innerText('section.sessions')).includes('by key or link'))
})

test('a browser goes by its name and system, and by what it sent where those are unknown', (t) => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const named = {
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/143.0 Safari/537.36 Edg/143.0`]: 'Edge, Windows',
    [`Mozilla/5.0 (Linux; Android 16) ${webkit} Chrome/143.0 Mobile Safari/537.36`]: 'Chrome, Android',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile Safari/604.1': 'Safari, iPhone',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox, Linux',
    'curl/8.1': 'curl/8.1',
    'Firefox/1': 'Firefox',
  }
  t.deepEqual(Object.keys(named).map(browserNameOf), Object.values(named))
})
