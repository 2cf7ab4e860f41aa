import type { NumberSettings } from '../../../src/domain/number.ts'
import type { ProviderSession } from '../../../src/ports/provider.ts'
import type { SettleLine } from './settle-line.ts'

export interface OpenSession {
  readonly sessionId: number
  readonly session: ProviderSession
  readonly line: SettleLine
}

/** A session about to be opened. */
export interface Opening {
  readonly sessionId: number
  /** As they were last applied. */
  settings: NumberSettings
  /** Resolves when it is open, or was given up. */
  readonly done: Promise<void>
}
