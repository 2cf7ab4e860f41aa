import type { GivenFlow, GivenFlowPatch } from '../../domain/flow-form.ts'
import type { FlowId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { FlowResponseQuery } from '../../ports/stores/flow-response-store.ts'
import type { FlowQuery, StoredFlow } from '../../ports/stores/flow-store.ts'
import { createFlow } from './create.ts'
import { deprecateFlow } from './deprecate.ts'
import { readDocument, uploadDocument } from './document.ts'
import type { CheckDocument } from './document.ts'
import { findFlow } from './find.ts'
import { listDueFlows } from './list-due.ts'
import { createFlowListings } from './listings.ts'
import { patchFlow } from './patch.ts'
import type { FlowPorts } from './ports.ts'
import { publishFlow } from './publish.ts'
import { refreshFlow } from './refresh.ts'
import { removeFlow } from './remove.ts'
import { settleAskedFlows } from './settle-asked.ts'
import { syncFlows } from './sync.ts'
import { flowTold } from './told.ts'
import type { FlowEvent } from './told.ts'

/** The commands of Flows. */
export type FlowCommands = ReturnType<typeof createFlows>

/** Makes the commands of Flows, once a node: its callers share the listings under way. */
export function createFlows(ports: FlowPorts) {
  const listings = createFlowListings(ports)
  return {
    create: (number: NumberRef, given: GivenFlow) => createFlow(ports, number, given),
    find: (number: NumberRef, id: string) => findFlow(ports, number, id),
    list: (number: NumberRef, query: FlowQuery) => ports.flows.list(number, query),
    responses: (number: NumberRef, id: FlowId, query: FlowResponseQuery) => ports.flowResponses.list(number, id, query),
    refresh: (number: NumberRef, row: StoredFlow) => refreshFlow(ports, number, row),
    patch: (number: NumberRef, id: string, given: GivenFlowPatch) => patchFlow(ports, number, id, given),
    readDocument: (number: NumberRef, id: string) => readDocument(ports, number, id),
    uploadDocument: (number: NumberRef, id: string, flowJson: string, check?: CheckDocument) =>
      uploadDocument(ports, number, id, flowJson, check),
    publish: (number: NumberRef, id: string) => publishFlow(ports, number, id),
    deprecate: (number: NumberRef, id: string, successorId: string | null) =>
      deprecateFlow(ports, number, id, successorId),
    remove: (number: NumberRef, id: string) => removeFlow(ports, number, id),
    sync: (number: NumberRef) => syncFlows(ports, listings, number),
    /** Takes in what upstream tells of accounts. */
    told: (event: FlowEvent) => flowTold(ports, event),
    /** Chores; each answers whether there may be more. */
    listDue: (isWanted: () => boolean) => listDueFlows(ports, listings, isWanted),
    settleAsked: (isWanted: () => boolean) => settleAskedFlows(ports, isWanted),
  }
}
