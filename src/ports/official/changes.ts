import type { Traced } from '../../domain/trace.ts'
import type { FlowNews } from '../../domain/flow-events.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { MessageChange } from '../../domain/message-change.ts'
import type { TemplateEventKind, TemplateRef } from '../../domain/template-events.ts'
import type { ReceivedMessage, ReportedMessage } from '../provider.ts'
import type { LeadNotice } from '../stores/lead-notice-store.ts'
import type { NamedPeer } from '../stores/message-inbox.ts'
import type { OfficialCallEvent } from './call-events.ts'

/** One change of an upstream webhook, cut out of its batch. Texts are upstream's own, byte for byte. */
export interface OfficialChange extends Traced {
  /** `whatsapp_business_account`, or what upstream named. */
  readonly object: string
  readonly accountId: string | null
  readonly field: string
  /** Digits as text, whatever upstream wrote; null for changes of the whole account. */
  readonly phoneId: string | null
  /** `entry.time`: when upstream told it, to the second; null when that is no time up to the year 9999. */
  readonly at: Date | null
  /** JSON text of `value`. */
  readonly value: string
  /** The upstream envelope with this one entry and this one change. */
  readonly envelope: string
  /** Equal for two tellings of one change, different for any two changes. At most 100 characters. */
  readonly key: string
}

/** Checks a webhook's signature over its raw bytes. */
export type IsSigned = (appSecret: string, rawBody: Uint8Array, header: string | undefined) => boolean

/**
 * The changes of a webhook. `unreadable`: it is not UTF-8, not JSON, or no object with entries. `too-many`: it has more
 * changes, or more around them, than upstream sends. `busy`: it cannot be read now.
 */
export type Splitting =
  | { readonly ok: true; readonly changes: readonly OfficialChange[] }
  | { readonly ok: false; readonly reason: 'unreadable' | 'too-many' | 'busy' }

/**
 * Cuts a webhook into its changes. `sender` names whose webhook it is: large webhooks of many senders take turns. Never
 * throws, never rejects.
 */
export type SplitChanges = (rawBody: Uint8Array, sender: string) => Splitting | Promise<Splitting>

/**
 * What a webhook of object `page` says of leads, each lead once, in upstream's order. `unreadable`: it is not UTF-8,
 * not JSON, or no object with entries. `too-many`: it has more notices than upstream sends. `busy`: it cannot be read
 * now.
 */
export type LeadNotices =
  | { readonly ok: true; readonly notices: readonly LeadNotice[] }
  | { readonly ok: false; readonly reason: 'unreadable' | 'too-many' | 'busy' }

/**
 * Reads the lead notices of a webhook. Other objects and fields, and entries without a lead or Page, give none.
 * `sender` names whose webhook it is: large webhooks of many senders take turns. Never throws, never rejects.
 */
export type ReadLeadNotices = (rawBody: Uint8Array, sender: string) => LeadNotices | Promise<LeadNotices>

/** Reads what a change (`value`: JSON text) says of calls. Other fields and unknown parts give nothing. */
export type ReadCallEvents = (field: string, value: string) => readonly OfficialCallEvent[]

/** What a change of field `messages` or of echoes says of messages, in the order in which upstream listed it. */
export type OfficialMessageEvent =
  | ({ readonly type: 'messageReceived' } & ReceivedMessage)
  | ({ readonly type: 'messageStatus' } & ReportedMessage)
  | ({ readonly type: 'messageChanged' } & MessageChange)
  | ({ readonly type: 'peerNamed' } & NamedPeer)

/** Reads what a change (`value`: JSON text) says of messages. Other fields and unknown parts give nothing. */
export type ReadMessageEvents = (field: string, value: string) => readonly OfficialMessageEvent[]

/** What a change of an account says. */
export type OfficialAccountEvent =
  /** Upstream may let the account's numbers do more than before. */
  | { readonly type: 'limitsMayHaveRisen' }
  /**
   * Something of a template changed. `value` is as upstream wrote it, but integers that no number holds exactly are
   * texts of their digits.
   */
  | {
      readonly type: 'templateTold'
      readonly kind: TemplateEventKind
      readonly ref: TemplateRef
      readonly value: Fields
    }
  /** Marketing messages of an account are let in from now on; null where upstream names no account. */
  | { readonly type: 'marketingSigned'; readonly accountId: string | null }
  /** Something of a Flow changed. */
  | { readonly type: 'flowTold'; readonly news: FlowNews }

/** Reads what a change (`value`: JSON text) says of its account. Other fields give nothing. */
export type ReadAccountEvents = (field: string, value: string) => readonly OfficialAccountEvent[]
