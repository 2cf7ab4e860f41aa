import { postControl } from './control.ts'
import { Unmet } from './finding.ts'
import type { World } from './world.ts'

/** our choice, in ms: how long a person may take to find the engine and kill it. */
const HAND_MS = 180_000
/** In ms: an engine that is silent for so long is gone, as gateways have it ([engine-fleet.register.8]). */
const SILENT_MS = 5_000
/** How an engine closes that hands its numbers over ([engine-fleet.register.7]). */
const CLOSE_GOING_AWAY = 1001

/**
 * Has the engine killed that the current connection leads to: through a control route, or by a person. Resolves once
 * the connection is gone, to when the engine was (monotonic ms). Throws `Unmet` when it stays, or hands over.
 */
export async function killHolder(world: World): Promise<number> {
  const {
    options: { number, url, takeover, patienceMs },
    parts: { clock, tell },
  } = world
  const killUrl = takeover?.killUrl ?? null
  const holder = world.current
  let goneMs: number | null = null
  if (killUrl === null) tell(`kill the engine at ${url} now, without a word to it: kill -9, or its whole machine`)
  else {
    await postControl(world, 'kill URL', killUrl, { number, url })
    goneMs = clock.monotonicMs()
    holder.probe(SILENT_MS)
  }
  const { closeCode } = await holder.closed(killUrl === null ? HAND_MS : patienceMs)
  if (closeCode === CLOSE_GOING_AWAY)
    throw new Unmet('the engine handed the number over (close code 1001) instead of dying: kill it with kill -9')
  return goneMs ?? clock.monotonicMs()
}
