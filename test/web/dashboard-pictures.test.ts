import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { DASHBOARD_PAGES, dashboardPageAt } from '../../src/domain/dashboard-pages.ts'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { keptPicture } from '../helpers/kept-picture.ts'
import { openSeeded, SEEDED_PAGES } from '../helpers/seeded/pages.ts'

const stage = new DashboardStage(test)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Pages whose picture on a phone, in the dark, is shown beside. */
const ON_PHONE = ['overview', 'numbers', 'inbox']

inBrowser('each page is as its picture in the docs shows it (npm run pictures takes them anew)', async (t) => {
  for (const one of SEEDED_PAGES) {
    await stage.page.setViewportSize({ width: 1_280, height: one.height ?? 800 })
    t.deepEqual(await keptPicture(await openSeeded(stage, one), `dashboard-${one.name}`), [], one.name)
    t.deepEqual(stage.faults, [], one.name)
  }
})

inBrowser('a page on a phone in the dark is as its picture in the docs shows it', async (t) => {
  await stage.page.emulateMedia({ colorScheme: 'dark' })
  await stage.page.setViewportSize({ width: 360, height: 740 })
  for (const one of SEEDED_PAGES.filter(({ name }) => ON_PHONE.includes(name)))
    t.deepEqual(await keptPicture(await openSeeded(stage, one), `dashboard-${one.name}-phone`), [], one.name)
})

test('every page of the dashboard has a picture', (t) => {
  const shown = SEEDED_PAGES.map(({ path }) => dashboardPageAt(path.replace(/\?.*/, ''))?.page.name)
  t.deepEqual(
    DASHBOARD_PAGES.map(({ name }) => name).filter((name) => !shown.includes(name)),
    [],
  )
})

test('the picture of every page is shown in the docs', (t) => {
  const guide = readFileSync(`${ROOT}docs/dashboard.md`, 'utf8')
  const names = SEEDED_PAGES.map(({ name }) => name)
  for (const name of [...names, ...ON_PHONE.map((one) => `${one}-phone`)])
    t.true(guide.includes(`pictures/dashboard-${name}.png`), name)
  t.true(readFileSync(`${ROOT}README.md`, 'utf8').includes('pictures/dashboard-overview.png'))
})
