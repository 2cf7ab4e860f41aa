import type { Locator, Page } from 'playwright-core'

/** The most steps to anything that a page offers: more than any page of the dashboard has places to stop at. */
const MOST_STEPS = 400

/** How a person uses a page. The first element that matches a selector is meant. */
export interface Hands {
  /** Follows a link or presses a button. */
  press(selector: string): Promise<void>
  /** Checks a box. */
  check(selector: string): Promise<void>
  /** Types into a field that is empty. */
  type(selector: string, text: string): Promise<void>
}

export const HANDS: readonly (readonly [name: string, of: (page: Page) => Hands])[] = [
  ['the keyboard', byKeyboard],
  ['the mouse', byMouse],
]

/**
 * Uses nothing but keys: goes to what is meant by Tab and Shift+Tab, which fails where the keyboard does not reach it
 * or where nobody would see that it did.
 */
function byKeyboard(page: Page): Hands {
  return {
    async press(selector) {
      const target = await reach(page, selector)
      await page.keyboard.press((await target.evaluate((element) => element.tagName)) === 'A' ? 'Enter' : 'Space')
    },
    async check(selector) {
      await reach(page, selector)
      await page.keyboard.press('Space')
    },
    async type(selector, text) {
      await reach(page, selector)
      await page.keyboard.type(text)
    },
  }
}

/** Clicks into the middle of what is meant once nothing covers it, and types where it clicked. */
function byMouse(page: Page): Hands {
  const click = (selector: string): Promise<void> => page.locator(selector).first().click()
  return {
    press: click,
    check: click,
    async type(selector, text) {
      await click(selector)
      await page.keyboard.type(text)
    },
  }
}

/**
 * Where the focus is, seen from an element of a page: the key that comes nearer to it; null when it is there. It runs
 * in the page.
 */
function wayTo(target: any): string | null {
  const { activeElement } = target.ownerDocument
  if (activeElement === target) {
    if (!target.matches(':focus-visible')) throw new Error('the focus is not to be seen')
    return null
  }
  const isBehind = (target.compareDocumentPosition(activeElement) & target.DOCUMENT_POSITION_FOLLOWING) !== 0
  return isBehind ? 'Shift+Tab' : 'Tab'
}

async function reach(page: Page, selector: string): Promise<Locator> {
  const target = page.locator(selector).first()
  // A button that waits for an answer takes no focus.
  await page.locator(`:is(${selector}):enabled, a:is(${selector})`).first().waitFor()
  for (let step = 0; step < MOST_STEPS; step++) {
    const key = await target.evaluate(wayTo)
    if (key === null) return target
    await page.keyboard.press(key)
  }
  throw new Error(`the keyboard does not reach ${selector}`)
}
