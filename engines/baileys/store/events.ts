import type { EngineEvent, SequencedEvent } from '../protocol/engine-event.ts'
import type { Change } from './changes.ts'
import { eventContext } from './contexts.ts'
import type { Parts } from './parts.ts'

/** The events of one number, numbered and kept until the gateway has stored them ([bridge.socket.5]). */
export interface EventStore {
  /**
   * Numbers events and stores them, without sending; `also` is in the same commit. Resolves once they are on the disk.
   */
  add(
    events: readonly EngineEvent[],
    messageKey: string | null,
    also?: readonly Change[],
  ): Promise<readonly SequencedEvent[]>
  /**
   * Numbers an event for a socket that is about to be closed. The event is not stored, and no other socket may get it.
   */
  number(event: EngineEvent): SequencedEvent
  /** Deletes the events up to `seq`, which is read at the time of writing, and the journal rows they came from. */
  acknowledge(seq: () => number): Promise<void>
  /** Stored events after `seq`, oldest first, at most `most`. */
  after(seq: number, most: number): Promise<readonly SequencedEvent[]>
  /** Number of events that wait for their acknowledgement. */
  readonly waiting: number
  /** Whether a stored event of this kind waits. */
  has(ev: string): Promise<boolean>
  /** Deletes events of an earlier pairing; `also` is in the same commit. Messages and calls stay. */
  forgetSessionEvents(also: readonly Change[]): Promise<void>
}

/**
 * Opens the events of a number. The first number of all follows the time of opening; our choice, so that numbers rise
 * even when a store was lost.
 */
export async function openEvents({ numberId, reader, writer, seal, now }: Parts): Promise<EventStore> {
  const [[last], [count]] = await Promise.all([
    reader.read('sequence', { numberId }),
    reader.read('waiting', { numberId }),
  ])
  let lastSeq = last?.last ?? now()
  let waiting = count?.events ?? 0

  function number(event: EngineEvent): SequencedEvent {
    lastSeq += 1
    return { ...event, seq: lastSeq }
  }

  function put(event: SequencedEvent, messageKey: string | null): readonly Change[] {
    const { seq, ev } = event
    const value = seal.seal(eventContext(numberId, seq), Buffer.from(JSON.stringify(event)))
    // Superseded states and codes go: an OPEN of an earlier life must not be told as if it were now.
    const isLatest = ev === 'session.state' || ev === 'session.qr'
    return [
      ...(isLatest ? [{ op: 'events.supersede', numberId, seq, ev } as const] : []),
      { op: 'event.put', numberId, seq, ev, messageKey, value },
    ]
  }

  /** Commits changes; those of `op` delete events. */
  async function commit(op: Change['op'], changes: readonly Change[]): Promise<void> {
    const counts = await writer.write(changes)
    waiting -= deleted(op, changes, counts)
  }

  return {
    async add(events, messageKey, also = []) {
      const sequenced = events.map(number)
      waiting += sequenced.length
      try {
        await commit('events.supersede', [...sequenced.flatMap((event) => put(event, messageKey)), ...also])
      } catch (error) {
        waiting -= sequenced.length
        throw error
      }
      return sequenced
    },
    number,
    // An acknowledgement that a crash undoes is repeated, because its events are sent again.
    async acknowledge(seq) {
      const [events = 0] = await writer.writeSoon(() => [{ op: 'events.acknowledge', numberId, seq: seq() }])
      waiting -= events
    },
    async after(seq, most) {
      const rows = await reader.read('events', { numberId, seq, most })
      return rows.map(
        (row) => JSON.parse(seal.open(eventContext(numberId, row.seq), row.value).toString()) as SequencedEvent,
      )
    },
    get waiting() {
      return waiting
    },
    has: async (ev) => (await reader.read('eventOfKind', { numberId, ev })).length > 0,
    forgetSessionEvents: (also) => commit('events.forget', [...also, { op: 'events.forget', numberId }]),
  }
}

/** The rows that changes of a kind deleted together. */
function deleted(op: Change['op'], changes: readonly Change[], counts: readonly number[]): number {
  return changes.reduce((total, change, place) => (change.op === op ? total + (counts[place] ?? 0) : total), 0)
}
