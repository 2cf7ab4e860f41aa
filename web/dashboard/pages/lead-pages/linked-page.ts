import type { AutoSend, PageWebhookStatus } from '../../../../src/domain/lead.ts'
import type { words as english } from '../../../words/dashboard/lead-pages/en.ts'
import type { Like } from '../../../words/language.ts'
import type { Tone } from '../../ground/shown.tsx'

export type LeadPagesWords = Like<typeof english>

/** A linked Page as the service answers it ([leads.pages.1]). */
export interface LinkedPage {
  readonly pageId: string
  readonly pageName: string | null
  readonly channelNumberId: string
  readonly appId: string
  readonly webhook: { readonly url: string; readonly status: PageWebhookStatus }
  readonly isTokenValid: boolean
  readonly pendingLeads: number
  readonly lastLeadAt: string | null
  readonly createdAt: string
}

/** The answer to a link, the one that has the verify token. */
export interface CreatedPage extends LinkedPage {
  readonly verifyToken: string
}

/** A form of a Page as the service answers it ([leads.pages.2]). */
export interface LeadForm {
  readonly formId: string
  readonly formName: string | null
  /** Upstream's own word. */
  readonly status: string
  readonly questions: readonly { readonly key: string; readonly label: string }[]
  readonly checkboxes: readonly { readonly key: string; readonly text: string; readonly isRequired: boolean }[]
  readonly consentKey: string | null
  readonly autoSend: (Omit<AutoSend, 'templateId'> & { readonly templateId: string }) | null
  readonly hasBackfill: boolean
}

/** An import of a form's leads as the service answers it ([leads.pages.3]). */
export interface Backfill {
  readonly id: string
  readonly status: 'RUNNING' | 'DONE' | 'FAILED'
  readonly since: string
  readonly until: string
  readonly read: number
  readonly imported: number
  readonly duplicates: number
  readonly waitingUntil: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly finishedAt: string | null
}

/** How a Page stands: what its webhook hears of, or that its token is refused, which matters more. */
export type Standing = PageWebhookStatus | 'TOKEN_REFUSED'

export function standingOf({ isTokenValid, webhook }: LinkedPage): Standing {
  return isTokenValid ? webhook.status : 'TOKEN_REFUSED'
}

export const STANDING_TONES: Readonly<Record<Standing, Tone>> = {
  SUBSCRIBED: 'good',
  OTHER_CALLBACK: 'warn',
  NOT_SUBSCRIBED: 'warn',
  TOKEN_REFUSED: 'bad',
}

/** Where the Pages of a number are listed. */
export function pagesPath(number: string): string {
  return `/dashboard/leads/pages?number=${encodeURIComponent(number)}`
}

/** The address of a Page of the network in the dashboard. */
export function pagePath({ pageId }: { readonly pageId: string }): string {
  return `/dashboard/leads/pages/${encodeURIComponent(pageId)}`
}
