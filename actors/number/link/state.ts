import type { ChannelNumber, NumberSettings } from '../../../src/domain/number.ts'

export interface ShownCode {
  readonly qr: string
  readonly pairingCode: string | null
  readonly expiresAtMs: number
}

/** The provider session. `UP` means opened and kept by its driver; whether it is connected says `number.state`. */
export type Link =
  | { readonly at: 'NONE' }
  | {
    readonly at: 'UP', readonly sessionId: number
    /** Opened without credentials: somebody has to scan. */
    readonly isPairing: boolean
    readonly code: ShownCode | null
    /** Asks that wait for the first code. */
    readonly waiters: readonly number[]
    /** Opened, and its first report is not here yet: everything waits for it. Only where the session is stateless. */
    readonly isSilent: boolean
    /** It said once that it is connected; before that `number.state` is what an earlier session left. */
    readonly isHeard: boolean
  }

/** What a number knows of its pairing and its session. */
export interface LinkState {
  readonly credentials: string | null
  /** This installation has a driver for the number's provider. */
  readonly hasDriver: boolean
  readonly link: Link
  /** number.connected was the last one said of connected and disconnected. */
  readonly isAnnounced: boolean
  /** Provider ids of calls an earlier owner left live, to be hung up once the session is connected. */
  readonly orphans: readonly string[]
  readonly logouts: readonly number[]
  /** The attempt of the logout now asked of the provider. */
  readonly logoutAttempt: number | null
  /** The attempt of the credentials last asked of the rows. */
  readonly reopening: number | null
}

export type LinkEffect =
  | { readonly type: 'openSession', readonly sessionId: number, readonly number: ChannelNumber, readonly credentials: string | null }
  | { readonly type: 'closeSession' }
  | { readonly type: 'applySettings', readonly askId: number, readonly settings: NumberSettings }
  | { readonly type: 'logout', readonly attempt: number }
  | { readonly type: 'terminateOrphan', readonly externalCallId: string }
  | { readonly type: 'consumePairing' }
