import type { ChannelNumber, NumberSettings } from '../../../src/domain/number.ts'
import type { OrphanCall } from '../calls/orphans.ts'

export interface ShownCode {
  readonly qr: string
  readonly pairingCode: string | null
  readonly expiresAtMs: number
}

/** The provider session. `UP` means that its driver keeps it open; `number.state` says whether it is connected. */
export type Link =
  | { readonly at: 'NONE' }
  | {
      readonly at: 'UP'
      readonly sessionId: number
      /** True for a session opened without credentials, so that somebody has to scan a code. */
      readonly isPairing: boolean
      readonly code: ShownCode | null
      /** True after a phone accepted a code. None is shown any more, unless the engine shows another. */
      readonly isAccepted: boolean
      /** Asks that wait for the first code. */
      readonly waiters: readonly number[]
      /** The asks among `waiters` that wait for a code to type. */
      readonly typers: readonly number[]
      /** True once the session was asked for a code to type. */
      readonly isTypedAsked: boolean
      /** True while a stateless session has not reported; everything waits for its first report. */
      readonly isSilent: boolean
      /**
       * True once the session said that it is connected. Before that `number.state` is what an earlier session left.
       */
      readonly isHeard: boolean
    }

/** There is no session. */
export const NO_LINK: Link = { at: 'NONE' }

/** The number's knowledge of its pairing and its session. */
export interface LinkState {
  readonly credentials: string | null
  /** True when this installation has a driver for the number's provider. */
  readonly hasDriver: boolean
  readonly link: Link
  /** True when number.connected is newer than number.disconnected. */
  readonly isAnnounced: boolean
  /** Calls that are over here and may go on upstream; they are hung up once the session is connected. */
  readonly orphans: readonly OrphanCall[]
  readonly logouts: readonly number[]
  /** The attempt of the logout now asked of the provider. */
  readonly logoutAttempt: number | null
  /** The attempt of the credentials last asked of the rows. */
  readonly reopening: number | null
}

export type LinkEffect =
  | {
      readonly type: 'openSession'
      readonly sessionId: number
      readonly number: ChannelNumber
      readonly credentials: string | null
    }
  | { readonly type: 'closeSession' }
  | { readonly type: 'applySettings'; readonly askId: number; readonly settings: NumberSettings }
  | { readonly type: 'logout'; readonly attempt: number }
  | { readonly type: 'terminateOrphan'; readonly orphan: OrphanCall }
  | { readonly type: 'consumePairing' }
  | { readonly type: 'requestPairingCode'; readonly sessionId: number }
