import { betterOfTwo } from '../../domain/better-of-two.ts'
import type { EngineEntry } from '../../ports/engine-register.ts'

/** An engine as a number's session sees it. */
export interface PlaceableEngine extends Pick<EngineEntry, 'engineId' | 'url' | 'capacity' | 'draining'> {
  /** Sessions that it holds or is about to hold, of all gateways as far as they are known. */
  readonly sessions: number
  /** True for a while after it refused a session, or could not be reached. */
  readonly isRefusing: boolean
}

/** The engine that holds a number's session, by what is known: its id, its address, or both. */
export interface Holder {
  readonly engineId: string | null
  readonly url: string | null
}

/**
 * Decides at which engine a number's session is opened ([engine-fleet.register.2]): at the one that holds it already,
 * unless that drains; else at the better of two drawn by chance among those that take sessions, which is the one with
 * fewer for its capacity. `random` gives 0 to 1. Null when none takes it now.
 */
export function placeSession<E extends PlaceableEngine>(
  engines: readonly E[],
  holder: Holder | null,
  random: () => number,
): E | null {
  const held = holder === null ? null : heldBy(engines, holder)
  if (held && !held.draining) return held
  return betterOfTwo(engines.filter(takesSessions), (one, than) => shareOf(one) < shareOf(than), random)
}

/** Finds the holder by its id; one that was started again at its address has a new id. */
function heldBy<E extends PlaceableEngine>(engines: readonly E[], { engineId, url }: Holder): E | null {
  return engines.find((engine) => engine.engineId === engineId) ?? engines.find((engine) => engine.url === url) ?? null
}

function takesSessions({ draining, sessions, capacity, isRefusing }: PlaceableEngine): boolean {
  return !draining && !isRefusing && sessions < capacity
}

function shareOf({ sessions, capacity }: PlaceableEngine): number {
  return sessions / capacity
}
