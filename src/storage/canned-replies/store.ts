import { MOST_CANNED_REPLIES, type CannedReply, type CannedReplyFields } from '../../domain/canned-reply.ts'
import { fail, refuse, succeed, type Outcome } from '../../domain/errors.ts'
import { newId, type CannedReplyId, type TenantId } from '../../domain/ids.ts'
import type { CannedReplyStore } from '../../ports/stores/canned-reply-store.ts'
import { isDuplicate } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import type { RecordOf } from '../engine/rows-of.ts'
import { TenantEntity } from '../tenants/entity.ts'
import { CannedReplyEntity } from './entity.ts'

function toReply({ id, shortcut, text, createdAt, updatedAt }: RecordOf<typeof CannedReplyEntity>): CannedReply {
  return { id, shortcut, text, createdAt, updatedAt }
}

/** Runs a write, and refuses a shortcut that another canned reply of the tenant has. */
async function unlessTaken(write: () => Promise<Outcome<CannedReply>>): Promise<Outcome<CannedReply>> {
  try {
    return await write()
  } catch (error) {
    if (isDuplicate(error, 'canned_replies_shortcut'))
      return fail(refuse('CANNED_REPLY_EXISTS', 'Another canned reply has this shortcut'))
    throw error
  }
}

class SqlCannedReplyStore implements CannedReplyStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async list(tenantId: TenantId): Promise<readonly CannedReply[]> {
    const rows = await this.#database
      .entities({ tenantId })
      .read(CannedReplyEntity, {}, { orderBy: { shortcut: 'asc' } })
    return rows.map(toReply)
  }

  create(tenantId: TenantId, { shortcut, text }: CannedReplyFields): Promise<Outcome<CannedReply>> {
    return unlessTaken(() =>
      this.#database.unitOfWork({ tenantId }, async (rows) => {
        // Those that are made at once wait for each other here, and so count each other.
        await rows.readOne(TenantEntity, { id: tenantId }, { lock: 'no key update' })
        if ((await rows.count(CannedReplyEntity, {})) >= MOST_CANNED_REPLIES)
          return fail(refuse('CANNED_REPLY_LIMIT', `An account has at most ${MOST_CANNED_REPLIES} canned replies`))
        const now = new Date(this.#clock.now())
        const made = { id: newId('crep'), tenantId, shortcut, text, createdAt: now, updatedAt: now }
        return succeed(toReply(await rows.created(CannedReplyEntity, made)))
      }),
    )
  }

  change(tenantId: TenantId, id: string, fields: Partial<CannedReplyFields>): Promise<Outcome<CannedReply>> {
    return unlessTaken(async () => {
      const [row] = await this.#database
        .entities({ tenantId })
        .updated(CannedReplyEntity, { id: id as CannedReplyId }, { ...fields, updatedAt: new Date(this.#clock.now()) })
      return row
        ? succeed(toReply(row))
        : fail(refuse('CANNED_REPLY_NOT_FOUND', 'No such canned reply in this account'))
    })
  }

  async remove(tenantId: TenantId, id: string): Promise<boolean> {
    const removed = await this.#database.entities({ tenantId }).removed(CannedReplyEntity, { id: id as CannedReplyId })
    return removed > 0
  }
}

/** Canned replies over an open database. */
export function openCannedReplies(engine: Pick<Engine, 'database' | 'clock'>): {
  readonly cannedReplies: CannedReplyStore
} {
  return { cannedReplies: new SqlCannedReplyStore(engine) }
}
