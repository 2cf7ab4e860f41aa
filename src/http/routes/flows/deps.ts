import type { CreateFlowDeps } from '../../../commands/flows/create.ts'
import type { WriteFlowDeps } from '../../../commands/flows/ready.ts'
import type { RefreshFlowDeps } from '../../../commands/flows/refresh.ts'
import type { SyncFlowsDeps } from '../../../commands/flows/sync.ts'
import type { FlowResponseStore } from '../../../ports/stores/flow-response-store.ts'
import type { FlowStore } from '../../../ports/stores/flow-store.ts'

/** What the routes of Flows use. */
export interface FlowDeps extends CreateFlowDeps, WriteFlowDeps, RefreshFlowDeps, SyncFlowsDeps {
  readonly flows: Pick<FlowStore, 'ownerOf' | 'find' | 'list' | 'create' | 'change' | 'known' | 'ofAccount'>
  readonly flowResponses: FlowResponseStore
}
