import type { FlowId, NumberId, TenantId } from '../../domain/ids.ts'
import type { SqlSession } from '../engine/database.ts'

/** Removes the responses of Flows whose rows are gone, and their counts; in a statement of its own, which sees what was stored until then. */
export async function removeResponsesOfFlows(session: SqlSession, flowIds: readonly FlowId[]): Promise<void> {
  if (flowIds.length === 0) return
  await session.query('delete from flow_responses where flow_id = any($1::text[])', [flowIds])
  await session.query('delete from flow_response_counts where flow_id = any($1::text[])', [flowIds])
}

/** Removes what a number received, whose row is gone, while the Flows of its account are there. */
export async function removeResponsesOfNumber(session: SqlSession, numberId: NumberId, [accountId, tenantId]: readonly [accountId: string, tenantId: TenantId]): Promise<void> {
  await session.query('delete from flow_responses where number_id = $1', [numberId])
  // Whoever removes a Flow removes its counts. By the key, which begins with the Flow.
  await session.query('delete from flow_response_counts where number_id = $1 and flow_id in (select id from flows where account_id = $2 and tenant_id = $3)', [numberId, accountId, tenantId])
}
