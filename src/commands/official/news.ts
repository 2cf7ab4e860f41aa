import type { TenantId } from '../../domain/ids.ts'

/**
 * What becomes of a row by news of it. `REREAD`: only upstream can tell what is so. `DOUBT`: the same, and what was
 * told counts where upstream cannot be read.
 */
export type NewsDecision = 'NONE' | 'CHANGE' | 'REMOVE' | 'REREAD' | 'DOUBT'

/** When news are applied to a row: as they come, or once upstream was asked, which could be read or not. */
export type NewsMoment = 'AT_ONCE' | 'READ' | 'UNREAD'

interface NewsSteps<Row> {
  /** Of every tenant that has the account. */
  readonly tenants: readonly TenantId[]
  /** Those that the news are of. */
  readonly rows: readonly Row[]
  /** Whether a tenant without a row is to have one by what upstream shows. */
  readonly isImported: boolean
  /** Decides on the row as it is now and writes; what is in doubt waits for UNREAD. Answers the decision. */
  apply(row: Row, moment: NewsMoment): Promise<NewsDecision>
  /** Has every tenant take over what upstream shows. Answers whether it could be read. */
  readAnew(): Promise<boolean>
}

/**
 * Applies what a webhook tells of a template or a Flow in every tenant that has the account. What only upstream can
 * tell, and what nobody knows, is read there; nothing that is in doubt is written before (contract 10 and 11, Import).
 */
export async function applyNews<Row extends { readonly tenantId: TenantId }>(steps: NewsSteps<Row>): Promise<void> {
  const { tenants, rows, isImported } = steps
  const decisions = await Promise.all(rows.map((row) => steps.apply(row, 'AT_ONCE')))
  const isAsked = decisions.some((decided) => decided === 'REREAD' || decided === 'DOUBT')
  const isMissing = isImported && tenants.some((tenantId) => !rows.some((row) => row.tenantId === tenantId))
  if (!isAsked && !isMissing) return
  const moment = (await steps.readAnew()) ? 'READ' : 'UNREAD'
  const doubted = rows.filter((_, index) => decisions[index] === 'DOUBT')
  await Promise.all(doubted.map((row) => steps.apply(row, moment)))
}
