import { newId } from '../../src/domain/ids.ts'
import type { ReadCallEvents, ReadMessageEvents } from '../../src/ports/official-platform.ts'
import type { InboundStore, PendingChange } from '../../src/ports/stores/inbound-store.ts'
import type { Fence } from '../../src/ports/leases.ts'
import type { Persistence } from '../persist.ts'
import { persist } from '../persist.ts'
import { CHANGES_PAGE } from './inbox.ts'
import type { ReadChange, ReadEvent, SettleOutcome } from './messages.ts'
import type { NumberEffect } from './state.ts'

export interface ChangePorts extends Persistence {
  readonly inbound: Pick<InboundStore, 'pending' | 'settle'>
  readonly readCallEvents: ReadCallEvents
  readonly readMessageEvents: ReadMessageEvents
  readonly fence: Fence
}

/** Reads what waits for the number; null when the store does not answer. */
export async function readChanges(ports: ChangePorts, after: number): Promise<ReadChange[] | null> {
  const { numberId } = ports.fence
  const read = await persist(ports, 'read changes', () => ports.inbound.pending(numberId, after, CHANGES_PAGE))
  return read?.value.map((change) => readOne(ports, change)) ?? null
}

/** What a change says of calls, then what it says of messages. */
function readOne(ports: ChangePorts, change: PendingChange): ReadChange {
  const { readCallEvents, readMessageEvents } = ports
  const { position, field, value, receivedAt } = change
  const ofCalls = readPart(ports, change, () => readCallEvents(field, value)
    .map((event) => event.type === 'incomingCall' ? { ...event, callId: newId('call') } : event))
  return { position, receivedAt, events: [...ofCalls, ...readPart(ports, change, () => readMessageEvents(field, value))] }
}

/** A change that cannot be read is settled as one that says nothing: tried again it would be no better. */
function readPart({ fence, log }: ChangePorts, { position, field }: PendingChange, read: () => readonly ReadEvent[]): readonly ReadEvent[] {
  try {
    return read()
  } catch (error) {
    log.error({ numberId: fence.numberId, position, field, errorName: error instanceof Error ? error.name : 'unknown' }, 'change cannot be read')
    return []
  }
}

export async function settleChange(ports: ChangePorts, effect: NumberEffect & { type: 'settleChange' }): Promise<SettleOutcome> {
  const { position, events } = effect
  const result = await persist(ports, 'settle change', () => ports.inbound.settle(ports.fence, position, events))
  if (result === null) return 'failed'
  return result.value === 'conflict' ? 'gone' : result.value
}
