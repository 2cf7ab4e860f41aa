/** What is read from the store: the rows of each query. Values are sealed. */
export interface Rows {
  readonly sessions: { number_id: string }
  readonly credentials: { number_id: string; creds: Uint8Array }
  readonly session: { session_id: string; number: string; creds: Uint8Array }
  /** `value` is null where the message is remembered by its name alone. */
  readonly part: { value: Uint8Array | null }
  readonly told: { message_key: string }
  readonly untold: { message_key: string; part: number; value: Uint8Array }
  readonly sequence: { last: number }
  readonly waiting: { events: number }
  readonly events: { seq: number; value: Uint8Array }
  readonly eventOfKind: { seq: number }
  readonly outgoing: OutgoingRow
  readonly outgoingByExternalId: OutgoingRow
  readonly poll: { value: Uint8Array }
  readonly seen: { value: Uint8Array; quote: Uint8Array | null }
  readonly backlog: { position: number; value: Uint8Array }
  readonly leaving: { number_id: string }
  readonly gone: { number_id: string }
}

export interface OutgoingRow {
  message_id: string
  external_id: string
  state: 'PENDING' | 'SENT'
  value: Uint8Array
}

export type Query = keyof Rows

export type Values = Readonly<Record<string, string | number>>

const OUTGOING = 'select message_id, external_id, state, value from outgoing where number_id = :numberId'

/** The statement of each query, for every driver. `:name` is one of its values. */
export const QUERIES: Readonly<Record<Query, string>> = {
  sessions: 'select number_id from sessions order by number_id',
  credentials: 'select number_id, creds from sessions order by number_id limit :most offset :from',
  session: 'select session_id, number, creds from sessions where number_id = :numberId',
  part: `select value from journal where number_id = :numberId and message_key = :messageKey and part = :part
    union all select null from told where number_id = :numberId and message_key = :messageKey`,
  told: 'select message_key from told where number_id = :numberId and message_key = :messageKey',
  untold: 'select message_key, part, value from journal where number_id = :numberId and events = 0 order by position',
  sequence: 'select last from sequences where number_id = :numberId',
  waiting: 'select count(*) as events from events where number_id = :numberId',
  events: 'select seq, value from events where number_id = :numberId and seq > :seq order by seq limit :most',
  eventOfKind: 'select seq from events where number_id = :numberId and ev = :ev limit 1',
  outgoing: `${OUTGOING} and message_id = :messageId`,
  outgoingByExternalId: `${OUTGOING} and external_id = :externalId`,
  poll: 'select value from polls where number_id = :numberId and external_id = :externalId',
  seen: 'select value, quote from seen where number_id = :numberId and external_id = :externalId',
  leaving: "select number_id from moves where way = 'leaving' order by number_id",
  // Only where all numbers are gone.
  gone: "select number_id from moves where way = 'gone' and not exists (select 1 from sessions) limit 1",
  backlog: 'select position, value from backlog where number_id = :numberId order by position limit :most',
}
