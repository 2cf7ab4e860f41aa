import type { Change } from '../webhooks/webhooks.ts'
import type { FlowStatus, PlatformFlow } from './flow.ts'

/** A change of a Flow's status. `before` is null where it was made: upstream leaves the old status out then. */
export function flowStatusChange({ id, name, accountId, status }: PlatformFlow, before: FlowStatus | null): Change {
  const message =
    before === null
      ? `Flow ${name} has been created in ${status} status`
      : `Flow ${name} changed status from ${before} to ${status}`
  const value = {
    event: 'FLOW_STATUS_CHANGE',
    message,
    flow_id: id,
    ...(before === null ? {} : { old_status: before }),
    new_status: status,
  }
  return { accountId, phoneId: null, field: 'flows', value }
}
