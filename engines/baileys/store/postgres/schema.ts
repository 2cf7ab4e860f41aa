import { CHANGES, type Op } from '../changes.ts'
import { statementOf } from '../statement.ts'

/** The version of tables and functions, for later engines: whoever changes either raises it. */
export const SCHEMA_VERSION = 2

/** SQLSTATE of a read or write whose hold is over; the class is none of PostgreSQL's. Its detail names the numbers. */
export const FENCED = 'EF001'

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

/**
 * What version 2 adds: who holds a number. A write share-locks the key of its row, which a renewal does not wait for. A
 * taker waits for it: the index on the token makes the token part of a key, so that changing it locks the whole row.
 */
export const LEASES = `
  drop function if exists apply;
  create table number_leases (number_id text primary key, engine_id text, token bigint not null, expires_at timestamptz not null);
  create unique index number_leases_fence on number_leases (number_id, token);
  create index number_leases_engine on number_leases (engine_id);
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
 * The function that fails unless a number is held under this token. A query that calls it in a subquery of its own has
 * it called once, also where it finds no row.
 */
function heldFunction(schema: string): string {
  return `
create or replace function ${schema}.held(_held_number text, _held_token bigint)
returns boolean language plpgsql set search_path = ${schema}, pg_temp as $held$
begin
  if not exists (select from number_leases where number_id = _held_number and token = _held_token) then
    raise exception 'another engine may hold the number' using errcode = '${FENCED}', detail = json_build_array(_held_number);
  end if;
  return true;
end $held$`
}

/**
 * The function that applies a whole commit: its changes as columns, in their order. It returns the changed rows of
 * each. One call is one transaction and one way to the server, whatever the number of changes. It fails, and applies
 * nothing, unless each of the given numbers is held under its token; a taker waits until it is done.
 */
function applyFunction(schema: string): string {
  return `
create or replace function ${schema}.apply(_held_numbers text[], _held_tokens bigint[], ${NAMES.map((field) => `_given${columnOf(field)} ${COLUMNS[field]}[]`).join(', ')})
returns integer[] language plpgsql set search_path = ${schema}, pg_temp as $apply$
declare
  _change record;
  _count integer;
  _counts integer[] := '{}';
begin
  perform from number_leases join unnest(_held_numbers, _held_tokens) as _held(number_id, token) using (number_id, token)
    order by number_id for key share of number_leases;
  get diagnostics _count = row_count;
  if _count < cardinality(_held_numbers) then
    raise exception 'another engine may hold the number' using errcode = '${FENCED}', detail = (
      select json_agg(number_id) from unnest(_held_numbers, _held_tokens) as _held(number_id, token)
      where not exists (select from number_leases where number_leases.number_id = _held.number_id and number_leases.token = _held.token)
    );
  end if;
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

/** The functions, for every statement of the driver. */
export function functions(schema: string): string {
  return `${heldFunction(schema)};${applyFunction(schema)}`
}

/** The statement that calls the function of commits. */
export function applyCall(schema: string): string {
  const values = NAMES.map((field, place) => `$${place + 3}::${COLUMNS[field]}[]`)
  return `select ${schema}.apply($1::text[], $2::bigint[], ${values.join(', ')}) as counts`
}

export const FIELDS: readonly string[] = NAMES
