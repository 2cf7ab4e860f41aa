import type { FileId, NumberId, TenantId } from '../../domain/ids.ts'
import type { FileStore, StoredFile } from '../../ports/stores/file-store.ts'
import type { Engine } from '../engine/engine.ts'
import { toDate } from '../engine/rows.ts'

interface FileRow {
  readonly id: FileId
  readonly tenant_id: TenantId
  readonly number_id: NumberId
  readonly path: string
  readonly mime_type: string
  readonly size_bytes: string | number
  readonly file_name: string | null
  readonly created_at: string
  readonly expires_at: string
}

function toFile(row: FileRow): StoredFile {
  return {
    id: row.id, tenantId: row.tenant_id, numberId: row.number_id, path: row.path, mimeType: row.mime_type, sizeBytes: Number(row.size_bytes),
    fileName: row.file_name, createdAt: toDate(row.created_at), expiresAt: toDate(row.expires_at),
  }
}

/** Files of messages as rows. */
class SqlFileStore implements FileStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async add(file: StoredFile): Promise<boolean> {
    const rows = await this.#database.query(
      `insert into message_files (id, tenant_id, number_id, path, mime_type, size_bytes, file_name, created_at, expires_at)
       select $1, tenant_id, id, $4, $5, $6::bigint, $7, $8::timestamptz, $9::timestamptz from channel_numbers where tenant_id = $2 and id = $3
       returning 1`,
      [file.id, file.tenantId, file.numberId, file.path, file.mimeType, file.sizeBytes, file.fileName, file.createdAt.toISOString(), file.expiresAt.toISOString()])
    return rows.length > 0
  }

  async find(id: string): Promise<StoredFile | null> {
    const rows = await this.#database.query<FileRow>(
      `select f.* from message_files f join channel_numbers n on n.id = f.number_id where f.id = $1 and f.expires_at > $2::timestamptz`, [id, this.#now()])
    return rows[0] ? toFile(rows[0]) : null
  }

  async remove(ids: readonly FileId[]): Promise<StoredFile[]> {
    if (ids.length === 0) return []
    const rows = await this.#database.query<FileRow>('delete from message_files where id = any($1::text[]) returning *', [ids])
    return rows.map(toFile)
  }

  async takeExpired(limit: number): Promise<StoredFile[]> {
    const rows = await this.#database.query<FileRow>(
      `delete from message_files where id in (
         select f.id from message_files f where f.expires_at <= $1::timestamptz
           or not exists (select 1 from channel_numbers n where n.id = f.number_id) limit $2 for update skip locked)
       returning *`, [this.#now(), limit])
    return rows.map(toFile)
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

/** Files of messages over an open database. */
export function openFiles(engine: Pick<Engine, 'database' | 'clock'>): { readonly files: FileStore } {
  return { files: new SqlFileStore(engine) }
}
