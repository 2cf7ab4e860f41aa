import { newId } from '../../../src/domain/ids.ts'
import type { Fault } from '../../../src/domain/set-aside.ts'
import type { ReadCallEvents, ReadMessageEvents } from '../../../src/ports/official/changes.ts'
import type { InboundStore, PendingChange } from '../../../src/ports/stores/inbound-store.ts'
import type { EffectTable } from '../../engine/effect-table.ts'
import { faultOf, persist, tried } from '../../engine/persist.ts'
import type { Self } from '../../engine/runtime.ts'
import type { AsidePorts } from '../settle.ts'
import { CHANGES_PAGE } from './decide.ts'
import { readHeld } from './held.ts'
import type { ChangesMessage, ReadChange, ReadEvent, SettleOutcome } from './messages.ts'
import type { ChangesEffect } from './state.ts'

/** The ports of changes. */
export interface ChangesPorts extends AsidePorts {
  readonly inbound: Pick<InboundStore, 'pending' | 'settle'>
  /** Reads the call events of a change; a change it throws at is set aside. */
  readonly readCallEvents: ReadCallEvents
  /** Reads the message events of a change; a change it throws at is set aside. */
  readonly readMessageEvents: ReadMessageEvents
}

/** What the facet of changes needs; it has no mutable state. */
export interface ChangesWorld {
  readonly ports: ChangesPorts
  readonly self: Pick<Self<ChangesMessage>, 'tell'>
}

/** Does the effects of changes. */
export const CHANGES_EFFECTS: EffectTable<ChangesEffect, ChangesWorld> = {
  readChanges({ ports, self }, { attempt, after }) {
    void readChanges(ports, after).then((changes) => self.tell({ type: 'ChangesRead', attempt, changes }))
  },
  settleChanges({ ports, self }, effect) {
    const { attempt, positions } = effect
    void settleChanges(ports, effect).then((settled) =>
      self.tell({ type: 'ChangesSettled', attempt, positions, ...settled }),
    )
  },
  setChangeAside({ ports, self }, effect) {
    const { attempt, position } = effect
    void setChangeAside(ports, effect).then((outcome) =>
      self.tell({ type: 'ChangesSettled', attempt, positions: [position], outcome, fault: null }),
    )
  },
  reportFailing({ ports }, { codes }) {
    ports.log.warn({ numberId: ports.fence.numberId, codes }, 'upstream reports failing calls')
  },
}

/** Reads the changes that wait for the number; null when the store does not answer. */
async function readChanges(ports: ChangesPorts, after: number): Promise<ReadChange[] | null> {
  const { numberId } = ports.fence
  const read = await persist(ports, 'read changes', () => ports.inbound.pending(numberId, after, CHANGES_PAGE))
  return read?.value.map((change) => readOne(ports, change)) ?? null
}

/** Reads one change: its call events, then its message events, or the event of an engine that it holds. */
function readOne(ports: ChangesPorts, change: PendingChange): ReadChange {
  const { position, field, value, receivedAt, trace } = change
  const parts = [
    () =>
      ports
        .readCallEvents(field, value)
        .map((event) => (event.type === 'incomingCall' ? { ...event, callId: newId('call') } : event)),
    () => ports.readMessageEvents(field, value),
    () => readHeld(field, value),
  ].map((read) => readPart(ports, change, read))
  return {
    position,
    receivedAt,
    events: parts.flatMap(({ events }) => (trace ? events.map((event) => ({ ...event, trace })) : events)),
    fault: parts.find(({ fault }) => fault !== null)?.fault ?? null,
  }
}

/** Reads one part of a change. A change that cannot be read is set aside, because another try would fail too. */
function readPart(
  { fence, log }: ChangesPorts,
  { position, field }: PendingChange,
  read: () => readonly ReadEvent[],
): { readonly events: readonly ReadEvent[]; readonly fault: Fault | null } {
  try {
    return { events: read(), fault: null }
  } catch (error) {
    log.error(
      { numberId: fence.numberId, position, field, errorName: error instanceof Error ? error.name : 'unknown' },
      'change cannot be read',
    )
    return { events: [], fault: faultOf(error, 1) }
  }
}

async function settleChanges(
  ports: ChangesPorts,
  { positions, events }: ChangesEffect & { type: 'settleChanges' },
): Promise<{ readonly outcome: SettleOutcome; readonly fault: Fault | null }> {
  const result = await tried(ports, 'settle changes', () => ports.inbound.settle(ports.fence, positions, events))
  if (!result.ok) return { outcome: 'failed', fault: result.fault }
  return { outcome: result.value === 'conflict' ? 'gone' : result.value, fault: null }
}

async function setChangeAside(
  ports: ChangesPorts,
  { position, fault }: ChangesEffect & { type: 'setChangeAside' },
): Promise<SettleOutcome> {
  ports.log.error(
    { numberId: ports.fence.numberId, position, reason: fault.reason },
    'a change from upstream could not be worked off and is set aside',
  )
  const result = await persist(ports, 'set change aside', () => ports.setAside.change(ports.fence, position, fault))
  if (result === null) return 'failed'
  return result.value === 'conflict' ? 'gone' : result.value
}
