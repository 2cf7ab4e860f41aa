import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { HARM, harmOn, SHOWN } from '../helpers/hostile-texts.ts'

const stage = new DashboardStage(test)

for (const [path, ready] of SHOWN)
  inBrowser(
    `at 320 px ${path} shows texts that mean harm as texts, whole, and nothing around them moves`,
    async (t) => {
      const { page } = stage
      await page.setViewportSize({ width: 320, height: 800 })
      await stage.open(path, HARM)
      await page.locator(ready).first().waitFor()
      t.deepEqual(await harmOn(page), [])
      t.deepEqual(stage.faults, [])
    },
  )

for (const [path, action] of [
  ['/dashboard/flows/flow_1?number=num_2', 'publish'],
  ['/dashboard/templates/tpl_1?number=num_2', 'delete'],
  ['/dashboard/webhooks/wh_1', 'delete'],
  ['/dashboard/numbers/num_2', 'delete'],
  ['/dashboard/keys', 'rotate'],
] as const)
  inBrowser(`at 320 px the question of ${path} before ${action} shows a name that means harm as a text`, async (t) => {
    const { page } = stage
    await page.setViewportSize({ width: 320, height: 800 })
    await stage.open(path, HARM)
    await page.locator(`main [data-action=${action}]`).first().click()
    await page.locator('dialog[open] input[name=confirm]').waitFor()
    t.deepEqual(await harmOn(page), [])
    t.deepEqual(stage.faults, [])
  })
