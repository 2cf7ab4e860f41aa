import { CHANGES, type Op } from '../changes.ts'
import { statementOf } from '../statement.ts'

/** The version of the tables, for later engines. */
export const SCHEMA_VERSION = 1

/** The tables of version 1. Sealed values cannot be compressed, so they are stored as they are. */
export const TABLES = `
  create table sessions (number_id text primary key, session_id text not null, number text not null, creds bytea not null);
  create table keys (number_id text not null, type text not null, id text not null, value bytea not null, primary key (number_id, type, id));
  -- position is the order in which messages were decrypted.
  create table journal (
    position bigint generated always as identity primary key, number_id text not null, message_key text not null, part integer not null,
    value bytea not null, events integer not null default 0, unique (number_id, message_key, part)
  );
  create table told (number_id text not null, message_key text not null, at bigint not null, primary key (number_id, message_key));
  create index told_at on told (at);
  create table events (number_id text not null, seq bigint not null, ev text not null, message_key text, value bytea not null, primary key (number_id, seq));
  create table sequences (number_id text primary key, last bigint not null);
  create table outgoing (
    number_id text not null, message_id text not null, external_id text not null, state text not null, value bytea not null, at bigint not null,
    primary key (number_id, message_id)
  );
  create unique index outgoing_external on outgoing (number_id, external_id);
  create index outgoing_at on outgoing (at);
  create table seen (number_id text not null, external_id text not null, value bytea not null, quote bytea, at bigint not null, primary key (number_id, external_id));
  create index seen_at on seen (at);
  create table backlog (position bigint generated always as identity primary key, number_id text not null, value bytea not null);
  create index backlog_number on backlog (number_id, position);
  create table polls (number_id text not null, external_id text not null, value bytea not null, at bigint not null, primary key (number_id, external_id));
  create index polls_at on polls (at);
  alter table sessions alter column creds set storage external;
  alter table keys alter column value set storage external;
  alter table journal alter column value set storage external;
  alter table events alter column value set storage external;
  alter table outgoing alter column value set storage external;
  alter table seen alter column value set storage external, alter column quote set storage external;
  alter table backlog alter column value set storage external;
  -- proof is a known text, sealed: only with the same key it opens.
  create table store (version integer not null, proof bytea not null);
`

/** The columns in which changes go to the server, and the fields that they hold. */
export const COLUMNS: Readonly<Record<string, 'text' | 'bigint' | 'bytea'>> = {
  op: 'text',
  numberId: 'text',
  sessionId: 'text',
  number: 'text',
  type: 'text',
  id: 'text',
  messageKey: 'text',
  ev: 'text',
  messageId: 'text',
  externalId: 'text',
  part: 'bigint',
  events: 'bigint',
  seq: 'bigint',
  at: 'bigint',
  position: 'bigint',
  value: 'bytea',
  quote: 'bytea',
}

const NAMES = Object.keys(COLUMNS)

/** A column of the changes within the function; no table has such a name. */
function columnOf(field: string): string {
  return `_${field.toLowerCase()}`
}

function branchOf(op: Op): string {
  const statements = CHANGES[op].map((sql) => statementOf(sql, (_, field) => `_change.${columnOf(field)}`).text)
  return `when '${op}' then ${statements.map((text) => `${text};`).join('\n')}`
}

/**
 * The function that applies a whole commit: its changes as columns, in their order. It returns the changed rows of
 * each. One call is one transaction and one way to the server, whatever the number of changes.
 */
export function applyFunction(schema: string): string {
  return `
create or replace function ${schema}.apply(${NAMES.map((field) => `_given${columnOf(field)} ${COLUMNS[field]}[]`).join(', ')})
returns integer[] language plpgsql set search_path = ${schema}, pg_temp as $apply$
declare
  _change record;
  _count integer;
  _counts integer[] := '{}';
begin
  for _change in
    select * from unnest(${NAMES.map((field) => `_given${columnOf(field)}`).join(', ')})
      with ordinality as _changes(${NAMES.map(columnOf).join(', ')}, _place) order by _place
  loop
    case _change._op
      ${(Object.keys(CHANGES) as Op[]).map(branchOf).join('\n')}
    end case;
    get diagnostics _count = row_count;
    _counts := _counts || _count;
  end loop;
  return _counts;
end $apply$`
}

/** The statement that calls the function. */
export function applyCall(schema: string): string {
  const values = NAMES.map((field, place) => `$${place + 1}::${COLUMNS[field]}[]`)
  return `select ${schema}.apply(${values.join(', ')}) as counts`
}

export const FIELDS: readonly string[] = NAMES
