import test from 'ava'
import { DASHBOARD_PAGES } from '../../src/domain/dashboard-pages.ts'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'

const stage = new DashboardStage(test)

// [dashboard.pages.1] [dashboard.hooks.1]
inBrowser('every page stands at its address under its name, also while the service knows nothing of it', async (t) => {
  for (const { name, path } of DASHBOARD_PAGES) {
    await stage.open(path.replace('{id}', 'none'))
    await stage.shows(name)
    t.is(await stage.page.locator('main').count(), 1, name)
  }
  t.deepEqual(stage.faults, [])
})
