import type { Clock } from '../../../ports/clock.ts'
import type { InboundStore, InboundTarget } from '../../../ports/stores/inbound-store.ts'

/** Our choice: secret and verify token of a number never change, so this only bounds how long a removed number is remembered. */
const REMEMBERED_MS = 5_000
/** Our choice: enough for the active accounts of a node. */
const MAX_TARGETS = 10_000

/** Looks up where a webhook is addressed to, remembered for a moment: upstream posts many in a row. Unknown ones are not. */
export function rememberTargets(inbound: InboundStore, clock: Clock): (id: string) => Promise<InboundTarget | null> {
  const known = new Map<string, { readonly target: InboundTarget, readonly untilMs: number }>()
  return async (id) => {
    const entry = known.get(id)
    if (entry && entry.untilMs > clock.monotonicMs()) return entry.target
    known.delete(id)
    const target = await inbound.findTarget(id)
    if (!target) return null
    const oldest = known.size >= MAX_TARGETS ? known.keys().next().value : undefined
    if (oldest !== undefined) known.delete(oldest)
    known.set(id, { target, untilMs: clock.monotonicMs() + REMEMBERED_MS })
    return target
  }
}
