import { MOST_CANNED_REPLIES, type CannedReply, type CannedReplyFields } from '../../../src/domain/canned-reply.ts'
import { fail, refuse, succeed, type Outcome } from '../../../src/domain/errors.ts'
import { newId, type TenantId } from '../../../src/domain/ids.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { CannedReplyStore } from '../../../src/ports/stores/canned-reply-store.ts'

/** Canned replies in memory. */
export class MemoryCannedReplies implements CannedReplyStore {
  readonly #clock: Clock
  readonly #all = new Map<TenantId, CannedReply[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async list(tenantId: TenantId): Promise<readonly CannedReply[]> {
    return this.#of(tenantId).toSorted((a, b) => (a.shortcut < b.shortcut ? -1 : 1))
  }

  async create(tenantId: TenantId, fields: CannedReplyFields): Promise<Outcome<CannedReply>> {
    const own = this.#of(tenantId)
    if (own.some(({ shortcut }) => shortcut === fields.shortcut)) return TAKEN
    if (own.length >= MOST_CANNED_REPLIES) return fail(refuse('CANNED_REPLY_LIMIT', 'Full'))
    const now = new Date(this.#clock.now())
    const made = { id: newId('crep'), ...fields, createdAt: now, updatedAt: now }
    own.push(made)
    return succeed(made)
  }

  async change(tenantId: TenantId, id: string, fields: Partial<CannedReplyFields>): Promise<Outcome<CannedReply>> {
    const own = this.#of(tenantId)
    const at = own.findIndex((one) => one.id === id)
    const now = own[at]
    if (!now) return fail(refuse('CANNED_REPLY_NOT_FOUND', 'None'))
    if (own.some((one) => one.id !== id && one.shortcut === fields.shortcut)) return TAKEN
    const changed = { ...now, ...fields, updatedAt: new Date(this.#clock.now()) }
    own[at] = changed
    return succeed(changed)
  }

  async remove(tenantId: TenantId, id: string): Promise<boolean> {
    const own = this.#of(tenantId)
    this.#all.set(
      tenantId,
      own.filter((one) => one.id !== id),
    )
    return this.#of(tenantId).length < own.length
  }

  #of(tenantId: TenantId): CannedReply[] {
    const own = this.#all.get(tenantId) ?? []
    this.#all.set(tenantId, own)
    return own
  }
}

const TAKEN = fail(refuse('CANNED_REPLY_EXISTS', 'Taken'))
