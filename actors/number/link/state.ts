import type { ChannelNumber, NumberSettings } from '../../../src/domain/number.ts'
import type { OrphanCall } from '../calls/orphans.ts'

export interface ShownCode {
  readonly qr: string
  readonly pairingCode: string | null
  readonly expiresAtMs: number
}

/** The provider session. `UP` means opened and kept by its driver; whether it is connected says `number.state`. */
export type Link =
  | { readonly at: 'NONE' }
  | {
      readonly at: 'UP'
      readonly sessionId: number
      /** Opened without credentials: somebody has to scan. */
      readonly isPairing: boolean
      readonly code: ShownCode | null
      /** A phone accepted a code, and none is shown any more unless the engine shows another. */
      readonly isAccepted: boolean
      /** Asks that wait for the first code. */
      readonly waiters: readonly number[]
      /** Those among them that wait for a code to type. */
      readonly typers: readonly number[]
      /** The session was asked for a code to type. */
      readonly isTypedAsked: boolean
      /** Opened, and its first report is not here yet: everything waits for it. Only where the session is stateless. */
      readonly isSilent: boolean
      /** It said once that it is connected; before that `number.state` is what an earlier session left. */
      readonly isHeard: boolean
    }

/** There is no session. */
export const NO_LINK: Link = { at: 'NONE' }

/** What a number knows of its pairing and its session. */
export interface LinkState {
  readonly credentials: string | null
  /** This installation has a driver for the number's provider. */
  readonly hasDriver: boolean
  readonly link: Link
  /** number.connected was the last one said of connected and disconnected. */
  readonly isAnnounced: boolean
  /** Calls that are over here and may not be upstream, to be hung up once the session is connected. */
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
