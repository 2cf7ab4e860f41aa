import test from 'ava'
import type { Role } from '../../src/domain/permissions.ts'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import type { AskedOf } from '../helpers/dashboard-stage.ts'
import {
  framed as framedOn,
  frameOf as frameOn,
  idOf,
  MINT,
  NUMBERS,
  openFramed,
  scriptOf,
  tokenOf,
} from '../helpers/framed-inbox.ts'
import type { Script } from '../helpers/people-scenes.ts'
import { until } from '../helpers/until.ts'

const stage = new DashboardStage(test)

const framed = () => framedOn(stage)
const open = (path: string, script: Script, role?: Role) => openFramed(stage, path, script, role)
const frameOf = (n: number) => frameOn(stage, n)

function asked(what: string): AskedOf[] {
  return stage.asked.filter((one) => one.what === what)
}

inBrowser('the inbox can be read by all in each language, light and dark, and fits 320 px', async (t) => {
  await framed()
  const wrong = await stage.looks('/dashboard/inbox', scriptOf(), async () => {
    await stage.page.locator('[data-unread="3"]').waitFor()
  })
  t.deepEqual(wrong, [])
})

// [dashboard.inbox.1] [dashboard.inbox.2]
inBrowser('the inbox of all numbers is mounted for the address of the dashboard, in its language', async (t) => {
  await open('/dashboard/inbox?lang=pt', scriptOf())
  const frame = await frameOf(1)
  await stage.page.locator('[data-unread="3"]', { hasText: '3 mensagens não lidas' }).waitFor()
  t.deepEqual(
    asked(MINT).map(({ body }) => body),
    [
      {
        surface: 'chat',
        channelNumberIds: ['num_1', 'num_2'],
        allowedOrigins: [stage.origin],
        startConversation: true,
      },
    ],
  )
  const init = await frame.evaluate<any>('self.init')
  t.is(init.locale, 'pt')
  t.is(init.theme.mode, 'auto')
  t.is(init.options.title, 'Caixa de entrada')
  t.is(new URL(frame.url()).searchParams.get('lang'), 'pt')
  t.false(stage.page.url().includes('emb_'))
  await frame.evaluate("tell('chat:unread-count', { count: 0 })")
  await stage.page.locator('[data-unread="0"]').waitFor({ state: 'attached' })
})

inBrowser(
  'a number that is chosen stands in the address, and alone in the session that the inbox then has',
  async (t) => {
    await open('/dashboard/inbox', scriptOf())
    await frameOf(1)
    await stage.page.selectOption('select[name=numberId]', 'num_2')
    await frameOf(2)
    t.is(stage.page.url(), `${stage.origin}/dashboard/inbox?numberId=num_2`)
    t.like(asked(MINT).at(-1)?.body, { channelNumberIds: ['num_2'] })
    await until('the session before is ended', () => asked(`DELETE /api/v1/embed/sessions/${idOf(1)}`).length === 1)
    t.is(await stage.page.locator('iframe').count(), 1)
    await stage.page.reload()
    await frameOf(3)
    t.is(await stage.page.inputValue('select[name=numberId]'), 'num_2')
    t.like(asked(MINT).at(-1)?.body, { channelNumberIds: ['num_2'] })
  },
)

// [dashboard.inbox.5]
inBrowser('the conversation that the address names is open at first, until another number is chosen', async (t) => {
  await open('/dashboard/inbox?numberId=num_1&conversationId=conv_7', scriptOf())
  const frame = await frameOf(1)
  t.is(await frame.evaluate('self.init.options.conversationId'), 'conv_7')
  await stage.page.selectOption('select[name=numberId]', 'num_2')
  const next = await frameOf(2)
  t.is(await next.evaluate('self.init.options.conversationId'), undefined)
  t.notRegex(stage.page.url(), /conversationId/)
})

// [dashboard.inbox.3]
inBrowser('whoever goes to another page ends the session of the inbox, and comes back to a new one', async (t) => {
  await open('/dashboard/inbox', scriptOf())
  await frameOf(1)
  await stage.page.click('nav a[href="/dashboard"]')
  await stage.shows('overview')
  await until('it is ended', () => asked(`DELETE /api/v1/embed/sessions/${idOf(1)}`).length === 1)
  t.is(asked(`DELETE /api/v1/embed/sessions/${idOf(1)}`)[0]?.headers['x-csrf-token'], 'csrf-1')
  t.is(await stage.page.locator('iframe').count(), 0)
  await stage.page.click('nav a[href="/dashboard/inbox"]')
  await frameOf(2)
})

// [dashboard.inbox.3]
inBrowser('a session that is over is followed by another in the same frame, also after a failure', async (t) => {
  const script = scriptOf()
  await open('/dashboard/inbox', script)
  const frame = await frameOf(1)
  await frame.evaluate("tell('session-expired', { reason: 'EXPIRED' })")
  await until('the frame has the next', () =>
    frame.evaluate(`heard.some(([, { token }]) => token === '${tokenOf(2)}')`),
  )
  stage.script({ [MINT]: { status: 503, body: { error: 'away', code: 'UNAVAILABLE' } } })
  await frame.evaluate("tell('session-expired', { reason: 'REVOKED' })")
  await stage.page.locator('[data-fault=SERVER]').waitFor()
  t.deepEqual(await stage.violations(), [])
  stage.script({ [MINT]: script[MINT] ?? {} })
  await stage.page.click('[data-fault] [data-action=retry]')
  await until('the frame has another', () => frame.evaluate(`heard.some(([, { token }]) => token === '${tokenOf(3)}')`))
  t.is(await stage.page.locator('[data-fault]').count(), 0)
  t.is(await stage.page.locator('iframe').count(), 1)
})

inBrowser('an inbox that cannot be shown says why, and is there once it is asked for again', async (t) => {
  await framed()
  await stage.page.route('**/embed/config.json', (route) => route.abort())
  await stage.open('/dashboard/inbox', scriptOf())
  await stage.page.locator('[data-code=NOT_SHOWN]', { hasText: 'The inbox could not be shown.' }).waitFor()
  t.is(await stage.page.locator('[data-inbox] > *').count(), 0)
  await until('its session is ended', () => asked(`DELETE /api/v1/embed/sessions/${idOf(1)}`).length === 1)
  await stage.page.unroute('**/embed/config.json')
  await stage.page.click('[data-fault] [data-action=retry]')
  await frameOf(2)
  const refused = { path: 'allowedOrigins.0', message: 'must be an exact origin' }
  const body = { error: 'Invalid', code: 'VALIDATION', details: [refused] }
  await open('/dashboard/inbox', { ...scriptOf(), [MINT]: { status: 400, body } })
  await stage.page.locator('[data-code=NO_SUCH_ORIGIN]', { hasText: 'by https' }).waitFor()
  t.deepEqual(await stage.violations(), [])
  const gone = { status: 404, body: { error: 'no', code: 'NUMBER_NOT_FOUND' } }
  await open('/dashboard/inbox?numberId=num_9', { ...scriptOf(), [MINT]: gone })
  await stage.page.locator('[data-code=NUMBER_NOT_FOUND]', { hasText: 'There is no such number.' }).waitFor()
  t.like(asked(MINT)[0]?.body, { channelNumberIds: ['num_9'] })
})

// [dashboard.pages.6]
inBrowser(
  'without a number the inbox says what to do, with one it has no filter, and an analyst has none',
  async (t) => {
    await open('/dashboard/inbox', scriptOf([]))
    await stage.page.locator('[data-empty] a[href="/dashboard/numbers"]').waitFor()
    t.is(asked(MINT).length, 0)
    await open('/dashboard/inbox', scriptOf(NUMBERS.slice(1)), 'AGENT')
    await frameOf(1)
    t.is(await stage.page.locator('select').count(), 0)
    await open('/dashboard/inbox', scriptOf(), 'ANALYST')
    await stage.page.locator('h1', { hasText: 'Your role may not see this' }).waitFor()
    t.is(asked(MINT).length, 0)
  },
)

// [dashboard.inbox.1]
inBrowser('more numbers than a session may have are shown as the first 50, and each of the others alone', async (t) => {
  const many = Array.from({ length: 51 }, (_, n) => ({
    id: `num_${n}`,
    name: `Desk ${n}`,
    number: `${5511988880000 + n}`,
  }))
  await open('/dashboard/inbox', scriptOf(many))
  await frameOf(1)
  t.deepEqual(
    (asked(MINT)[0]?.body as any)?.channelNumberIds,
    many.slice(0, 50).map(({ id }) => id),
  )
  await stage.page.locator('.hint', { hasText: '50 numbers together' }).waitFor()
  await stage.page.selectOption('select[name=numberId]', 'num_50')
  await frameOf(2)
  t.like(asked(MINT)[1]?.body, { channelNumberIds: ['num_50'] })
})

// [dashboard.inbox.4]
inBrowser(
  'a number that is added while the inbox is open is offered, and taken in when the person wants it',
  async (t) => {
    await open('/dashboard/inbox', scriptOf(NUMBERS.slice(0, 1)))
    await frameOf(1)
    stage.script({ 'GET /api/v1/numbers': { body: NUMBERS } })
    await stage.tell('number', { id: 'num_2', state: 'CONNECTING', isFullyConnected: false, calling: null })
    await stage.page.locator('[data-added]').waitFor()
    t.is(asked(MINT).length, 1, 'what is typed stays until then')
    await stage.page.locator('select[name=numberId] option[value=num_2]').waitFor({ state: 'attached' })
    await stage.page.click('[data-action=show-added]')
    await frameOf(2)
    t.like(asked(MINT)[1]?.body, { channelNumberIds: ['num_1', 'num_2'] })
    t.is(await stage.page.locator('[data-added]').count(), 0)
  },
)
