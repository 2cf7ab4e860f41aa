import { refuse } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'

/**
 * Our choice: so long a creation whose answer was lost may take effect, six times what an answer is waited for.
 * Upstream's names are unique in an account: as long as the Flow keeps its name, what comes late is refused; were it
 * free, a second Flow would stand there.
 */
const NAME_HELD_MS = 60_000

/** Until when a name is held from `nowMs` on. */
export function heldFrom(nowMs: number): Date {
  return new Date(nowMs + NAME_HELD_MS)
}

/** Whether a creation of it may still be late. */
export function isNameHeld(row: Pick<StoredFlow, 'nameHeldUntil'>, nowMs: number): boolean {
  return heldRefusal(row, nowMs) !== null
}

/** BUSY for as long as the name is held; null: it may be given up. */
export function heldRefusal({ nameHeldUntil }: Pick<StoredFlow, 'nameHeldUntil'>, nowMs: number): Refusal | null {
  const leftMs = nameHeldUntil === null ? 0 : nameHeldUntil.getTime() - nowMs
  return leftMs > 0
    ? refuse('BUSY', 'Upstream may still make a Flow of this name. Try again.', undefined, Math.ceil(leftMs / 1_000))
    : null
}
