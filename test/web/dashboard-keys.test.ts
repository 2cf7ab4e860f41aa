import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import type { Script } from '../helpers/people-scenes.ts'

const stage = new DashboardStage(test)
const OLD = 'cms_old-key-of-the-front-desk'
const NEW = 'cms_new-key'
const SCRIPT: Script = {
  'GET /api/tenant-key': { body: { keyId: 'key_t', keyLast4: 'wxyz', createdAt: '2026-11-01T10:00:00.000Z' } },
  'GET /api/v1/api-keys': {
    body: [
      {
        numberId: 'num_1',
        number: '5511999990001',
        displayName: 'Front desk',
        keyId: 'key_1',
        keyLast4: 'desk',
        key: OLD,
        revealable: true,
      },
      {
        numberId: 'num_2',
        number: '5511999990002',
        displayName: 'Vendas',
        keyId: 'key_2',
        keyLast4: 'ndas',
        key: null,
        revealable: false,
      },
    ],
  },
}

inBrowser('keys, and the question before one is replaced, can be read by all in each language', async (t) => {
  const wrong = await stage.looks('/dashboard/keys', SCRIPT, async () => {
    await stage.page.click('[data-id=num_1] [data-action=reveal]')
    await stage.page.click('[data-id=num_1] [data-action=rotate]')
    await stage.page.locator('input[name=confirm]').waitFor()
  })
  t.deepEqual(wrong, [])
})

// [dashboard.keys.1]
inBrowser('keys show how they end, and the whole of one that can be shown when somebody asks', async (t) => {
  await stage.open('/dashboard/keys', SCRIPT)
  const { page } = stage
  await page.locator('[data-id=num_1]').waitFor()
  t.true((await page.innerText('[data-id=num_1] [data-last4]')).endsWith('desk'))
  t.true((await page.innerText('[data-tenant-key] [data-last4]')).endsWith('wxyz'))
  t.false((await page.content()).includes(OLD), 'it is not in the page before')
  await page.click('[data-id=num_1] [data-action=reveal]')
  t.is(await page.textContent('[data-id=num_1] [data-secret]'), OLD)
  await page.click('[data-id=num_1] [data-action=reveal]')
  t.is(await page.locator('[data-secret]').count(), 0)
  t.is(await page.locator('[data-id=num_2] [data-action=reveal]').count(), 0)
  t.true((await page.innerText('[data-id=num_2]')).includes('before keys could be shown'))
})

// [keys.routes.2] [dashboard.keys.2]
inBrowser('a key is replaced once the name of its number is typed; the new one is shown once', async (t) => {
  await stage.open('/dashboard/keys', {
    ...SCRIPT,
    'POST /api/v1/api-keys': { body: { numberId: 'num_1', keyId: 'key_9', keyLast4: '-key', key: NEW } },
  })
  const { page } = stage
  await page.click('[data-id=num_1] [data-action=rotate]')
  await page.locator('dialog', { hasText: 'The old key stops at once' }).waitFor()
  t.true(await page.isDisabled('[data-action=confirm]'))
  await page.fill('input[name=confirm]', 'Vendas')
  t.true(await page.isDisabled('[data-action=confirm]'))
  await page.fill('input[name=confirm]', 'Front desk')
  await page.click('[data-action=confirm]')
  await page.locator('[data-secret]', { hasText: NEW }).waitFor()
  t.deepEqual(stage.asked.find(({ what }) => what === 'POST /api/v1/api-keys')?.body, { channelNumberId: 'num_1' })
  t.is(await page.locator('dialog').count(), 0)
  await page.reload()
  await page.locator('[data-id=num_1]').waitFor()
  t.is(await page.locator('[data-secret]').count(), 0)
})

// [sessions.second-door.3] [dashboard.keys.2]
inBrowser('the key of the account stands apart, and is replaced once the name of the account is typed', async (t) => {
  await stage.open('/dashboard/keys', {
    ...SCRIPT,
    'POST /api/v1/api-keys/regenerate': { status: 201, body: { id: 'key_t2', key: NEW } },
  })
  const { page } = stage
  await page.click('[data-tenant-key] [data-action=rotate]')
  await page.fill('input[name=confirm]', 'Acme & Söhne')
  await page.click('[data-action=confirm]')
  await page.locator('[data-tenant-key] [data-secret]', { hasText: NEW }).waitFor()
  t.deepEqual(await stage.violations(), [])
})

inBrowser('an account without a key of its own and without numbers is told so', async (t) => {
  await stage.open('/dashboard/keys', {
    'GET /api/tenant-key': { status: 404, body: { error: 'The account has no key', code: 'NOT_FOUND' } },
    'GET /api/v1/api-keys': { body: [] },
  })
  await stage.page.locator('[data-empty]').waitFor()
  await stage.page.locator('[data-tenant-key]', { hasText: 'has none yet' }).waitFor()
  t.deepEqual(await stage.violations(), [])
})
