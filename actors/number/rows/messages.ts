import type { Call } from '../../../src/domain/call.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { OrphanCall } from '../calls/orphans.ts'

/** The rows as an owner finds them at its start. */
export interface LoadedNumber {
  readonly number: ChannelNumber
  readonly credentials: string | null
  /** True when this installation has a driver for the number's provider. */
  readonly hasDriver: boolean
  /** Calls that an earlier owner left live. Their rows are closed; upstream they may go on. */
  readonly orphans: readonly OrphanCall[]
  /** Live calls that outlived their actor and are resumed. */
  readonly resumable: readonly Call[]
}

export type LoadOutcome =
  | { readonly kind: 'loaded'; readonly loaded: LoadedNumber }
  | { readonly kind: 'missing' | 'fenced' | 'failed' }

export type SaveOutcome = 'applied' | 'fenced' | 'failed'

/** What a number hears of its own rows. */
export type RowsMessage =
  | { readonly type: 'Loaded'; readonly attempt: number; readonly outcome: LoadOutcome }
  | { readonly type: 'Saved'; readonly attempt: number; readonly outcome: SaveOutcome }
  /** `read` is null when the store did not answer. */
  | {
      readonly type: 'CredentialsRead'
      readonly attempt: number
      readonly askId: number
      readonly read: { readonly credentials: string | null } | null
    }
