import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { FlowId } from '../../domain/ids.ts'
import { canonicalAddress } from '../../domain/web-address.ts'
import { makeSecret } from '../../domain/webhook-secret.ts'
import type { FlowMetadata } from '../../ports/official/flows.ts'
import type { UpstreamWrite } from '../../ports/official/write.ts'
import type { FlowEndpoint } from '../../ports/stores/flow-key-store.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import { NO_SUCH_FLOW } from '../flows/find.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import type { FlowEndpointPorts } from './ports.ts'

/** An endpoint as it was set. */
export interface SetFlowEndpoint {
  readonly flowId: FlowId
  /** Our address that upstream sends the requests of phones to. */
  readonly endpointUri: string
  /** Secret that requests to the endpoint are signed with; it is shown only now. */
  readonly secret: string
}

/** `upstream`: whether upstream forgot the address, too; `reason` says why it did not. */
export interface ClearedFlowEndpoint {
  readonly flowId: FlowId
  readonly upstream: 'CLEARED' | 'KEPT'
  readonly reason?: string
}

/** Upstream's code: a Flow that has left DRAFT keeps its address. */
const NOT_DRAFT = 139_001
const NOT_UPSTREAM: Refusal = refuse(
  'FLOW_NOT_SENDABLE',
  'The Flow has not reached the official platform yet. Try again.',
)
const NO_NUMBER: Refusal = refuse('NUMBER_NOT_FOUND', 'The last number of the account was removed')

/**
 * Has the phones of a Flow ask `url` by way of us, with a new secret. When upstream refuses the address or does not
 * answer, the endpoint stays as it was. Refusals: FLOW_NOT_FOUND, FLOW_NOT_SENDABLE, VALIDATION, and those of upstream.
 */
export async function setFlowEndpoint(
  ports: FlowEndpointPorts,
  id: FlowId,
  url: string,
): Promise<Outcome<SetFlowEndpoint>> {
  const row = await rowOf(ports, id)
  if (!row) return fail(NO_SUCH_FLOW)
  if (row.officialFlowId === null) return fail(NOT_UPSTREAM)
  const fault = await ports.checkUrl(url)
  if (fault)
    return fail(
      refuse(
        'VALIDATION',
        fault === 'invalid' ? 'Give a complete http or https address' : 'The address is not a public one',
      ),
    )
  const before = await ports.flowEndpoints.find(id)
  const secret = makeSecret()
  // Stored first, because upstream pings an address as soon as it has it.
  if (!(await ports.flowEndpoints.set(id, { url: canonicalAddress(url), secret }))) return fail(NO_SUCH_FLOW)
  const endpointUri = `${ports.baseUrl}/flows/exchange/${id}`
  const refusal = refusalOf(await tell(ports, row, { endpointUri }), before !== null)
  if (!refusal) return succeed({ flowId: id, endpointUri, secret })
  await restore(ports, id, before)
  return fail(refusal)
}

/** Stops passing anything on, whatever upstream says. Refusal: FLOW_NOT_FOUND. */
export async function clearFlowEndpoint(ports: FlowEndpointPorts, id: FlowId): Promise<Outcome<ClearedFlowEndpoint>> {
  const row = await rowOf(ports, id)
  if (!row || !(await ports.flowEndpoints.clear(id))) return fail(NO_SUCH_FLOW)
  const refusal = row.officialFlowId === null ? null : refusalOf(await tell(ports, row, { endpointUri: '' }), false)
  return succeed({ flowId: id, ...(refusal ? { upstream: 'KEPT', reason: refusal.message } : { upstream: 'CLEARED' }) })
}

async function rowOf({ flows }: FlowEndpointPorts, id: FlowId): Promise<StoredFlow | null> {
  return (await flows.change(id, () => ({ kind: 'KEEP' })))?.flow ?? null
}

async function restore({ flowEndpoints }: FlowEndpointPorts, id: FlowId, before: FlowEndpoint | null): Promise<void> {
  await (before ? flowEndpoints.set(id, before) : flowEndpoints.clear(id))
}

/**
 * Upstream signs what phones ask with the secret of the app that the Flow belongs to, so the app is named with the
 * address.
 */
async function tell(
  ports: FlowEndpointPorts,
  { owner: { tenantId, accountId }, officialFlowId }: StoredFlow,
  metadata: FlowMetadata,
): Promise<UpstreamWrite<null>> {
  const upstream = await upstreamOfAccount(ports, tenantId, accountId)
  if (!upstream || officialFlowId === null) return { kind: 'unsent', refusal: NO_NUMBER }
  const appId = (await ports.numbers.list(tenantId)).find(
    ({ official }) => official?.accountId === accountId && official.appId !== null,
  )?.official?.appId
  return upstream.flows.update(officialFlowId, {
    ...metadata,
    ...(metadata.endpointUri && appId ? { applicationId: appId } : {}),
  })
}

/**
 * `isKnown`: upstream was given the address before, so a Flow that has left DRAFT has it already and its refusal does
 * not matter.
 */
function refusalOf(write: UpstreamWrite<null>, isKnown: boolean): Refusal | null {
  if (write.kind === 'done') return null
  if (write.kind !== 'refused') return write.refusal
  const { upstreamCode, upstreamMessage } = write.no
  return isKnown && upstreamCode === NOT_DRAFT
    ? null
    : refuse('OFFICIAL_ERROR', upstreamMessage, { upstreamCode, upstreamMessage })
}
