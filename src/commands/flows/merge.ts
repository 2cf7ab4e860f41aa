import { flowCategoriesOf, flowHealthOf, flowStatusOf } from '../../domain/flow-upstream.ts'
import { newId } from '../../domain/ids.ts'
import type { UpstreamFlow } from '../../ports/official/flows.ts'
import type {
  FlowFate,
  FlowOwner,
  FlowPatch,
  MergeListedFlow,
  NewFlow,
  StoredFlow,
} from '../../ports/stores/flow-store.ts'
import { fateBy, isLeftAlone } from '../official/merging.ts'

/** What a row takes over of what upstream shows. Our choice: an unknown status leaves the stored one. */
export function patchFrom(row: StoredFlow, shown: UpstreamFlow, now: Date): FlowPatch {
  const officialStatus = flowStatusOf(shown.status) ?? row.officialStatus
  const leftDraft = row.officialStatus === 'DRAFT' && officialStatus !== 'DRAFT'
  return {
    officialFlowId: shown.externalId,
    name: shown.name,
    categories: flowCategoriesOf(shown.categories),
    officialStatus,
    // A read has no time of upstream's, so that older news may still be applied after it.
    ...(officialStatus === row.officialStatus ? {} : { statusAt: null }),
    jsonVersion: shown.jsonVersion ?? row.jsonVersion,
    healthStatus: shown.health === null ? row.healthStatus : flowHealthOf(shown.health),
    validationErrors: shown.validationErrors,
    previewUrl: shown.previewUrl ?? row.previewUrl,
    syncError: null,
    publishedAt: row.publishedAt ?? (leftDraft ? now : null),
  }
}

/** What becomes of a row once upstream shows this. `more` is written with it. */
export function fateFrom(row: StoredFlow, shown: UpstreamFlow, now: Date, more: FlowPatch = {}): FlowFate {
  return fateBy(row, { ...patchFrom(row, shown, now), ...more })
}

/**
 * A row for a Flow that was made elsewhere. Our choice: with an unknown status it is BLOCKED, as it may not be
 * sendable.
 */
export function rowFrom(owner: FlowOwner, shown: UpstreamFlow, now: Date): NewFlow {
  return {
    id: newId('flow'),
    owner,
    officialFlowId: shown.externalId,
    name: shown.name,
    officialStatus: flowStatusOf(shown.status) ?? 'BLOCKED',
    categories: flowCategoriesOf(shown.categories),
    jsonVersion: shown.jsonVersion ?? '',
    healthStatus: flowHealthOf(shown.health ?? ''),
    validationErrors: shown.validationErrors,
    previewUrl: shown.previewUrl,
    clonedFromFlowId: null,
    supersededByFlowId: null,
    syncError: null,
    publishedAt: null,
    createdAt: now,
    statusAt: null,
    ask: null,
    askedUntil: null,
    askTries: 0,
    nameHeldUntil: null,
    isImported: true,
  }
}

/**
 * Merges one Flow that upstream shows. `asked`: when its page was asked for, null when the Flow was read by itself. A
 * row whose creation is under way stays as it is, too, because the Flow may be what it made.
 */
export function mergeShown(owner: FlowOwner, asked: Date | null, now: Date): MergeListedFlow<UpstreamFlow> {
  return (shown, row) => {
    if (!row) return { kind: 'CREATE', flow: rowFrom(owner, shown, now) }
    return isLeftAlone(row, asked) ? { kind: 'KEEP' } : fateFrom(row, shown, now)
  }
}
