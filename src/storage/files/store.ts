import type { FileId } from '../../domain/ids.ts'
import type { AddedFile, FileStore, StoredFile } from '../../ports/stores/file-store.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { MessageFileEntity } from './entity.ts'

/** Expiry of a file that a template keeps: never by time. */
export const HELD = new Date(Date.UTC(9999, 11, 31))

/**
 * Our choice: a file that its template has let go of may belong to messages that were accepted before. They may be due
 * 30 days later, and wait for 7 days more ([messages.failures.11]); this is a day longer.
 */
const LET_GO_MS = 38 * 24 * 3_600_000

/**
 * Gives the files of tenant `$3` that templates name (`$1`) to those templates, until `$4`, which is HELD. Files that
 * the templates `$2` no longer name lose their template; having no number either, they expire after the next purge. A
 * file that another template has stays with it.
 */
export const TAKE_OVER = `with named as (
    select * from json_to_recordset($1::json) as r (template_id text, file_id text)
  ), let_go as (
    update message_files f set template_id = null
    where f.template_id = any($2::text[]) and not exists (select 1 from named n where n.template_id = f.template_id and n.file_id = f.id)
  )
  update message_files f set template_id = n.template_id, number_id = null, expires_at = $4::timestamptz
  from named n where f.id = n.file_id and f.tenant_id = $3 and f.template_id is null`

const FILES = rowsOf(MessageFileEntity).without('templateId')
type FileRow = RowIn<typeof FILES>
const FILE_COLUMNS = FILES.list('f')

/** True of a file whose number is gone and that no template has. */
const IS_LEFT = '(f.number_id is not null and not exists (select 1 from channel_numbers n where n.id = f.number_id))'

/**
 * Sets the expiry of files whose template is gone or no longer names them. This statement and a template that takes
 * such a file meanwhile wait for each other.
 */
const LET_GO =
  'update message_files set expires_at = $2::timestamptz where expires_at = $1::timestamptz and template_id is null'

/** Files of messages as rows. */
class SqlFileStore implements FileStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async add(file: AddedFile): Promise<boolean> {
    const rows = await this.#database.query(
      `insert into message_files (id, tenant_id, number_id, path, mime_type, size_bytes, file_name, created_at, expires_at)
       select $1, tenant_id, id, $4, $5, $6::bigint, $7, $8::timestamptz, $9::timestamptz from channel_numbers where tenant_id = $2 and id = $3
       returning 1`,
      [
        file.id,
        file.tenantId,
        file.numberId,
        file.path,
        file.mimeType,
        file.sizeBytes,
        file.fileName,
        file.createdAt.toISOString(),
        file.expiresAt.toISOString(),
      ],
    )
    return rows.length > 0
  }

  async find(id: string): Promise<StoredFile | null> {
    const rows = await this.#database.query<FileRow>(
      `select ${FILE_COLUMNS} from message_files f where f.id = $1 and f.expires_at > $2::timestamptz and not ${IS_LEFT}`,
      [id, this.#now()],
    )
    return rows[0] ? FILES.read(rows[0]) : null
  }

  async known(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#database.chores.query<{ id: string }>(
      'select id from message_files where id = any($1::text[])',
      [ids],
    )
    return new Set(rows.map(({ id }) => id))
  }

  async remove(ids: readonly FileId[]): Promise<StoredFile[]> {
    if (ids.length === 0) return []
    const rows = await this.#database.query<FileRow>(
      `delete from message_files f where f.id = any($1::text[]) and f.number_id is not null returning ${FILE_COLUMNS}`,
      [ids],
    )
    return rows.map(FILES.read)
  }

  async takeExpired(limit: number): Promise<StoredFile[]> {
    const nowMs = this.#clock.now()
    await this.#database.query(LET_GO, [HELD.toISOString(), new Date(nowMs + LET_GO_MS).toISOString()])
    const rows = await this.#database.query<FileRow>(
      `with gone as (
         delete from message_files f where f.id in (
           select f.id from message_files f where f.expires_at <= $1::timestamptz or ${IS_LEFT} limit $2 for update skip locked)
         returning ${FILE_COLUMNS}
       ), forgotten as (
         update calls set recording = 'GONE', recording_file_id = null where recording_file_id in (select id from gone)
       )
       select * from gone`,
      [this.#now(), limit],
    )
    return rows.map(FILES.read)
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

/** Files of messages over an open database. */
export function openFiles(engine: Pick<Engine, 'database' | 'clock'>): { readonly files: FileStore } {
  return { files: new SqlFileStore(engine) }
}
