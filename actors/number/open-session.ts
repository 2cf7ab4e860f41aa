import type { NumberSettings } from '../../src/domain/number.ts'
import type { ProviderEvent, ProviderSession } from '../../src/ports/provider.ts'
import type { SettleLine } from './link/settle-line.ts'

export interface OpenSession {
  readonly sessionId: number
  readonly session: ProviderSession
  readonly line: SettleLine
  /** Events of the session that are not settled, by their number. */
  readonly told: Map<number, ProviderEvent & { readonly seq: number }>
}

/** A session about to be opened. */
export interface Opening {
  readonly sessionId: number
  /** The settings as they were last applied. */
  settings: NumberSettings
  /** Resolves when the session is open or was given up. */
  readonly done: Promise<void>
}
