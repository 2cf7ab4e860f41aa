import type { TenantId } from '../../src/domain/ids.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { Fence } from '../../src/ports/leases.ts'
import type { SettleResult } from '../../src/ports/stores/send-queue.ts'
import type { SetAsideStore } from '../../src/ports/stores/set-aside-store.ts'
import { PATIENT_DELAYS_MS, persist, type Persistence, type Tried } from '../engine/persist.ts'
import type { StoreOutcome } from './messages.ts'
import type { SendingEffect } from './state.ts'

/** What noting a send needs that is set aside. */
export interface AsidePorts extends Persistence {
  readonly setAside: Pick<SetAsideStore, 'note'>
  readonly tenantId: TenantId
  readonly fence: Fence
}

/** What a write came to, as the actor hears it. */
export function outcomeOf(written: Tried<SettleResult>): { readonly outcome: StoreOutcome, readonly fault: Fault | null } {
  return written.ok ? { outcome: written.value, fault: null } : { outcome: 'failed', fault: written.fault }
}

/** Tells the operator of a send that ended for a fault of ours; its row has the rest. */
export function noteAside(ports: AsidePorts, { messageId, fault }: SendingEffect & { type: 'noteAside' }): void {
  const { setAside, log, tenantId, fence: { numberId } } = ports
  log.error({ numberId, messageId, reason: fault.reason }, 'a send is set aside')
  void persist(ports, 'set send aside', () => setAside.note({ ...fault, line: 'sends', item: messageId, tenantId, numberId, accountId: null }, null), PATIENT_DELAYS_MS)
}
