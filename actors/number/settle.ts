import { newId } from '../../src/domain/ids.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { Fence } from '../../src/ports/leases.ts'
import type { SetAsideStore } from '../../src/ports/stores/set-aside-store.ts'
import type { Self } from '../engine/runtime.ts'
import { PATIENT_DELAYS_MS, tried, type Persistence } from '../engine/persist.ts'
import type { ChangesMessage } from './changes/messages.ts'
import { heldEvent } from './changes/held.ts'
import type { OpenSession } from './open-session.ts'
import type { StopReason } from './state.ts'

/** The ports that setting aside needs. */
export interface AsidePorts extends Persistence {
  readonly fence: Fence
  readonly setAside: Pick<SetAsideStore, 'change' | 'deviceEvent'>
}

/** What settling needs: the changes, which hear of it, and the link. */
export interface SettleWorld {
  readonly self: Pick<Self<ChangesMessage>, 'tell'>
  readonly open: OpenSession | null
  readonly stopping: StopReason | null
}

/**
 * Settles an event whose outcome is stored. Numbers below zero are of a change (see changes/decide.ts), the others of
 * the session. After the session closed this does nothing, and the event comes again.
 */
export function settle({ self }: Pick<SettleWorld, 'self'>, open: SettleWorld['open'], seq: number): void {
  if (seq < 0) return self.tell({ type: 'EventSettled', seq })
  open?.line.settle(seq)
  open?.told.delete(seq)
  open?.session.settle(seq)
}

/**
 * Sets aside the event `seq`, whose outcome cannot be stored for a reason of its own: it would fail again, and all that
 * follow would wait. For an event of a change, the whole change is set aside once the rest of it is stored. For an
 * event of a session, the event is stored as set aside and then acknowledged.
 */
export async function setAside(
  world: SettleWorld & { readonly ports: AsidePorts },
  open: SettleWorld['open'],
  seq: number,
  fault: Fault,
): Promise<void> {
  const { self, ports } = world
  if (seq < 0) return self.tell({ type: 'EventSettled', seq, fault })
  const event = open?.told.get(seq)
  if (!open || !event) return
  const { fence, log } = ports
  log.error(
    { numberId: fence.numberId, event: event.type, seq, reason: fault.reason },
    'an event of an engine could not be stored and is set aside',
  )
  const item = newId('log')
  while (!world.stopping) {
    const kept = await tried(
      ports,
      'set aside',
      () => ports.setAside.deviceEvent(fence, item, heldEvent(event), fault),
      PATIENT_DELAYS_MS,
    )
    if (kept.ok) return kept.value === 'fenced' ? undefined : settle({ self }, open, seq)
    if (kept.fault) return
  }
}
