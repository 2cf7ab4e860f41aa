import { refuse } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'

/**
 * Our choice: a creation whose answer was lost may take effect for so long, six times the wait for an answer.
 * Upstream's names are unique in an account: while the Flow keeps its name, a late creation is refused; if the name
 * were free, it would make a second Flow.
 */
const NAME_HELD_MS = 60_000

/** Until when a name is held that is taken at `nowMs`. */
export function heldFrom(nowMs: number): Date {
  return new Date(nowMs + NAME_HELD_MS)
}

/** Whether an earlier creation of the Flow may still take effect. */
export function isNameHeld(row: Pick<StoredFlow, 'nameHeldUntil'>, nowMs: number): boolean {
  return heldRefusal(row, nowMs) !== null
}

/** BUSY while the name is held; null when it may be given up. */
export function heldRefusal({ nameHeldUntil }: Pick<StoredFlow, 'nameHeldUntil'>, nowMs: number): Refusal | null {
  const leftMs = nameHeldUntil === null ? 0 : nameHeldUntil.getTime() - nowMs
  return leftMs > 0
    ? refuse(
        'BUSY',
        'An earlier request for a Flow of this name has no answer yet. Try again.',
        undefined,
        Math.ceil(leftMs / 1_000),
      )
    : null
}
