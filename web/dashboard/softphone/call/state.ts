import type { LiveStatus } from '../../../../src/domain/call.ts'
import type { Fault } from '../../../ui/session/answers.ts'

/** The softphone's one call. */
export interface PhoneCall {
  readonly id: string
  readonly numberId: string
  readonly direction: 'INBOUND' | 'OUTBOUND'
  readonly peer: string
}

/**
 * The socket of the call: `none` while none is wanted, `taken` when another page took the call over, `lost` while a new
 * one is asked for.
 */
export type Link =
  | { readonly at: 'none' | 'opening' | 'open' | 'taken' }
  | { readonly at: 'lost'; readonly sinceMs: number; readonly tries: number }

/** How a call ended for this page. */
export type Ending =
  /** The service told a final status, and the error where there is one. */
  | { readonly kind: 'status'; readonly status: string; readonly error: string | null }
  /** The service refused to place or to answer the call. */
  | { readonly kind: 'refused'; readonly fault: Fault }
  /**
   * No socket came back within the grace; or the page may not open it, because its media host was not known when the
   * page was loaded.
   */
  | { readonly kind: 'lost' | 'barred' }

export type PhoneState =
  | { readonly at: 'idle' }
  | { readonly at: 'placing'; readonly numberId: string; readonly peer: string; readonly isGivenUp: boolean }
  | {
      readonly at: 'live'
      readonly call: PhoneCall
      readonly status: LiveStatus
      readonly link: Link
      /** Set while the call can be given back to the bot it was taken over from. */
      readonly hasBot?: true
    }
  | { readonly at: 'ended'; readonly call: PhoneCall | null; readonly ending: Ending }

/** What happened, by the person, the service or the network. */
export type PhoneEvent =
  | { readonly type: 'dial'; readonly numberId: string; readonly to: string }
  /** A person wants a call that a bot has. */
  | { readonly type: 'takeOver'; readonly call: PhoneCall; readonly status: string }
  | { readonly type: 'placed'; readonly call: PhoneCall; readonly status: LiveStatus }
  | { readonly type: 'refused'; readonly fault: Fault }
  /** A status of a call, by the stream of the account or by the socket. */
  | {
      readonly type: 'told'
      readonly call: PhoneCall
      readonly status: string
      readonly error: string | null
    }
  /** The service took this page's answer to an inbound call. */
  | { readonly type: 'accepted' }
  /** The bot has the call again; `isRefused` when it is not there any more. */
  | { readonly type: 'givenBack'; readonly isRefused: boolean }
  | { readonly type: 'giveBack' }
  | { readonly type: 'accept' | 'reject' | 'hangup' | 'takeBack' | 'socketOpened' | 'dismiss' }
  | { readonly type: 'socketClosed'; readonly code: number; readonly atMs: number }
  /** No session was to be had: `isOver` when the service says that the call is. */
  | { readonly type: 'sessionRefused'; readonly isOver: boolean; readonly atMs: number }
  /** The wait before another try is over. */
  | { readonly type: 'retry' }
  /** The browser refuses the socket, because the policy of the page does not name its host. */
  | { readonly type: 'barred' }

/** What the decision wants done. */
export type PhoneEffect =
  | { readonly do: 'place'; readonly numberId: string; readonly to: string }
  | {
      readonly do: 'openSession' | 'takeOver' | 'giveBack' | 'terminate' | 'accept' | 'reject'
      readonly call: PhoneCall
    }
  | { readonly do: 'retryIn'; readonly ms: number }
  | { readonly do: 'release' }

export interface Decided {
  readonly state: PhoneState
  readonly effects: readonly PhoneEffect[]
}
