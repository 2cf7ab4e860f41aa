import type { CannedReply, CannedReplyFields } from '../../domain/canned-reply.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { TenantId } from '../../domain/ids.ts'

/** Canned replies of tenants. */
export interface CannedReplyStore {
  /** Sorted by shortcut. */
  list(tenantId: TenantId): Promise<readonly CannedReply[]>

  /** Refusals: CANNED_REPLY_EXISTS when the shortcut is taken, CANNED_REPLY_LIMIT when there are as many as may be. */
  create(tenantId: TenantId, fields: CannedReplyFields): Promise<Outcome<CannedReply>>

  /** Refusals: CANNED_REPLY_NOT_FOUND, and CANNED_REPLY_EXISTS when another one has the shortcut. */
  change(tenantId: TenantId, id: string, fields: Partial<CannedReplyFields>): Promise<Outcome<CannedReply>>

  /** Whether there was one to remove. */
  remove(tenantId: TenantId, id: string): Promise<boolean>
}
