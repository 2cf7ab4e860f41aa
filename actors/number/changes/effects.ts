import { newId } from '../../../src/domain/ids.ts'
import type { ReadCallEvents, ReadMessageEvents } from '../../../src/ports/official/changes.ts'
import type { InboundStore, PendingChange } from '../../../src/ports/stores/inbound-store.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type { EffectTable } from '../../engine/effect-table.ts'
import type { Persistence } from '../../engine/persist.ts'
import { persist } from '../../engine/persist.ts'
import type { Self } from '../../engine/runtime.ts'
import { CHANGES_PAGE } from './decide.ts'
import type { ChangesMessage, ReadChange, ReadEvent, SettleOutcome } from './messages.ts'
import type { ChangesEffect } from './state.ts'

/** The ports of changes. */
export interface ChangesPorts extends Persistence {
  readonly inbound: Pick<InboundStore, 'pending' | 'settle'>
  /** Reads what a change says of calls; a change it throws at is dropped. */
  readonly readCallEvents: ReadCallEvents
  /** Reads what a change says of messages; likewise. */
  readonly readMessageEvents: ReadMessageEvents
  readonly fence: Fence
}

/** What changes need; they hold nothing. */
export interface ChangesWorld {
  readonly ports: ChangesPorts
  readonly self: Pick<Self<ChangesMessage>, 'tell'>
}

/** Does the effects of changes. */
export const CHANGES_EFFECTS: EffectTable<ChangesEffect, ChangesWorld> = {
  readChanges({ ports, self }, { attempt, after }) {
    void readChanges(ports, after).then((changes) => self.tell({ type: 'ChangesRead', attempt, changes }))
  },
  settleChange({ ports, self }, effect) {
    void settleChange(ports, effect).then((outcome) => self.tell({ type: 'ChangeSettled', attempt: effect.attempt, position: effect.position, outcome }))
  },
  reportFailing({ ports }, { codes }) {
    ports.log.warn({ numberId: ports.fence.numberId, codes }, 'upstream reports failing calls')
  },
}

/** Reads what waits for the number; null when the store does not answer. */
async function readChanges(ports: ChangesPorts, after: number): Promise<ReadChange[] | null> {
  const { numberId } = ports.fence
  const read = await persist(ports, 'read changes', () => ports.inbound.pending(numberId, after, CHANGES_PAGE))
  return read?.value.map((change) => readOne(ports, change)) ?? null
}

/** What a change says of calls, then what it says of messages. */
function readOne(ports: ChangesPorts, change: PendingChange): ReadChange {
  const { readCallEvents, readMessageEvents } = ports
  const { position, field, value, receivedAt } = change
  const ofCalls = readPart(ports, change, () => readCallEvents(field, value)
    .map((event) => event.type === 'incomingCall' ? { ...event, callId: newId('call') } : event))
  return { position, receivedAt, events: [...ofCalls, ...readPart(ports, change, () => readMessageEvents(field, value))] }
}

/** A change that cannot be read is settled as one that says nothing: tried again it would be no better. */
function readPart({ fence, log }: ChangesPorts, { position, field }: PendingChange, read: () => readonly ReadEvent[]): readonly ReadEvent[] {
  try {
    return read()
  } catch (error) {
    log.error({ numberId: fence.numberId, position, field, errorName: error instanceof Error ? error.name : 'unknown' }, 'change cannot be read')
    return []
  }
}

async function settleChange(ports: ChangesPorts, effect: ChangesEffect & { type: 'settleChange' }): Promise<SettleOutcome> {
  const { position, events } = effect
  const result = await persist(ports, 'settle change', () => ports.inbound.settle(ports.fence, position, events))
  if (result === null) return 'failed'
  return result.value === 'conflict' ? 'gone' : result.value
}
