import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { cutOff } from '../helpers/cut-off.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { openSeeded, SEEDED_PAGES } from '../helpers/seeded/pages.ts'

const stage = new DashboardStage(test)

/**
 * CSS px of the window, and the size of the letters: as they are, and twice as large in each way. A window of 1,280 px
 * at a zoom of 200 % has 640 px.
 */
const SIGHTS = [
  [1_280, ''],
  [820, ''],
  [640, ''],
  [360, ''],
  [1_280, '200%'],
  [640, '200%'],
] as const

// One test opens each page once: what differs is how it is looked at.
inBrowser('at 200 %, of the page or of its texts alone, nothing of any page is cut off or out of reach', async (t) => {
  const { page } = stage
  const wrong: string[] = []
  for (const one of SEEDED_PAGES) {
    await openSeeded(stage, one)
    for (const [width, size] of SIGHTS) {
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate((fontSize) => {
        ;(globalThis as any).document.documentElement.style.fontSize = fontSize
      }, size)
      const found = await cutOff(page)
      wrong.push(...found.map((what) => `${one.name}, ${width} px, texts ${size || '100%'}: ${what}`))
    }
  }
  t.deepEqual(wrong, [])
})
