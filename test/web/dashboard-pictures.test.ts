import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import sharp from 'sharp'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'

const stage = new DashboardStage(test)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const OVERVIEW = {
  numbers: { OPEN: 3, CONNECTING: 1, CLOSE: 0 },
  checklist: {
    numberConnected: true,
    messageSent: true,
    callPlaced: true,
    webhookDelivered: false,
    brandingSet: false,
    embedMinted: false,
  },
  failing: [{ webhookId: 'wh_01m8dtsv3k6tmyd4xg5sxcjp7v', failed24h: 12 }],
  liveCalls: 2,
  sandbox: null,
}
const SCRIPT = {
  'GET /api/overview': { body: OVERVIEW },
  'GET /api/v1/numbers': { body: [{ id: 'num_1', name: 'Sales', number: '5511988887777', provider: 'UNOFFICIAL' }] },
}

/** [width, height] of the picture in docs/pictures. */
const SIZE = [1_280, 800] as const

inBrowser('a picture of the dashboard is taken for the docs (WRITE_PICTURES=1 keeps it)', async (t) => {
  await stage.open('/dashboard', SCRIPT)
  await stage.page.locator('[data-step]').first().waitFor()
  const picture = sharp(await stage.page.screenshot({ animations: 'disabled' })).png({
    palette: true,
    compressionLevel: 9,
    effort: 10,
  })
  const [width, height] = SIZE
  t.like(await picture.metadata(), { width, height })
  if (process.env['WRITE_PICTURES'] === '1') await picture.toFile(`${ROOT}docs/pictures/dashboard-overview.png`)
})

test('the picture of the dashboard is there and is shown in the docs', (t) => {
  t.true(existsSync(`${ROOT}docs/pictures/dashboard-overview.png`))
  for (const guide of ['README.md', 'docs/dashboard.md'])
    t.true(readFileSync(`${ROOT}${guide}`, 'utf8').includes('pictures/dashboard-overview.png'), guide)
})
