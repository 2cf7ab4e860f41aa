import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartFault } from '../../process/config.ts'
import { MOVES } from '../moves.ts'

/** The version of the file's schema, for later engines. */
const SCHEMA_VERSION = 3

const SCHEMA = `
  create table sessions (number_id text primary key, session_id text not null, number text not null, creds blob not null) without rowid;
  create table keys (number_id text not null, type text not null, id text not null, value blob not null, primary key (number_id, type, id)) without rowid;
  -- position is the order in which messages were decrypted.
  create table journal (
    position integer primary key autoincrement, number_id text not null, message_key text not null, part integer not null,
    value blob not null, events integer not null default 0, unique (number_id, message_key, part)
  );
  create table told (number_id text not null, message_key text not null, at integer not null, primary key (number_id, message_key)) without rowid;
  create index told_at on told (at);
  create table events (number_id text not null, seq integer not null, ev text not null, message_key text, value blob not null, primary key (number_id, seq)) without rowid;
  create table sequences (number_id text primary key, last integer not null) without rowid;
  create table outgoing (
    number_id text not null, message_id text not null, external_id text not null, state text not null, value blob not null, at integer not null,
    primary key (number_id, message_id)
  ) without rowid;
  create unique index outgoing_external on outgoing (number_id, external_id);
  create index outgoing_at on outgoing (at);
  create table seen (number_id text not null, external_id text not null, value blob not null, quote blob, at integer not null, primary key (number_id, external_id)) without rowid;
  create index seen_at on seen (at);
  create table backlog (position integer primary key autoincrement, number_id text not null, value blob not null);
  create index backlog_number on backlog (number_id, position);
`

/** What version 2 adds. */
const POLLS = `
  create table polls (number_id text not null, external_id text not null, value blob not null, at integer not null, primary key (number_id, external_id)) without rowid;
  create index polls_at on polls (at);
`

/**
 * Opens the store of an engine. One engine holds it alone, because two would open the same devices twice. So the file
 * is locked until the process ends, however it ends. Throws a StartFault that says what to do.
 */
export function openDatabase(dataDir: string): DatabaseSync {
  const file = join(dataDir, 'engine.sqlite')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const db = new DatabaseSync(file)
    chmodSync(file, 0o600)
    // The lock is taken before the first read: a lock of the process needs no shared memory beside the file.
    db.exec(
      'pragma locking_mode = exclusive; pragma busy_timeout = 2000; pragma journal_mode = wal; pragma synchronous = full',
    )
    // our choice: 16 MiB of pages in memory, and a log of the same size before it is written back, which waits for the
    // disk twice.
    db.exec('pragma cache_size = -16384; pragma wal_autocheckpoint = 4096')
    db.exec('begin immediate')
    const { user_version: version } = db.prepare('pragma user_version').get() as { user_version: number }
    if (version === 0) db.exec(SCHEMA)
    if (version < 2) db.exec(POLLS)
    // Version 3 adds the notes of moves.
    if (version < SCHEMA_VERSION) db.exec(`${MOVES}; pragma user_version = ${SCHEMA_VERSION}`)
    db.exec('commit')
    if (version > SCHEMA_VERSION)
      throw new StartFault(`ENGINE_DATA_DIR ${dataDir} was written by a newer engine: use that one, or another folder`)
    return db
  } catch (error) {
    throw databaseFault(dataDir, error)
  }
}

function databaseFault(dataDir: string, error: unknown): Error {
  if (error instanceof StartFault || !(error instanceof Error)) return error as Error
  if (/locked|busy/i.test(error.message))
    return new StartFault(
      `ENGINE_DATA_DIR ${dataDir} is in use by another engine: stop it, or set ENGINE_DATA_DIR to another folder`,
    )
  return new StartFault(
    `ENGINE_DATA_DIR ${dataDir} cannot be used (${error.message}): make it a folder that this user may write`,
  )
}

/**
 * The key in ENGINE_KEY, or the one beside the store, which is made when there is none. Throws a StartFault when that
 * file holds no key.
 */
export function storeKey(dataDir: string, given: Buffer | null): Buffer {
  if (given) return given
  const file = join(dataDir, 'engine.key')
  try {
    const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
    if (key.length !== 32)
      throw new StartFault(`${file} holds no key of 32 bytes in base64: restore it, or set ENGINE_KEY`)
    return key
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const key = randomBytes(32)
  // The key is written to another file and renamed, so that a crash leaves the whole key or none.
  writeFileSync(`${file}.new`, `${key.toString('base64')}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  return key
}
