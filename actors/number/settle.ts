import type { Self } from '../engine/runtime.ts'
import type { ChangesMessage } from './changes/messages.ts'
import type { OpenSession } from './link/open-session.ts'

/** What settling needs: the changes, which hear of it, and the link. */
export interface SettleWorld {
  readonly self: Pick<Self<ChangesMessage>, 'tell'>
  readonly open: OpenSession | null
}

/**
 * The outcome of an event is stored. Those below zero came by a change (see changes/decide.ts), the others from the session: after
 * that is closed this says nothing, and the event comes again.
 */
export function settle({ self }: Pick<SettleWorld, 'self'>, open: SettleWorld['open'], seq: number): void {
  if (seq < 0) return self.tell({ type: 'EventSettled', seq })
  open?.line.settle(seq)
  open?.session.settle(seq)
}
