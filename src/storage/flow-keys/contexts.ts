import type { FlowId, FlowKeyId } from '../../domain/ids.ts'

/** What private halves are sealed with. */
export function keyContext(id: FlowKeyId): string {
  return `flow-key:${id}`
}

/** What secrets of endpoints are sealed with. */
export function endpointContext(id: FlowId): string {
  return `flow-endpoint:${id}`
}
