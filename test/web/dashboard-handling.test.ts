import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { framed, frameOf, openFramed, scriptOf } from '../helpers/framed-inbox.ts'
import type { Script } from '../helpers/people-scenes.ts'
import { until } from '../helpers/until.ts'

const stage = new DashboardStage(test)
const PATH = '/dashboard/inbox?handling=1&conversationId=conv_1'
const HOSTILE = `<img src=x onerror=alert(1)> \u202E${'w'.repeat(4_000)}`
const [ANA, BEN] = [
  { id: 'usr_1', name: 'Ana' },
  { id: 'usr_2', name: HOSTILE },
]
const AT = '2026-11-01T10:00:00.000Z'
const MINE = { id: 'note_1', author: ANA, text: HOSTILE, createdAt: AT }
const THEIRS = { id: 'note_2', author: BEN, text: 'Call back\nat nine', createdAt: AT }
const NOBODY = { assignee: null, assignedAt: null }
const ASSIGNED = {
  id: 'conv_1',
  numberId: 'num_1',
  from: '5511900000001',
  fromName: HOSTILE,
  unreadCount: 2,
  lastMessageAt: AT,
  assignee: { ...BEN, isActive: false },
  assignedAt: AT,
}
const OTHER = { ...ASSIGNED, id: 'conv_2', numberId: 'num_2', fromName: null }

/** What an account says whose conversation has these notes. */
function handled(...notes: readonly object[]): Script {
  return {
    ...scriptOf(),
    'GET /api/conversations/assignees': { body: { assignees: [ANA, BEN] } },
    'GET /api/conversations/conv_1/assignee': { body: NOBODY },
    'GET /api/conversations/conv_1/notes': { body: { notes, hasMore: false } },
    'GET /api/conversations/assigned': { body: { conversations: [] } },
    'GET /api/conversations/assigned?userId=usr_1': { body: { conversations: [ASSIGNED, OTHER] } },
  }
}

const asked = (what: string) => stage.asked.filter((one) => one.what === what)

inBrowser('notes and assignments can be read by all in each language, whatever they say', async (t) => {
  await framed(stage)
  const wrong = await stage.looks(PATH, handled(MINE, THEIRS), async () => {
    await stage.page.locator('[data-id=note_2]').waitFor()
    await stage.page.locator('[data-id=conv_2]').waitFor()
  })
  t.deepEqual(wrong, [])
})

// [dashboard.inbox.6]
inBrowser('the open conversation is assigned, and what others do with it shows without a reload', async (t) => {
  await openFramed(stage, PATH, handled())
  const { page } = stage
  const whose = page.locator('select[name=userId]')
  await whose.waitFor()
  t.is(await whose.inputValue(), '')
  const put = 'PUT /api/conversations/conv_1/assignee'
  stage.script({ [put]: { status: 404, body: { error: 'No', code: 'USER_NOT_FOUND' } } })
  await whose.selectOption('usr_2')
  await page.locator('[data-code=USER_NOT_FOUND]', { hasText: 'cannot answer any more' }).waitFor()
  await until('the field shows what holds', async () => (await whose.inputValue()) === '')
  const own = { assignee: { ...ANA, isActive: true }, assignedAt: AT }
  stage.script({ [put]: { body: own }, 'GET /api/conversations/conv_1/assignee': { body: own } })
  await page.click('[data-action=take]')
  await until('it is mine', async () => (await whose.inputValue()) === 'usr_1')
  t.deepEqual(asked(put).at(-1)?.body, { userId: 'usr_1' })
  t.is(await page.locator('[data-action=take]').count(), 0)
  t.is(await page.locator('[data-code=USER_NOT_FOUND]').count(), 0)
  const theirs = { assignee: { ...BEN, name: 'Ben', isActive: false }, assignedAt: AT }
  stage.script({ 'GET /api/conversations/conv_1/assignee': { body: theirs } })
  await stage.tell('conversation', { id: 'conv_1', numberId: 'num_1' })
  await page.locator('[data-action=take]').waitFor()
  t.is(await whose.inputValue(), 'usr_2')
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.inbox.6]
inBrowser('a note is left once, is kept while another conversation is open, and is removed when asked', async (t) => {
  await openFramed(stage, PATH, handled(THEIRS), 'AGENT')
  const { page } = stage
  const frame = await frameOf(stage, 1)
  await page.locator('[data-id=note_2]', { hasText: 'Call back' }).waitFor()
  t.is(await page.locator('[data-id=note_2] [data-action=delete]').count(), 0, 'it is of somebody else')
  await page.fill('textarea[name=text]', 'Mine')
  await frame.evaluate("tell('chat:conversation-opened', { conversationId: 'conv_9', channelNumberId: 'num_1' })")
  await page.locator('[data-handling=conv_9]').waitFor()
  t.is(await page.inputValue('textarea[name=text]'), '')
  await frame.evaluate("tell('chat:conversation-opened', { conversationId: 'conv_1', channelNumberId: 'num_1' })")
  await page.locator('[data-handling=conv_1]').waitFor()
  t.is(await page.inputValue('textarea[name=text]'), 'Mine')
  const post = 'POST /api/conversations/conv_1/notes'
  const mine = { ...MINE, text: 'Mine' }
  stage.script({
    [post]: { status: 201, body: mine },
    'GET /api/conversations/conv_1/notes': { body: { notes: [mine, THEIRS] } },
  })
  await page.click('form[data-form=note] [data-action=send]')
  await page.locator('[data-id=note_1]', { hasText: 'Mine' }).waitFor()
  t.deepEqual(
    asked(post).map(({ body }) => body),
    [{ text: 'Mine' }],
  )
  t.is(await page.inputValue('textarea[name=text]'), '')
  t.is(await page.evaluate('document.activeElement.name'), 'text')
  await page.click('[data-id=note_1] [data-action=delete]')
  await page.locator('dialog [data-action=cancel]').click()
  t.is(asked('DELETE /api/conversations/conv_1/notes/note_1').length, 0)
  await page.click('[data-id=note_1] [data-action=delete]')
  t.deepEqual(await stage.violations(), [])
  stage.script({
    'DELETE /api/conversations/conv_1/notes/note_1': { body: { deleted: true, id: 'note_1' } },
    'GET /api/conversations/conv_1/notes': { body: { notes: [], hasMore: false } },
  })
  await page.click('dialog [data-action=confirm]')
  await page.locator('[data-handling] [data-empty]').waitFor()
})

// [dashboard.inbox.6]
inBrowser('an assigned conversation opens in the inbox, and in that of its number when it is not shown', async (t) => {
  await openFramed(stage, '/dashboard/inbox?handling=1&numberId=num_1', handled())
  const { page } = stage
  const frame = await frameOf(stage, 1)
  await page.locator('[data-handling=""]', { hasText: 'Open a conversation' }).waitFor()
  await page.click('[data-id=conv_1] [data-action=open]')
  await until('the frame is told', () =>
    frame.evaluate(
      "heard.some(([type, { conversationId }]) => type === 'chat:open-conversation' && conversationId === 'conv_1')",
    ),
  )
  await page.click('[data-id=conv_2] [data-action=open]')
  const next = await frameOf(stage, 2)
  t.is(await next.evaluate('self.init.options.conversationId'), 'conv_2')
  t.is(new URL(page.url()).searchParams.get('numberId'), 'num_2')
  await page.selectOption('select[name=assignedTo]', '')
  await page.locator('[data-handling] [data-none]').waitFor()
  await page.click('[data-action=handling]')
  t.is(await page.locator('[data-handling]').count(), 0)
  t.is(await page.locator('iframe').count(), 1, 'what is typed in the frame stays')
  t.is((await frameOf(stage, 2)).url(), next.url())
})
