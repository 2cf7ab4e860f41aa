import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { cutOff } from '../helpers/cut-off.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { openSeeded, SEEDED_PAGES } from '../helpers/seeded/pages.ts'
import type { SeededPage } from '../helpers/seeded/pages.ts'

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

/** A page in a language whose words are longer than the English ones: in one of two, by its place in the table. */
function inLongWords(one: SeededPage, at: number): SeededPage {
  const [before = '', fragment] = one.path.split('#')
  const lang = `${before.includes('?') ? '&' : '?'}lang=${at % 2 === 0 ? 'es' : 'pt'}`
  return { ...one, path: `${before}${lang}${fragment === undefined ? '' : `#${fragment}`}` }
}

/** What is wrong with a page that is open, in each sight. */
async function wrongOf(name: string): Promise<string[]> {
  const { page } = stage
  const wrong: string[] = []
  for (const [width, size] of SIGHTS) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate((fontSize) => {
      ;(globalThis as any).document.documentElement.style.fontSize = fontSize
    }, size)
    const found = await cutOff(page)
    wrong.push(...found.map((what) => `${name}, ${width} px, texts ${size || '100%'}: ${what}`))
  }
  return wrong
}

// One test opens each page once: what differs is how it is looked at.
inBrowser('at 200 %, of the page or of its texts alone, nothing of any page is cut off or out of reach', async (t) => {
  const wrong: string[] = []
  for (const [at, one] of SEEDED_PAGES.entries()) {
    await openSeeded(stage, inLongWords(one, at))
    wrong.push(...(await wrongOf(one.name)))
  }
  t.deepEqual(wrong, [])
})

/** Forms and questions of pages, by the button that opens them. */
const OPENED = [
  ['numbers', 'new'],
  ['webhooks', 'new'],
  ['inbox', 'handling'],
  ['replies', 'edit'],
  ['people', 'edit'],
  ['flow', 'edit'],
  ['template', 'edit'],
  ['template-editor', 'add-card'],
  ['webhook', 'delete'],
] as const

inBrowser('at 200 % nothing of a form or of a question is cut off or out of reach', async (t) => {
  const wrong: string[] = []
  for (const [at, [name, action]] of OPENED.entries()) {
    const one = SEEDED_PAGES.find((page) => page.name === name)
    if (one === undefined) throw new Error(`no page is called ${name}`)
    await openSeeded(stage, inLongWords(one, at))
    const button = stage.page.locator(`main [data-action=${action}]`).first()
    if (name === 'webhook') await stage.page.locator('summary').last().click()
    await button.click()
    wrong.push(...(await wrongOf(`${name}, ${action}`)))
  }
  t.deepEqual(wrong, [])
})
