/**
 * What is written to the store, as data, so that a driver can carry a whole commit to a server in one go. Values are
 * sealed already.
 */
interface Fields {
  'session.put': { sessionId: string; number: string; value: Uint8Array }
  'session.remove': object
  'key.put': { type: string; id: string; value: Uint8Array }
  'key.remove': { type: string; id: string }
  'keys.remove': object
  'journal.put': { messageKey: string; part: number; value: Uint8Array }
  /** Writes the part only when its message was not told. */
  'journal.putUntold': { messageKey: string; part: number; value: Uint8Array }
  /** `events` is how many wait for their acknowledgement. */
  'journal.wait': { messageKey: string; events: number }
  'journal.remove': { messageKey: string }
  'told.put': { messageKey: string; at: number }
  /** Fails where the number is taken. */
  'event.put': { seq: number; ev: string; messageKey: string | null; value: Uint8Array }
  /** Deletes older codes, and older events of the kind. */
  'events.supersede': { seq: number; ev: string }
  /** Deletes events up to `seq`, and the journal rows all of whose events are gone. */
  'events.acknowledge': { seq: number }
  /** Deletes events of an earlier pairing; messages and calls stay. */
  'events.forget': object
  'outgoing.put': { messageId: string; externalId: string; value: Uint8Array; at: number }
  'outgoing.sent': { messageId: string }
  'outgoing.remove': { messageId: string }
  'poll.put': { externalId: string; value: Uint8Array; at: number }
  'seen.put': { externalId: string; value: Uint8Array; quote: Uint8Array | null; at: number }
  'backlog.put': { value: Uint8Array }
  /** Deletes events up to `position`. */
  'backlog.remove': { position: number }
  /** Purges delete rows of all numbers from before `at`. */
  'outgoing.purge': { at: number }
  'polls.purge': { at: number }
  'told.purge': { at: number }
  'seen.purge': { at: number }
  /** Deletes only the texts of messages. */
  'quotes.purge': { at: number }
}

export type Op = keyof Fields

/** One change. `numberId` is empty for purges. */
export type Change = { [O in Op]: Readonly<{ op: O; numberId: string } & Fields[O]> }[Op]

/** The value of a field; undefined when the change has no such field. */
export function fieldOf(change: Change, field: string): string | number | Uint8Array | null | undefined {
  return (change as unknown as Readonly<Record<string, string | number | Uint8Array | null | undefined>>)[field]
}

const JOURNAL = 'journal where number_id = :numberId'
const SETTLED =
  'select message_key, count(*) as told from events where number_id = :numberId and seq <= :seq and message_key is not null group by message_key'

/**
 * The statements of each change, for every driver. `:name` is a field of the change. The rows that the last statement
 * changed are those of the change.
 */
export const CHANGES: Readonly<Record<Op, readonly string[]>> = {
  'session.put': [
    'insert into sessions (number_id, session_id, number, creds) values (:numberId, :sessionId, :number, :value) on conflict (number_id) do update set session_id = excluded.session_id, number = excluded.number, creds = excluded.creds',
  ],
  'session.remove': ['delete from sessions where number_id = :numberId'],
  'key.put': [
    'insert into keys (number_id, type, id, value) values (:numberId, :type, :id, :value) on conflict (number_id, type, id) do update set value = excluded.value',
  ],
  'key.remove': ['delete from keys where number_id = :numberId and type = :type and id = :id'],
  'keys.remove': ['delete from keys where number_id = :numberId'],
  'journal.put': [
    'insert into journal (number_id, message_key, part, value) values (:numberId, :messageKey, :part, :value) on conflict do nothing',
  ],
  'journal.putUntold': [
    'insert into journal (number_id, message_key, part, value) select :numberId, :messageKey, :part, :value where not exists (select 1 from told where number_id = :numberId and message_key = :messageKey) on conflict do nothing',
  ],
  'journal.wait': ['update journal set events = :events where number_id = :numberId and message_key = :messageKey'],
  'journal.remove': [`delete from ${JOURNAL} and message_key = :messageKey`],
  'told.put': [
    'insert into told (number_id, message_key, at) values (:numberId, :messageKey, :at) on conflict do nothing',
  ],
  'event.put': [
    'insert into sequences (number_id, last) values (:numberId, :seq) on conflict (number_id) do update set last = excluded.last where excluded.last > sequences.last',
    'insert into events (number_id, seq, ev, message_key, value) values (:numberId, :seq, :ev, :messageKey, :value)',
  ],
  'events.supersede': [
    "delete from events where number_id = :numberId and seq < :seq and (ev = 'session.qr' or ev = :ev)",
  ],
  'events.acknowledge': [
    `update journal set events = journal.events - settled.told from (${SETTLED}) as settled where journal.number_id = :numberId and journal.message_key = settled.message_key and journal.events > 0`,
    `delete from ${JOURNAL} and events = 0 and message_key in (select message_key from events where number_id = :numberId and seq <= :seq and message_key is not null)`,
    'delete from events where number_id = :numberId and seq <= :seq',
  ],
  'events.forget': ["delete from events where number_id = :numberId and ev like 'session.%'"],
  'outgoing.put': [
    "insert into outgoing (number_id, message_id, external_id, state, value, at) values (:numberId, :messageId, :externalId, 'PENDING', :value, :at) on conflict do nothing",
  ],
  // Several say that a message went out; only the first of them changes a row.
  'outgoing.sent': [
    "update outgoing set state = 'SENT' where number_id = :numberId and message_id = :messageId and state = 'PENDING'",
  ],
  'outgoing.remove': ['delete from outgoing where number_id = :numberId and message_id = :messageId'],
  'poll.put': [
    'insert into polls (number_id, external_id, value, at) values (:numberId, :externalId, :value, :at) on conflict do nothing',
  ],
  'seen.put': [
    'insert into seen (number_id, external_id, value, quote, at) values (:numberId, :externalId, :value, :quote, :at) on conflict do nothing',
  ],
  'backlog.put': ['insert into backlog (number_id, value) values (:numberId, :value)'],
  'backlog.remove': ['delete from backlog where number_id = :numberId and position <= :position'],
  'outgoing.purge': ['delete from outgoing where at < :at'],
  'polls.purge': ['delete from polls where at < :at'],
  'told.purge': ['delete from told where at < :at'],
  'seen.purge': ['delete from seen where at < :at'],
  'quotes.purge': ['update seen set quote = null where at < :at and quote is not null'],
}
