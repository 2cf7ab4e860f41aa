import { boundNumber, type Caller, type CallerKind } from '../../domain/caller.ts'
import type { KeyStore } from '../../ports/stores/key-store.ts'

export interface HoldsDeps {
  readonly keys: Pick<KeyStore, 'authenticateKeyId'>
}

/**
 * Whether a caller that was proved before still acts for the number it acted for then. Asked of the store, past remembered callers:
 * for what outlives its request.
 */
export async function stillHolds({ keys }: HoldsDeps, caller: Caller): Promise<boolean> {
  const proveById: { readonly [K in CallerKind]: (one: Extract<Caller, { by: K }>) => Promise<Caller | null> } = {
    key: ({ id }) => keys.authenticateKeyId(id),
  }
  const now = await proveById[caller.by](caller)
  return now !== null && now.reach.at === caller.reach.at && boundNumber(now) === boundNumber(caller)
}
