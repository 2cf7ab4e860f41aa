import type { Outcome } from '../../domain/errors.ts'
import { flowStatusOf } from '../../domain/flow-upstream.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import { onceMarked } from '../official/ask.ts'
import { beginWrite, draftRefusal, openFlow } from './ready.ts'
import type { Begun, WriteFlowDeps } from './ready.ts'
import { settleWrite } from './written.ts'

/** Publishes a draft, for good (contract 11). */
export async function publishFlow(deps: WriteFlowDeps, number: NumberRef, id: string): Promise<Outcome<StoredFlow>> {
  const opened = await openFlow(deps, number, id, draftRefusal)
  if (!opened.ok) return opened
  const begun = await beginWrite(deps, opened.value, { kind: 'PUBLISH' }, draftRefusal)
  return onceMarked(deps, begun.ok ? await publish(deps, begun.value) : begun)
}

async function publish(deps: WriteFlowDeps, begun: Begun): Promise<Outcome<StoredFlow>> {
  return settleWrite(deps, begun, await begun.port.publish(begun.externalId), {
    // What was told meanwhile comes behind it: nothing but a draft can be published.
    patchOf: ({ officialStatus, publishedAt }) => ({
      ...(officialStatus === 'DRAFT' ? { officialStatus: 'PUBLISHED' } : {}),
      publishedAt: publishedAt ?? new Date(deps.clock.now()),
      validationErrors: [],
    }),
    isDone: ({ status }) => (flowStatusOf(status) ?? 'DRAFT') !== 'DRAFT',
    stateCode: 'FLOW_NOT_DRAFT',
  })
}
