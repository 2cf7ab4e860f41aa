/** What the connect page is like at one time ([pages.states.1] to [pages.states.9]), and what happens to it. */
import type { Answer, LinkFacts } from './answers.ts'

export type Method = 'qr' | 'code'
/**
 * Questions to the service; `code`: as `connect`, and one to type is wanted, which some device networks make only when
 * asked.
 */
export type Need = 'view' | 'connect' | 'code' | 'status'

/** `showing` is `qr` or `code` of the contract, by the method. */
export type Phase =
  | 'loading'
  | 'ready'
  | 'showing'
  | 'linking'
  | 'passkey'
  | 'connected'
  | 'already-connected'
  | 'paused'
  | 'expired'
  | 'revoked'
  | 'invalid'
  | 'offline'
  | 'failed'

/**
 * Why it failed: the service, too many requests, no answer in time, a session that ended unasked, or what the phone's
 * side says.
 */
export type Trouble = 'SERVER' | 'BUSY' | 'SLOW' | 'ENDED' | 'WRONG_NUMBER' | 'BANNED'

export interface ShownCode {
  readonly qr: string | null
  readonly text: string | null
  /** Null where the service does not say. */
  readonly endsAt: number | null
  /** How long it was good for when it was first seen, in ms. */
  readonly lifeMs: number | null
}

export interface PageState {
  readonly phase: Phase
  readonly method: Method
  /** Null until it is known whether the link shows the page or only a button. */
  readonly look: 'page' | 'button' | null
  readonly link: LinkFacts | null
  /** Only while it is valid. */
  readonly code: ShownCode | null
  /** A pairing was under way when the link was read: it is joined, since to ask for a code could begin it anew. */
  readonly isUnderWay: boolean
  /** A code was shown since pairing was last started: without one now, the phone accepted it. */
  readonly hadCode: boolean
  /** A code to type was asked for since pairing was last started, and the answer came. */
  readonly wasTypedAsked: boolean
  readonly trouble: Trouble | null
  /** Failures in a row, for the waits between tries. */
  readonly failures: number
  /** Answers in a row that did not come. */
  readonly lost: number
  /** What is asked of the service at `dueAt`; null where nothing is. */
  readonly need: Need | null
  readonly dueAt: number
  /** Since when there is nothing but waiting. */
  readonly loadingSince: number
  /** When the person is taken on; null where that is not so. */
  readonly redirectAt: number | null
  readonly isVisible: boolean
  readonly isOnline: boolean
  readonly isFramed: boolean
}

export type PageEvent =
  /** `to`: what was asked. */
  | { readonly type: 'answered'; readonly at: number; readonly to: Need; readonly answer: Answer }
  | { readonly type: 'looked'; readonly at: number; readonly look: 'page' | 'button' }
  | { readonly type: 'visible' | 'hidden' | 'online' | 'offline' | 'passed'; readonly at: number }
  /** The person wants to begin, to see a new code, or to try again. */
  | { readonly type: 'asked'; readonly at: number }
  | { readonly type: 'chose'; readonly at: number; readonly method: Method }
  | { readonly type: 'stayed' }
