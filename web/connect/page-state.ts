/** The state of the connect page ([pages.states.1] to [pages.states.9]), and the events that change it. */
import type { Answer, LinkFacts } from './answers.ts'

export type Method = 'qr' | 'code'
/**
 * Requests to the service. `code` is `connect` with the wish for a code to type, which some device networks make only
 * on request.
 */
export type Need = 'view' | 'connect' | 'code' | 'status'

/** `showing` is state `qr` or `code` of [pages.states.3], by the method. */
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
 * Why the state is `failed`: a fault of the service, too many requests, no answer in time, a session that ended without
 * a reason, or a reason from the phone's side.
 */
export type Trouble = 'SERVER' | 'BUSY' | 'SLOW' | 'ENDED' | 'WRONG_NUMBER' | 'BANNED'

export interface ShownCode {
  readonly qr: string | null
  readonly text: string | null
  /** In ms of the page's clock; null when the service does not say. */
  readonly endsAt: number | null
  /** Ms for which the code was valid when it was first seen; null when the service does not say. */
  readonly lifeMs: number | null
}

export interface PageState {
  readonly phase: Phase
  readonly method: Method
  /** Null until the service answered whether the link shows the page or only a button. */
  readonly look: 'page' | 'button' | null
  readonly link: LinkFacts | null
  /** Null unless a valid code is known. */
  readonly code: ShownCode | null
  /**
   * A pairing was under way when the link was read. The page joins it, because a request for a code could start it
   * over.
   */
  readonly isUnderWay: boolean
  /** A code was shown since the last start of pairing. When it is gone now, a phone accepted it. */
  readonly hadCode: boolean
  /** A code to type was requested and answered since the last start of pairing. */
  readonly wasTypedAsked: boolean
  readonly trouble: Trouble | null
  /** Failures in a row; they choose the wait before the next try. */
  readonly failures: number
  /** Requests in a row without an answer. */
  readonly lost: number
  /** The request to make at `dueAt`; null when there is none. */
  readonly need: Need | null
  readonly dueAt: number
  /** When the state began to wait for a first answer, in ms of the page's clock. */
  readonly loadingSince: number
  /** When the page follows the redirect address, in ms of the page's clock; null when it does not. */
  readonly redirectAt: number | null
  readonly isVisible: boolean
  readonly isOnline: boolean
  readonly isFramed: boolean
}

export type PageEvent =
  /** `to` is the request that was answered. */
  | { readonly type: 'answered'; readonly at: number; readonly to: Need; readonly answer: Answer }
  | { readonly type: 'looked'; readonly at: number; readonly look: 'page' | 'button' }
  | { readonly type: 'visible' | 'hidden' | 'online' | 'offline' | 'passed'; readonly at: number }
  /** The person wants to start, to see a new code, or to try again. */
  | { readonly type: 'asked'; readonly at: number }
  | { readonly type: 'chose'; readonly at: number; readonly method: Method }
  | { readonly type: 'stayed' }
