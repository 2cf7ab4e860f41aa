import type { NumberState } from './number.ts'
import type { WebhookId } from './webhook.ts'

/** What a new tenant does first, in the order in which it does so. */
export const CHECKLIST_STEPS = [
  'numberConnected',
  'messageSent',
  'callPlaced',
  'webhookDelivered',
  'brandingSet',
  'embedMinted',
] as const
export type ChecklistStep = (typeof CHECKLIST_STEPS)[number]

/** A webhook whose last attempt failed. */
export interface FailingWebhook {
  readonly webhookId: WebhookId
  /** Failed attempts of the last 24 hours. */
  readonly failed24h: number
}

/** How a tenant stands, as the first page of the dashboard shows it. */
export interface Overview {
  /** Numbers by state. */
  readonly numbers: Readonly<Record<NumberState, number>>
  readonly checklist: Readonly<Record<ChecklistStep, boolean>>
  readonly failing: readonly FailingWebhook[]
  readonly liveCalls: number
}
