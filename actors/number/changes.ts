import { newId } from '../../src/domain/ids.ts'
import type { ReadCallEvents } from '../../src/ports/official-platform.ts'
import type { InboundStore, PendingChange } from '../../src/ports/stores/inbound-store.ts'
import type { Fence } from '../../src/ports/leases.ts'
import type { Persistence } from '../persist.ts'
import { persist } from '../persist.ts'
import { CHANGES_PAGE } from './inbox.ts'
import type { ReadChange, SettleOutcome } from './messages.ts'
import type { NumberEffect } from './state.ts'

export interface ChangePorts extends Persistence {
  readonly inbound: Pick<InboundStore, 'pending' | 'settle'>
  readonly readCallEvents: ReadCallEvents
  readonly fence: Fence
}

/** Reads what waits for the number; null when the store does not answer. */
export async function readChanges(ports: ChangePorts, after: number): Promise<ReadChange[] | null> {
  const { numberId } = ports.fence
  const read = await persist(ports, 'read changes', () => ports.inbound.pending(numberId, after, CHANGES_PAGE))
  return read?.value.map((change) => readOne(ports, change)) ?? null
}

/** A change that cannot be read is settled as one that says nothing: tried again it would be no better. */
function readOne({ readCallEvents, fence, log }: ChangePorts, { position, field, value, receivedAt }: PendingChange): ReadChange {
  try {
    const events = readCallEvents(field, value)
    return { position, receivedAt, events: events.map((event) => event.type === 'incomingCall' ? { ...event, callId: newId('call') } : event) }
  } catch (error) {
    log.error({ numberId: fence.numberId, position, field, errorName: error instanceof Error ? error.name : 'unknown' }, 'change cannot be read')
    return { position, receivedAt, events: [] }
  }
}

export async function settleChange(ports: ChangePorts, effect: NumberEffect & { type: 'settleChange' }): Promise<SettleOutcome> {
  const { position, events } = effect
  const result = await persist(ports, 'settle change', () => ports.inbound.settle(ports.fence, position, events))
  if (result === null) return 'failed'
  return result.value === 'conflict' ? 'gone' : result.value
}
