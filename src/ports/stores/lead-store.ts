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

/** What storing depends on, read in the same transaction. */
export interface StoringFacts {
  readonly id: LeadId
  readonly tenantId: TenantId
  readonly number: NumberRef
  readonly retention: Retention
  readonly settings: LeadFormSettings
  readonly now: Date
  /** The number's conversation with the phone, as digits, of a conversation of ours; null: none, or no phone. */
  conversationWith(phoneDigits: string): Promise<{ readonly id: ConversationId; readonly lastMessageAt: Date } | null>
  /** A lead of the same form and phone is being answered, or was, since then. */
  wasAnsweredSince(phoneDigits: string, since: Date): Promise<boolean>
}

/** What of the template's send is kept until it is accepted; sealed at rest, and gone after. */
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

/** How a lead is stored: decided once. */
export interface SettledLead {
  readonly consentGiven: boolean | null
  /** Digits; null: no phone number. */
  readonly phoneDigits: string | null
  /** Stored without its person. */
  readonly isRedacted: boolean
  readonly autoSend: AutoSendDecision
  /**
   * Made of the lead as it is stored: who settles adds the person where the event carries it and the row does not.
   * Null: none is told.
   */
  readonly eventOf: ((lead: Lead) => NewEvent) | null
}

/** `waits`: the number's mode cannot be read. `gone`: Page or number was removed. */
export type StoreLeadResult =
  | { readonly kind: 'stored'; readonly lead: Lead }
  | { readonly kind: 'known' | 'gone' | 'waits' }

export interface LeadQuery extends Page {
  readonly formId: string | null
  readonly adId: string | null
  readonly pageId: string | null
  /** Both inclusive, on `createdAt`. */
  readonly startDate: Date | null
  readonly endDate: Date | null
}

/** A template that is to answer a lead, taken by one node for a while. */
export interface TakenAutoSend {
  readonly leadId: LeadId
  readonly number: NumberRef
  /** Null: it cannot be read any more, as after the encryption key was lost. */
  readonly order: AutoSendOrder | null
  readonly receivedAt: Date
  readonly claim: Date
}

/** Leads, each once in the installation, erased ones included. They go with their number. */
export interface LeadStore {
  /**
   * Stores a lead with its event, its auto-send and its counts, and removes its notice, in one transaction; `settle` is
   * asked inside of it, and for one lead of a form at a time. The ad of a lead without names is asked for. `known`: it
   * is there, or was erased; its notice goes.
   */
  store(lead: CapturedLead, settle: (facts: StoringFacts) => Promise<SettledLead>): Promise<StoreLeadResult>
  /** Which of these leads of a Page are stored, erased, or noticed by it (null), by upstream's id. */
  known(
    pageId: string,
    leadgenIds: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<Lead, 'source' | 'receivedAt'> | null>>
  /**
   * As stored: whoever answers redacts. Newest first, ties by id descending. Erased ones neither listed nor counted.
   */
  list(numberId: NumberId, query: LeadQuery): Promise<Paged<Lead>>
  find(numberId: NumberId, id: string): Promise<Lead | null>
  /** Empties it, its event and the logs of that; the ids stay. False: there is none. */
  erase(numberId: NumberId, id: string): Promise<boolean>
  takeAutoSends(limit: number, leaseMs: number): Promise<readonly TakenAutoSend[]>
  /** The message was accepted: the order is forgotten. */
  autoSendAccepted(taken: TakenAutoSend, messageId: MessageId): Promise<void>
  /** Not to be accepted, ever. `reason` in lower case. */
  autoSendFailed(taken: TakenAutoSend, reason: string): Promise<void>
  autoSendPostponed(taken: TakenAutoSend, dueAt: Date): Promise<void>
  /**
   * Moves auto-sends by the states of their messages: pending to sent, either to failed. Answers how many moved, and by
   * what for metrics.
   */
  followAutoSends(limit: number): Promise<readonly { readonly status: 'sent' | 'failed' }[]>
  /**
   * Strips what reads redact already: leads past their number's window, and of RELAY_ONLY numbers. Answers how many.
   */
  strip(limit: number): Promise<number>
}

/**
 * Reads a number's mode for answers, apart from what is answered: it may fail where reading leads does not (spec:
 * Privacy failure mode).
 */
export interface PrivacyStore {
  /** As the row has it, which may be a value nobody knows; null: no such number. */
  retentionOf(
    numberId: NumberId,
  ): Promise<{ readonly piiMode: string; readonly piiRetentionDays: number | null } | null>
}
