import type { Page } from 'playwright-core'
import type { DashboardStage } from '../dashboard-stage.ts'
import { ASKED, GRANT, INTERACTION, SESSION } from '../people-scenes.ts'
import type { Script } from '../people-scenes.ts'
import { ACCOUNT_SCRIPT } from './account.ts'
import { CALLS_SCRIPT } from './calls.ts'
import { HOOKS_SCRIPT } from './hooks.ts'
import { mintSeeded } from './inbox.ts'
import { LEADS_SCRIPT } from './leads.ts'
import { NOW, NUMBERS_SCRIPT } from './numbers.ts'
import { WRITING_SCRIPT } from './writing.ts'

/** The answers of an account that has been at work for a while: long names, several scripts, most states. */
export const SEEDED: Script = {
  ...NUMBERS_SCRIPT,
  ...HOOKS_SCRIPT,
  ...CALLS_SCRIPT,
  ...WRITING_SCRIPT,
  ...LEADS_SCRIPT,
  ...ACCOUNT_SCRIPT,
}

const ASKED_NOW = { ...ASKED, client: { ...ASKED.client, name: 'Meeting assistant' } }
const SIGNED_IN: Script = {
  'GET /api/session': { body: SESSION },
  'GET /api/grants': { body: { grants: [{ ...GRANT, clientName: 'Meeting assistant' }] } },
  [`GET /api/oauth/interactions/${'i'.repeat(43)}`]: { body: ASKED_NOW },
}

const INVITED: Script = {
  'POST /api/invitations/read': {
    body: { email: 'david.levi@acme.example', name: 'דוד לוי', tenant: { name: 'Acme & Söhne' } },
  },
}

/** A page of the dashboard as it is shown with the seeded account. */
export interface SeededPage {
  /** As the file of its picture is named: `dashboard-NAME.png`. */
  readonly name: string
  readonly path: string
  /** What is there once the page shows its data. */
  readonly ready: string
  /** CSS px of the picture; 800 without it. */
  readonly height?: number
  /** What the API answers in place of the seeded account, to somebody who is not signed in unless it says so. */
  readonly said?: Script
  /** What is made before the page is opened, and what the API answers of it. */
  readonly prepare?: (stage: DashboardStage) => Promise<Script>
  /** What is done before the page is looked at. */
  readonly act?: (stage: DashboardStage) => Promise<unknown>
}

const ON_SALES = '?number=num_2'

/** Every page of the dashboard, in the order of its guide. */
export const SEEDED_PAGES: readonly SeededPage[] = [
  { name: 'sign-in', path: '/login', ready: 'main[data-state=sign-in]', said: {} },
  { name: 'account', path: '/login', ready: 'main[data-state=account]', said: SIGNED_IN },
  { name: 'invite', path: '/invite#inv', ready: 'main[data-state=invite]', said: INVITED },
  { name: 'consent', path: INTERACTION, ready: 'main[data-state=consent]', said: SIGNED_IN },
  { name: 'overview', path: '/dashboard', ready: '[data-step]' },
  {
    name: 'inbox',
    path: '/dashboard/inbox',
    ready: 'iframe',
    prepare: mintSeeded,
    act: async ({ page }) => {
      const frame = page.frameLocator('iframe')
      await frame.locator('[data-conversation=conv_1]').click()
      await frame.locator('[data-failure]').waitFor()
    },
  },
  { name: 'calls', path: '/dashboard/calls', ready: '[data-id=call_1]' },
  { name: 'call', path: '/dashboard/calls/call_2', ready: 'main[data-id=call_2] h2' },
  { name: 'numbers', path: '/dashboard/numbers', ready: '[data-id=num_5]' },
  { name: 'number', path: '/dashboard/numbers/num_2', ready: 'main[data-page=number] h2' },
  { name: 'webhooks', path: '/dashboard/webhooks', ready: '[data-id=wh_3]' },
  { name: 'webhook', path: '/dashboard/webhooks/wh_1', ready: '[data-log]' },
  { name: 'templates', path: `/dashboard/templates${ON_SALES}`, ready: '[data-id=tpl_5]' },
  { name: 'template', path: `/dashboard/templates/tpl_1${ON_SALES}`, ready: '[data-preview]' },
  {
    name: 'template-editor',
    path: `/dashboard/templates/new${ON_SALES}`,
    ready: '[name="body.body.text"]',
    act: async ({ page }) => {
      await page.fill('[name=name]', 'order_ready')
      await page.fill('[name="body.body.text"]', 'Hello {{customer}}, your order {{order}} is ready.')
      await page.locator('[data-preview]', { hasText: 'your order' }).waitFor()
    },
  },
  { name: 'flows', path: `/dashboard/flows${ON_SALES}`, ready: '[data-id=flow_4]' },
  { name: 'flow', path: `/dashboard/flows/flow_1${ON_SALES}`, ready: '[data-id=fres_1]' },
  { name: 'leads', path: `/dashboard/leads${ON_SALES}`, ready: '[data-id=lead_4]' },
  { name: 'lead', path: `/dashboard/leads/lead_1${ON_SALES}`, ready: '[data-field]' },
  { name: 'lead-pages', path: `/dashboard/leads/pages${ON_SALES}`, ready: '[data-id="701"]' },
  { name: 'lead-page', path: '/dashboard/leads/pages/700', ready: '[data-id="801"]' },
  { name: 'ads', path: `/dashboard/ads${ON_SALES}`, ready: '[data-chart]' },
  { name: 'usage', path: '/dashboard/usage?startDate=2026-11-10', ready: '[data-table=types]' },
  {
    name: 'events',
    path: '/dashboard/events',
    ready: '[data-tail=live]',
    act: async (stage) => {
      await stage.page.click('[aria-labelledby=stored] [data-action=read]')
      await stage.page.locator('[aria-labelledby=stored] .row[data-id]').first().waitFor()
    },
  },
  { name: 'keys', path: '/dashboard/keys', ready: '[data-id=num_5]' },
  { name: 'people', path: '/dashboard/people', ready: '[data-id=grt_1]' },
  {
    name: 'branding',
    path: '/dashboard/branding',
    ready: 'iframe[data-preview]',
    act: ({ page }) => page.frameLocator('iframe[data-preview]').locator('[data-title]', { hasText: 'Acme' }).waitFor(),
  },
  { name: 'replies', path: '/dashboard/inbox/replies', ready: '[data-id=crep_3]' },
  { name: 'embeds', path: '/dashboard/embeds', ready: '[data-snippet=page]' },
]

/** Opens a page of the seeded account at `NOW`, and waits until its data show. */
export async function openSeeded(stage: DashboardStage, one: SeededPage): Promise<Page> {
  const { page } = stage
  const { path, ready, said, prepare, act } = one
  await page.clock.setFixedTime(NOW)
  const more = await prepare?.(stage)
  await (said === undefined ? stage.open(path, { ...SEEDED, ...more }) : stage.open(path, said, null))
  await page.locator(ready).first().waitFor()
  await act?.(stage)
  return page
}
