import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { PairingCode } from '../../domain/pairing.ts'
import type { Clock } from '../../ports/clock.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { PairingStore } from '../../ports/stores/pairing-store.ts'
import type { BrandPorts } from '../pages/ports.ts'

/** How the code of a number is waited for. */
interface PairingWish {
  /** How long to wait for the first code, ms. */
  readonly waitMs: number
  /** Whether a code to type is wanted, too. */
  readonly isTyped?: boolean
}

/** The ports of connect links; each command takes all of them. */
export interface PairingPorts extends BrandPorts {
  readonly numbers: NumberStore
  readonly pairing: PairingStore
  /** Starts pairing, or answers the present code. */
  readonly askPair: (numberId: NumberId, wish: PairingWish) => Promise<Outcome<PairingCode>>
  /** Answers the present code without starting anything. */
  readonly askCurrentCode: (numberId: NumberId) => Promise<Outcome<PairingCode>>
  readonly clock: Clock
}
