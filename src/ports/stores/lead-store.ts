import type { NewEvent } from '../../domain/events.ts'
import type { ConversationId, LeadId, MessageId, NumberId, TemplateId, TenantId } from '../../domain/ids.ts'
import type { Lead, LeadAd, LeadFormSettings, LeadPerson, SkipReason } from '../../domain/lead.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { Retention } from '../../domain/retention.ts'
import type { Page, Paged } from './message-store.ts'

/** A lead as it was read upstream, about to be stored. */
export interface CapturedLead
  extends
    LeadPerson,
    LeadAd,
    Pick<
      Lead,
      'leadgenId' | 'pageId' | 'pageName' | 'formId' | 'formName' | 'platform' | 'isOrganic' | 'source' | 'createdAt'
    > {}

/** The facts that storing depends on, read in the same transaction. */
export interface StoringFacts {
  readonly id: LeadId
  readonly tenantId: TenantId
  readonly number: NumberRef
  readonly retention: Retention
  readonly settings: LeadFormSettings
  readonly now: Date
  /** Finds the number's conversation with the phone, by the digits that conversations have; null when there is none. */
  conversationWith(phoneDigits: string): Promise<{ readonly id: ConversationId; readonly lastMessageAt: Date } | null>
  /** True when a lead of the same form and phone is being answered, or was, since then. */
  wasAnsweredSince(phoneDigits: string, since: Date): Promise<boolean>
}

/** The part of the template's send that is kept until it is accepted; sealed at rest, and deleted afterwards. */
export interface AutoSendOrder {
  readonly templateId: TemplateId
  /** Digits. */
  readonly to: string
  readonly variables: Readonly<Record<string, string>>
}

export type AutoSendDecision =
  | { readonly status: 'none' }
  | { readonly status: 'skipped'; readonly reason: SkipReason }
  | { readonly status: 'pending'; readonly order: AutoSendOrder }

/** How a lead is stored, decided once. */
export interface SettledLead {
  readonly consentGiven: boolean | null
  /** Digits; null when there is no phone number. */
  readonly phoneDigits: string | null
  /** True when the lead is stored without its person. */
  readonly isRedacted: boolean
  readonly autoSend: AutoSendDecision
  /**
   * Makes the event of the lead as it is stored; the code that settles adds the person when the event carries it and
   * the row does not. Null when no event is told.
   */
  readonly eventOf: ((lead: Lead) => NewEvent) | null
}

/** `waits`: the number's mode cannot be read ([leads.privacy.5]). `gone`: Page or number was removed. */
export type StoreLeadResult =
  | { readonly kind: 'stored'; readonly lead: Lead }
  | { readonly kind: 'known' | 'gone' | 'waits' }

export interface LeadQuery extends Page {
  readonly formId: string | null
  readonly adId: string | null
  readonly pageId: string | null
  /** Both inclusive, compared with `createdAt`. */
  readonly startDate: Date | null
  readonly endDate: Date | null
}

/** A template that is to answer a lead, taken by one node for a while. */
export interface TakenAutoSend {
  readonly leadId: LeadId
  readonly number: NumberRef
  /** Null when it can no longer be read, as after the encryption key was lost. */
  readonly order: AutoSendOrder | null
  readonly receivedAt: Date
  readonly claim: Date
}

/**
 * Leads, each once in the installation, erased ones included ([leads.fetching.1]). They are removed with their number.
 */
export interface LeadStore {
  /**
   * Stores a lead with its event, its auto-send and its counts, and removes its notice, in one transaction
   * ([leads.fetching.8]). `settle` is called inside of it, and for one lead of a form at a time. The ad of a lead
   * without names is asked for. `known`: the lead exists, or was erased; its notice is removed.
   */
  store(lead: CapturedLead, settle: (facts: StoringFacts) => Promise<SettledLead>): Promise<StoreLeadResult>
  /** Tells which of these leads of a Page are stored or erased, or only noticed by it (null), by upstream's id. */
  known(
    pageId: string,
    leadgenIds: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<Lead, 'source' | 'receivedAt'> | null>>
  /**
   * Lists leads as stored, without redaction, which is the caller's. Newest first, ties by id descending
   * ([leads.routes.1]). Erased ones are neither listed nor counted ([leads.erasing.3]).
   */
  list(numberId: NumberId, query: LeadQuery): Promise<Paged<Lead>>
  find(numberId: NumberId, id: string): Promise<Lead | null>
  /** Empties a lead, its event and the logs of that; the ids stay ([leads.erasing.1]). False when there is none. */
  erase(numberId: NumberId, id: string): Promise<boolean>
  takeAutoSends(limit: number, leaseMs: number): Promise<readonly TakenAutoSend[]>
  /** Notes that the message was accepted: the order is forgotten. */
  autoSendAccepted(taken: TakenAutoSend, messageId: MessageId): Promise<void>
  /** Notes that it can never be accepted. `reason` is in lower case. */
  autoSendFailed(taken: TakenAutoSend, reason: string): Promise<void>
  autoSendPostponed(taken: TakenAutoSend, dueAt: Date): Promise<void>
  /**
   * Moves auto-sends by the states of their messages: pending to sent, either to failed ([leads.auto-send.13],
   * [leads.auto-send.14]). Gives the moves, for metrics.
   */
  followAutoSends(limit: number): Promise<readonly { readonly status: 'sent' | 'failed' }[]>
  /**
   * Strips the persons that reads redact already: of leads past their number's window, and of RELAY_ONLY numbers
   * ([leads.privacy.2]). Gives the number of leads.
   */
  strip(limit: number): Promise<number>
}

/**
 * Reads a number's mode for answers, apart from what is answered: it may fail where reading leads does not
 * ([leads.privacy.6]).
 */
export interface PrivacyStore {
  /** Reads the mode as the row has it, which may be an unknown value; null when there is no such number. */
  retentionOf(
    numberId: NumberId,
  ): Promise<{ readonly piiMode: string; readonly piiRetentionDays: number | null } | null>
}
