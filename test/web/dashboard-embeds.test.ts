import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import type { Script } from '../helpers/people-scenes.ts'

const stage = new DashboardStage(test)
const HOSTILE = '<img src=x onerror="document.title=1">\u0645\u0631\u062D\u0628\u0627'
const NUMBERS = [
  { id: 'num_1', name: HOSTILE, number: '5511988887777', provider: 'UNOFFICIAL', state: 'OPEN' },
  { id: 'num_2', name: 'W'.repeat(60), number: '5511988887778', provider: 'OFFICIAL', state: 'OPEN' },
]
const FIRST = 'emb_00000000000000000000000001'
const SECOND = 'emb_00000000000000000000000002'
const session = (id: string, more: object = {}) => ({
  id,
  surface: 'chat',
  channelNumberIds: ['num_1'],
  allowedOrigins: ['https://crm.example', `https://${'w'.repeat(60)}.example`],
  createdAt: '2026-11-01T10:00:00.000Z',
  lastUsedAt: null,
  expiresAt: '2036-11-01T10:15:00.000Z',
  maxExpiresAt: '2036-11-01T22:00:00.000Z',
  ...more,
})
const SESSIONS = [session(SECOND, { surface: 'connect', channelNumberIds: [] }), session(FIRST)]
const SCRIPT: Script = {
  'GET /api/v1/numbers': { body: NUMBERS },
  'GET /api/v1/embed/sessions': { body: { sessions: SESSIONS } },
}
const TOKEN = `${FIRST}.${'s'.repeat(43)}`

async function opened(script: Script = SCRIPT, role: 'OWNER' | 'AGENT' = 'OWNER'): Promise<void> {
  await stage.open('/dashboard/embeds', script, role)
  await stage.page.locator('[data-snippet=page]').waitFor()
  await stage.page.locator('form[data-form=embed]').waitFor()
}

inBrowser(
  'embeds can be read by all in each language, light and dark, and fit 320 px, whatever names say',
  async (t) => {
    const wrong = await stage.looks('/dashboard/embeds', SCRIPT, async () => {
      await stage.page.locator('[data-snippet=page]').waitFor()
      await stage.page.locator(`[data-id=${FIRST}]`).waitFor()
      await stage.page.locator('form[data-form=embed]').waitFor()
    })
    t.deepEqual(wrong, [])
    t.true((await stage.page.innerText('form[data-form=embed]')).includes(HOSTILE), 'a text, not an element')
  },
)

// [dashboard.embeds.1] [embeds.routes.1]
inBrowser('a session is made for the chosen numbers and origins, and its token is shown once', async (t) => {
  await opened()
  const { page } = stage
  await page.check('[name=channelNumberIds][value=num_1]')
  await page.fill('[name=allowedOrigins]', 'https://crm.example\nhttp://localhost:8080\nhttps://crm.example')
  await page.check('[name=startConversation]')
  await page.fill('[name=ttlSeconds]', '600')
  const made = session(FIRST, { token: TOKEN, expiresAt: '2036-11-01T10:20:00.000Z' })
  stage.script({ 'POST /api/v1/embed/sessions': { status: 201, body: made } })
  await page.click('form[data-form=embed] [data-action=create]')
  t.is(await page.innerText('[data-minted] [data-secret]'), TOKEN)
  const sent = stage.asked.find(({ what }) => what === 'POST /api/v1/embed/sessions')
  t.deepEqual(sent?.body, {
    surface: 'chat',
    channelNumberIds: ['num_1'],
    allowedOrigins: ['https://crm.example', 'http://localhost:8080'],
    startConversation: true,
    ttlSeconds: 600,
  })
  t.false(page.url().includes(TOKEN))
  t.deepEqual(await stage.violations(), [])
  await page.reload()
  await page.locator('[data-snippet=page]').waitFor()
  t.false((await page.content()).includes(TOKEN))
})

// [dashboard.embeds.1] [embeds.origins.1] [embeds.origins.2]
inBrowser(
  'what is no origin is named with the one that is meant, and nothing is sent before it is mended',
  async (t) => {
    await opened()
    const { page } = stage
    const create = () => page.click('form[data-form=embed] [data-action=create]')
    await page.fill('[name=allowedOrigins]', 'https://crm.example')
    await create()
    t.is(await page.innerText('[data-wrong]'), 'Choose at least one number.')
    await page.check('[name=channelNumberIds][value=num_2]')
    await page.fill('[name=allowedOrigins]', 'https://crm.example/inbox?a=1')
    await create()
    await page.locator('[data-wrong]', { hasText: 'Do you mean https://crm.example?' }).waitFor()
    await page.fill('[name=allowedOrigins]', 'https://*.crm.example')
    await create()
    await page.locator('[data-wrong]', { hasText: 'https://*.crm.example is no exact origin: https' }).waitFor()
    t.false(stage.asked.some(({ what }) => what.startsWith('POST')))
    t.deepEqual(await stage.violations(), [])
    await page.selectOption('[name=surface]', 'connect')
    t.is(await page.locator('[name=startConversation]').count(), 0, 'a connect page starts nothing')
    await page.uncheck('[name=channelNumberIds][value=num_2]')
    await page.fill('[name=allowedOrigins]', 'https://crm.example')
    stage.script({ 'POST /api/v1/embed/sessions': { status: 404, body: { error: 'no', code: 'NUMBER_NOT_FOUND' } } })
    await create()
    await page.locator('[data-code=NUMBER_NOT_FOUND]').waitFor()
    const sent = stage.asked.find(({ what }) => what.startsWith('POST'))
    t.deepEqual(sent?.body, { surface: 'connect', allowedOrigins: ['https://crm.example'] }, 'none is all numbers')
  },
)

// [dashboard.embeds.2]
inBrowser(
  'live sessions show what they open and to whom, and a revoked one is gone, also when it was over already',
  async (t) => {
    await opened()
    const { page } = stage
    t.deepEqual(
      await page
        .locator('.embed-sessions [role=listitem]')
        .evaluateAll((rows: any[]) => rows.map((row) => row.dataset.id)),
      [SECOND, FIRST],
    )
    t.true((await page.innerText(`[data-id=${SECOND}]`)).includes('all numbers'))
    t.true((await page.innerText(`[data-id=${FIRST}]`)).includes(HOSTILE))
    stage.script({
      [`DELETE /api/v1/embed/sessions/${FIRST}`]: { body: { revoked: true, id: FIRST } },
      [`DELETE /api/v1/embed/sessions/${SECOND}`]: {
        status: 404,
        body: { error: 'no', code: 'EMBED_SESSION_NOT_FOUND' },
      },
    })
    await page.click(`[data-id=${FIRST}] [data-action=delete]`)
    await page.locator(`[data-id=${FIRST}]`).waitFor({ state: 'detached' })
    await page.click(`[data-id=${SECOND}] [data-action=delete]`)
    await page.locator('.embed-sessions [data-empty]').waitFor()
    t.is(stage.asked.filter(({ what }) => what.startsWith('DELETE')).length, 2)
    t.deepEqual(await stage.violations(), [])
  },
)

// [dashboard.embeds.2]
inBrowser('a session that ends leaves the list by itself', async (t) => {
  const ends = session(FIRST, { expiresAt: new Date(Date.now() + 1_000).toISOString() })
  await opened({ ...SCRIPT, 'GET /api/v1/embed/sessions': { body: { sessions: [ends] } } })
  await stage.page.locator(`[data-id=${FIRST}]`).waitFor()
  stage.script({ 'GET /api/v1/embed/sessions': { body: { sessions: [] } } })
  await stage.page.locator('.embed-sessions [data-empty]').waitFor()
  t.pass()
})

// [dashboard.embeds.3] [sdk.files.3]
inBrowser('the code to copy names the newest script with the integrity that the service tells', async (t) => {
  await opened()
  const { page } = stage
  const files = (await (await fetch(`${stage.origin}/embed/versions.json`)).json()) as any
  const [newest] = files.versions
  const code = await page.innerText('[data-snippet=page]')
  t.true(code.includes(`<script src="${newest.url}" integrity="${newest.integrity}" crossorigin="anonymous">`))
  t.true(code.includes('Channel.chat.mount('))
  await page.selectOption('[name=snippetSurface]', 'connect')
  await page.locator('[data-snippet=page]', { hasText: 'Channel.connect.mount(' }).waitFor()
  t.true((await page.innerText('[data-snippet=backend]')).includes(`${stage.origin}/v1/embed/sessions`))
  t.true((await page.innerText('[data-snippet=backend]')).includes('$TENANT_KEY'))
})

// [dashboard.embeds.4] [embeds.diagnose.1]
inBrowser(
  'the doctor says whether the session allows a page, whether browsers show the frame, and what its policy lacks',
  async (t) => {
    await opened()
    const { page } = stage
    const look = async (origin: string, policy: string, diagnosis: object) => {
      stage.script({ 'GET /api/public/embed/diagnose': { body: diagnosis } })
      await page.fill('form[data-form=doctor] [name=origin]', origin)
      await page.fill('form[data-form=doctor] [name=policy]', policy)
      await page.click('form[data-form=doctor] [data-action=save]')
      await page.locator('[data-check=policy]').waitFor()
      const good = await page
        .locator('[data-check]')
        .evaluateAll((checks: any[]) => checks.map(({ dataset }) => [dataset.check, dataset.good]))
      return Object.fromEntries(good) as Record<string, string>
    }
    await page.selectOption('form[data-form=doctor] [name=s]', FIRST)
    const yes = { ok: true, reason: null, hint: null }
    t.deepEqual(await look('https://crm.example', '', yes), { allowed: 'true', framed: 'true', policy: 'true' })
    t.deepEqual(stage.asked.find(({ what }) => what.endsWith('/diagnose'))?.query, {
      s: FIRST,
      origin: 'https://crm.example',
    })
    const no = { ok: false, reason: 'ORIGIN_NOT_ALLOWED', hint: null }
    t.deepEqual(await look(`${HOSTILE}/x`, "default-src 'self'", no), {
      allowed: 'false',
      framed: 'false',
      policy: 'false',
    })
    t.true((await page.innerText('[data-check=allowed]')).includes(HOSTILE), 'a text, not an element')
    t.deepEqual(
      await page.locator('[data-missing] code').allInnerTexts(),
      ['script-src', 'connect-src', 'frame-src'].map((directive) => `${directive} ${stage.origin}`),
    )
    t.deepEqual(await stage.violations(), [])
    await look('https://crm.example', '', { ok: false, reason: 'SESSION_NOT_LIVE', hint: null })
    t.is(await page.innerText('[data-check=allowed]'), 'This session is not live any more. Make a new one.')
  },
)

// [dashboard.embeds.5]
inBrowser(
  'the inbox is tried in the page by the script itself, under the policy of the page, and its session ends with it',
  async (t) => {
    await opened()
    const { page } = stage
    stage.script({
      'POST /api/v1/embed/sessions': { status: 201, body: session(FIRST, { token: TOKEN }) },
      [`DELETE /api/v1/embed/sessions/${FIRST}`]: { body: { revoked: true, id: FIRST } },
    })
    await page.click('form[data-form=demo] [data-action=create]')
    await page.locator('.demo-place iframe[src]').waitFor({ state: 'attached' })
    t.deepEqual(stage.asked.find(({ what }) => what === 'POST /api/v1/embed/sessions')?.body, {
      surface: 'chat',
      channelNumberIds: ['num_1'],
      allowedOrigins: [stage.origin],
      ttlSeconds: 300,
    })
    t.is(await page.locator('script[integrity^="sha384-"]').getAttribute('crossorigin'), 'anonymous')
    t.true((await page.getAttribute('.demo-place iframe', 'src'))?.startsWith(`${stage.origin}/chat?s=${FIRST}`))
    await page.click('[data-demo] [data-action=close]')
    await page.locator('[data-demo=closed]').waitFor()
    await page.locator('.demo-place iframe').waitFor({ state: 'detached' })
    await page.locator('form[data-form=demo]').waitFor()
    t.true(stage.asked.some(({ what }) => what === `DELETE /api/v1/embed/sessions/${FIRST}`))
  },
)

// [dashboard.pages.6]
inBrowser('an agent, who may send messages, makes sessions too; an analyst does not see the page', async (t) => {
  await opened(SCRIPT, 'AGENT')
  t.is(await stage.page.locator('form[data-form=embed]').count(), 1)
  await stage.open('/dashboard/embeds', SCRIPT, 'ANALYST')
  await stage.page.locator('h1', { hasText: 'Your role may not see this' }).waitFor()
})
