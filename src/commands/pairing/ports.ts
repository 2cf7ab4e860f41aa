import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { PairingCode } from '../../domain/pairing.ts'
import type { Clock } from '../../ports/clock.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { PairingStore } from '../../ports/stores/pairing-store.ts'
import type { BrandPorts } from '../pages/ports.ts'

/** How the code of a number is waited for. */
interface PairingWish {
  /** For the first one. */
  readonly waitMs: number
  /** One to type is wanted too. */
  readonly isTyped?: boolean
}

/** All that connect links stand on: each verb takes it whole. */
export interface PairingPorts extends BrandPorts {
  readonly numbers: NumberStore
  readonly pairing: PairingStore
  /** Starts pairing, or answers the code shown now. */
  readonly askPair: (numberId: NumberId, wish: PairingWish) => Promise<Outcome<PairingCode>>
  /** The code shown now, without starting anything. */
  readonly askCurrentCode: (numberId: NumberId) => Promise<Outcome<PairingCode>>
  readonly clock: Clock
}
