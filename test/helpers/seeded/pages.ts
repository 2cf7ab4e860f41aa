import type { Page } from 'playwright-core'
import type { DashboardStage } from '../dashboard-stage.ts'
import type { Script } from '../people-scenes.ts'
import { HOOKS_SCRIPT } from './hooks.ts'
import { NOW, NUMBERS_SCRIPT } from './numbers.ts'

/** The answers of an account that has been at work for a while: long names, several scripts, most states. */
const SEEDED: Script = { ...NUMBERS_SCRIPT, ...HOOKS_SCRIPT }

/** A page of the dashboard as it is shown with the seeded account. */
export interface SeededPage {
  /** As the file of its picture is named: `dashboard-NAME.png`. */
  readonly name: string
  readonly path: string
  /** What is there once the page shows its data. */
  readonly ready: string
  /** CSS px of the picture; 800 without it. */
  readonly height?: number
}

/** Every page of the dashboard, in the order of its guide. */
export const SEEDED_PAGES: readonly SeededPage[] = [
  { name: 'overview', path: '/dashboard', ready: '[data-step]' },
  { name: 'numbers', path: '/dashboard/numbers', ready: '[data-id=num_5]' },
  { name: 'webhooks', path: '/dashboard/webhooks', ready: '[data-id=wh_3]' },
]

/** Opens a page of the seeded account at `NOW`, and waits until its data show. */
export async function openSeeded(stage: DashboardStage, { path, ready }: SeededPage): Promise<Page> {
  const { page } = stage
  await page.clock.setFixedTime(NOW)
  await stage.open(path, SEEDED)
  await page.locator(ready).first().waitFor()
  return page
}
