import type { ExecutionContext } from 'ava'
import type { Store } from '../../store/store.ts'

/** A place where a store is kept. */
export interface StoreWorld {
  /** Opens the store; opening it again shows what an engine finds after the one before ended. `now` gives ms. */
  open(now?: () => number): Promise<Store>
  /** Everything that is kept, byte for byte. */
  atRest(): Promise<Buffer>
}

/** Declares a test of the contract under the driver's name. */
export type Declare = (title: string, run: (t: ExecutionContext, world: StoreWorld) => Promise<void>) => void
