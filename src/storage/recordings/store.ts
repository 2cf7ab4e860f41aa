import type { NewEvent } from '../../domain/events.ts'
import type { CallId, FileId, NumberId, TenantId } from '../../domain/ids.ts'
import type { PiiMode } from '../../domain/number.ts'
import type { RecordingState } from '../../domain/recording.ts'
import type { DueRecording, RecordingStore, WholeRecording } from '../../ports/stores/recording-store.ts'
import type { Engine } from '../engine/engine.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { toDate } from '../engine/rows.ts'
import { dayOf } from '../engine/statement.ts'
import { tallyCte } from '../usage/tally.ts'

interface DueRow {
  readonly call_id: CallId
  readonly tenant_id: TenantId
  readonly number_id: NumberId
  readonly recording: RecordingState
  readonly connected_at: string | null
  readonly ended_at: string
  readonly pii_mode: PiiMode
}

const TAKE_DUE = `update calls c set recording_due_at = $3::timestamptz
  from channel_numbers n
  where n.id = c.number_id and c.id in (
    select id from calls where recording_due_at <= $1::timestamptz order by recording_due_at limit $2::integer for update skip locked)
  returning c.id as call_id, c.tenant_id, c.number_id, c.recording, c.connected_at, coalesce(c.ended_at, c.updated_at) as ended_at, n.pii_mode`

/** SQL of a recording that became whole in the form that usage takes, on the day of its call ([usage.objects.4]). */
const USED = `select tenant_id, ${dayOf('created_at')} as day, number_id, u.metric, u.amount
  from written cross join lateral (values ('recordings.count', 1), ('recordings.bytes', $5::bigint)) as u (metric, amount)`

const STORE = `with written as (
    update calls set recording = 'STORED', recording_file_id = $2, recording_due_at = null
    where id = $1 and recording = 'ASKED' returning tenant_id, number_id, created_at
  ), ${eventCtes('written', '$3', '$4')}, ${tallyCte(USED)}
  select 1 from written`

const SETTLE = `update calls set recording_due_at = null, recording = case when recording = 'ASKED' then 'GONE' else recording end
  where id = $1`

const REMOVE = `with former as (
    select id, recording, recording_file_id from calls
    where number_id = $1 and id = $2 and recording in ('ASKED', 'STORED') for update
  ), gone as (
    update calls c set recording = 'GONE', recording_file_id = null,
      recording_due_at = case when former.recording = 'ASKED' then $3::timestamptz end
    from former where c.id = former.id
  )
  select recording_file_id from former`

/** Recordings as columns of their calls. */
class SqlRecordingStore implements RecordingStore {
  readonly #engine: Pick<Engine, 'database' | 'clock' | 'onEvents'>

  constructor(engine: Pick<Engine, 'database' | 'clock' | 'onEvents'>) {
    this.#engine = engine
  }

  async takeDue(limit: number, untilMs: number): Promise<readonly DueRecording[]> {
    const rows = await this.#engine.database.query<DueRow>(TAKE_DUE, [this.#now(), limit, toIso(untilMs)])
    return rows.map(({ call_id, tenant_id, number_id, recording, connected_at, ended_at, pii_mode }) => ({
      callId: call_id,
      tenantId: tenant_id,
      numberId: number_id,
      recording,
      connectedAt: connected_at === null ? null : toDate(connected_at),
      endedAt: toDate(ended_at),
      piiMode: pii_mode,
    }))
  }

  async defer(callId: CallId, untilMs: number): Promise<void> {
    await this.#engine.database.query(
      'update calls set recording_due_at = $2::timestamptz where id = $1 and recording_due_at is not null',
      [callId, toIso(untilMs)],
    )
  }

  async store(callId: CallId, { fileId, sizeBytes }: WholeRecording, event: NewEvent): Promise<boolean> {
    const parameters = [callId, fileId, toOutboxParameter([event]), this.#now(), sizeBytes]
    const rows = await this.#engine.database.query(STORE, parameters)
    if (rows.length > 0) this.#engine.onEvents()
    return rows.length > 0
  }

  async settle(callId: CallId): Promise<void> {
    await this.#engine.database.query(SETTLE, [callId])
  }

  async awaited(calls: readonly CallId[]): Promise<ReadonlySet<CallId>> {
    const rows = await this.#engine.database.query<{ readonly id: CallId }>(
      "select id from calls where id = any($1::text[]) and recording = 'ASKED'",
      [calls],
    )
    return new Set(rows.map(({ id }) => id))
  }

  async fileOf(numberId: NumberId, callId: CallId): Promise<FileId | null> {
    const [row] = await this.#engine.database.query<{ readonly recording_file_id: FileId | null }>(
      'select recording_file_id from calls where number_id = $1 and id = $2',
      [numberId, callId],
    )
    return row?.recording_file_id ?? null
  }

  async remove(numberId: NumberId, callId: CallId): ReturnType<RecordingStore['remove']> {
    const [row] = await this.#engine.database.query<{ readonly recording_file_id: FileId | null }>(REMOVE, [
      numberId,
      callId,
      this.#now(),
    ])
    return row ? { fileId: row.recording_file_id } : 'none'
  }

  #now(): string {
    return toIso(this.#engine.clock.now())
  }
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

/** Recordings over an open database. */
export function openRecordings(engine: Pick<Engine, 'database' | 'clock' | 'onEvents'>): {
  readonly recordings: RecordingStore
} {
  return { recordings: new SqlRecordingStore(engine) }
}
