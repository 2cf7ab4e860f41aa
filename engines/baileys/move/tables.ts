import {
  backlogContext,
  type Context,
  credsContext,
  eventContext,
  journalContext,
  keyContext,
  outgoingContext,
  pollContext,
  seenContext,
} from '../store/contexts.ts'

export type Value = string | number | Uint8Array | null

export type Row = Readonly<Record<string, Value>>

/** A table of the store, as a number's rows are carried from one place to another. */
export interface Table {
  readonly name: string
  /** What is carried beside the number, with PostgreSQL's types. Positions are made anew, in the same order. */
  readonly columns: Readonly<Record<string, 'text' | 'bigint' | 'bytea'>>
  /** The columns by which the rows of a number are read, in order; together they are unique within it. */
  readonly order: readonly string[]
  /** What the value of each sealed column is sealed for. */
  readonly contexts: Readonly<Record<string, (numberId: string, row: Row) => Context>>
  /** What becomes of a row that the other place has. Without words for it, the number does not move. */
  readonly onConflict: string
}

const KEEP = 'on conflict do nothing'
const text = (row: Row, column: string): string => String(row[column])

/** All tables that hold rows of numbers. */
export const TABLES: readonly Table[] = [
  {
    name: 'sessions',
    columns: { session_id: 'text', number: 'text', creds: 'bytea' },
    order: ['session_id'],
    contexts: { creds: credsContext },
    onConflict: '',
  },
  {
    name: 'keys',
    columns: { type: 'text', id: 'text', value: 'bytea' },
    order: ['type', 'id'],
    contexts: { value: (numberId, row) => keyContext(numberId, text(row, 'type'), text(row, 'id')) },
    onConflict: '',
  },
  {
    name: 'journal',
    columns: { message_key: 'text', part: 'bigint', value: 'bytea', events: 'bigint' },
    order: ['position'],
    contexts: { value: (numberId, row) => journalContext(numberId, text(row, 'message_key'), Number(row['part'])) },
    // The same message, which came to two devices of the number.
    onConflict: KEEP,
  },
  {
    name: 'told',
    columns: { message_key: 'text', at: 'bigint' },
    order: ['message_key'],
    contexts: {},
    onConflict: KEEP,
  },
  {
    name: 'events',
    columns: { seq: 'bigint', ev: 'text', message_key: 'text', value: 'bytea' },
    order: ['seq'],
    contexts: { value: (numberId, row) => eventContext(numberId, Number(row['seq'])) },
    onConflict: '',
  },
  {
    name: 'sequences',
    columns: { last: 'bigint' },
    order: ['last'],
    contexts: {},
    // Numbers of events never go down, because gateways remember them.
    onConflict: 'on conflict (number_id) do update set last = excluded.last where excluded.last > sequences.last',
  },
  {
    name: 'outgoing',
    columns: { message_id: 'text', external_id: 'text', state: 'text', value: 'bytea', at: 'bigint' },
    order: ['message_id'],
    contexts: { value: (numberId, row) => outgoingContext(numberId, text(row, 'message_id')) },
    onConflict: KEEP,
  },
  {
    name: 'seen',
    columns: { external_id: 'text', value: 'bytea', quote: 'bytea', at: 'bigint' },
    order: ['external_id'],
    contexts: {
      value: (numberId, row) => seenContext(numberId, text(row, 'external_id'), 'key'),
      quote: (numberId, row) => seenContext(numberId, text(row, 'external_id'), 'quote'),
    },
    onConflict: KEEP,
  },
  {
    name: 'backlog',
    columns: { value: 'bytea' },
    order: ['position'],
    contexts: { value: backlogContext },
    onConflict: '',
  },
  {
    name: 'polls',
    columns: { external_id: 'text', value: 'bytea', at: 'bigint' },
    order: ['external_id'],
    contexts: { value: (numberId, row) => pollContext(numberId, text(row, 'external_id')) },
    onConflict: KEEP,
  },
]
