import type { NumberSettings } from '../../src/domain/number.ts'
import type { ProviderEvent, ProviderSession } from '../../src/ports/provider.ts'
import type { SettleLine } from './link/settle-line.ts'

export interface OpenSession {
  readonly sessionId: number
  readonly session: ProviderSession
  readonly line: SettleLine
  /** What it told and is not settled, by its number. */
  readonly told: Map<number, ProviderEvent & { readonly seq: number }>
}

/** A session about to be opened. */
export interface Opening {
  readonly sessionId: number
  /** As they were last applied. */
  settings: NumberSettings
  /** Resolves when it is open, or was given up. */
  readonly done: Promise<void>
}
