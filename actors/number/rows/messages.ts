import type { Call } from '../../../src/domain/call.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { OrphanCall } from '../calls/orphans.ts'

/** What the rows say when an owner starts. */
export interface LoadedNumber {
  readonly number: ChannelNumber
  readonly credentials: string | null
  /** This installation has a driver for the number's provider. */
  readonly hasDriver: boolean
  /** Calls an earlier owner left live; their rows are closed, their lines may not be. */
  readonly orphans: readonly OrphanCall[]
  /** Live calls that outlived their actor, to be taken up again. */
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
  /** Null: the store did not answer. */
  | {
      readonly type: 'CredentialsRead'
      readonly attempt: number
      readonly askId: number
      readonly read: { readonly credentials: string | null } | null
    }
