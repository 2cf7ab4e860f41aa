import type { DatabaseSync } from 'node:sqlite'
import type { EngineEvent, SequencedEvent } from '../protocol/engine-event.ts'
import type { Seal } from './seal.ts'
import { statement } from './statement.ts'
import type { Writer } from './writer.ts'

/** The events of one number, numbered and kept until the gateway has stored them ([bridge.socket.5]). */
export interface EventStore {
  /**
   * Numbers events and stores them, without sending; `also` runs in the same commit. Resolves once they are on the
   * disk.
   */
  add(events: readonly EngineEvent[], messageKey: string | null, also?: () => void): Promise<readonly SequencedEvent[]>
  /**
   * Numbers an event for a socket that is about to be closed. The event is not stored, and no other socket may get it.
   */
  number(event: EngineEvent): SequencedEvent
  /** Deletes the events up to `seq`, which is read at the time of writing, and the journal rows they came from. */
  acknowledge(seq: () => number): Promise<void>
  /** Stored events after `seq`, oldest first, at most `limit`. */
  after(seq: number, limit: number): readonly SequencedEvent[]
  /** Number of events that wait for their acknowledgement. */
  readonly waiting: number
  /** Whether a stored event of this kind waits. */
  has(ev: string): boolean
  /** Deletes events of an earlier pairing, for use within a task of the writer. Messages and calls stay. */
  forgetSessionEvents(): void
}

interface Row {
  seq: number
  value: Uint8Array
}

/** The first number of all follows `nowMs`; our choice, so that numbers rise even when a data directory was lost. */
export function eventsOf(db: DatabaseSync, seal: Seal, writer: Writer, numberId: string, nowMs: number): EventStore {
  const last = statement(db, 'select last from sequences where number_id = ?').get(numberId) as
    | { last: number }
    | undefined
  const remember = statement(
    db,
    'insert into sequences (number_id, last) values (?, ?) on conflict do update set last = max(last, excluded.last)',
  )
  const insert = statement(db, 'insert into events (number_id, seq, ev, message_key, value) values (?, ?, ?, ?, ?)')
  const select = statement(db, 'select seq, value from events where number_id = ? and seq > ? order by seq limit ?')
  const settled = statement(
    db,
    'select message_key, count(*) as events from events where number_id = ? and seq <= ? and message_key is not null group by message_key',
  )
  const settle = statement(
    db,
    'update journal set events = events - ? where number_id = ? and message_key = ? and events > 0',
  )
  const removeTold = statement(db, 'delete from journal where number_id = ? and message_key = ? and events = 0')
  const remove = statement(db, 'delete from events where number_id = ? and seq <= ?')
  const forget = statement(db, "delete from events where number_id = ? and ev like 'session.%'")
  const supersede = statement(
    db,
    "delete from events where number_id = ? and seq < ? and (ev = 'session.qr' or ev = ?)",
  )
  const hasKind = statement(db, 'select 1 from events where number_id = ? and ev = ? limit 1')
  const count = statement(db, 'select count(*) as events from events where number_id = ?')
  const contextOf = (seq: number): readonly string[] => ['event', numberId, String(seq)]
  let lastSeq = last?.last ?? nowMs
  let waiting = (count.get(numberId) as { events: number }).events

  function number(event: EngineEvent): SequencedEvent {
    lastSeq += 1
    return { ...event, seq: lastSeq }
  }

  function put(event: SequencedEvent, messageKey: string | null): void {
    insert.run(
      numberId,
      event.seq,
      event.ev,
      messageKey,
      seal.seal(contextOf(event.seq), Buffer.from(JSON.stringify(event))),
    )
    remember.run(numberId, event.seq)
  }

  /** Deletes superseded states and codes: an OPEN of an earlier life must not be told as if it were now. */
  function forgetOlder({ ev, seq }: SequencedEvent): void {
    if (ev === 'session.state' || ev === 'session.qr') waiting -= Number(supersede.run(numberId, seq, ev).changes)
  }

  function forgetUpTo(seq: number): void {
    for (const row of settled.all(numberId, seq) as unknown as { message_key: string; events: number }[]) {
      settle.run(row.events, numberId, row.message_key)
      removeTold.run(numberId, row.message_key)
    }
    waiting -= Number(remove.run(numberId, seq).changes)
  }

  return {
    async add(events, messageKey, also) {
      const sequenced = events.map(number)
      waiting += sequenced.length
      await writer.write(() => {
        for (const event of sequenced) {
          forgetOlder(event)
          put(event, messageKey)
        }
        also?.()
      })
      return sequenced
    },
    number,
    // An acknowledgement that a crash undoes is repeated, because its events are sent again.
    acknowledge: (seq) => writer.writeSoon(() => forgetUpTo(seq())),
    after(seq, limit) {
      return (select.all(numberId, seq, limit) as unknown as Row[]).map(
        (row) => JSON.parse(seal.open(contextOf(row.seq), row.value).toString()) as SequencedEvent,
      )
    },
    get waiting() {
      return waiting
    },
    has: (ev) => hasKind.get(numberId, ev) !== undefined,
    forgetSessionEvents: () => {
      waiting -= Number(forget.run(numberId).changes)
    },
  }
}
