import type { Outcome } from '../../domain/errors.ts'
import { flowStatusOf } from '../../domain/flow-upstream.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import { onceMarked } from '../official/ask.ts'
import type { FlowPorts } from './ports.ts'
import { beginWrite, draftRefusal, openFlow } from './ready.ts'
import type { Begun } from './ready.ts'
import { settleWrite } from './written.ts'

/** Publishes a draft, which cannot be undone ([flows.states.3]). */
export async function publishFlow(ports: FlowPorts, number: NumberRef, id: string): Promise<Outcome<StoredFlow>> {
  const opened = await openFlow(ports, number, id, draftRefusal)
  if (!opened.ok) return opened
  const begun = await beginWrite(ports, opened.value, { kind: 'PUBLISH' }, draftRefusal)
  return onceMarked(ports, begun.ok ? await publish(ports, begun.value) : begun)
}

async function publish(ports: FlowPorts, begun: Begun): Promise<Outcome<StoredFlow>> {
  return settleWrite(ports, begun, await begun.port.publish(begun.externalId), {
    // News that came meanwhile are later than the publication, because only a draft can be published.
    patchOf: ({ officialStatus, publishedAt }) => ({
      ...(officialStatus === 'DRAFT' ? { officialStatus: 'PUBLISHED' } : {}),
      publishedAt: publishedAt ?? new Date(ports.clock.now()),
      validationErrors: [],
    }),
    isDone: ({ status }) => (flowStatusOf(status) ?? 'DRAFT') !== 'DRAFT',
    stateCode: 'FLOW_NOT_DRAFT',
  })
}
