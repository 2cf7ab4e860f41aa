import type { Flow } from '../../../domain/flow.ts'
import type { FlowResponse } from '../../../ports/stores/flow-response-store.ts'

/** A Flow as answered ([flows.object.1]). */
export function presentFlow(flow: Flow) {
  return {
    id: flow.id,
    officialFlowId: flow.officialFlowId,
    name: flow.name,
    officialStatus: flow.officialStatus,
    categories: flow.categories,
    jsonVersion: flow.jsonVersion,
    healthStatus: flow.healthStatus,
    validationErrors: flow.validationErrors,
    previewUrl: flow.previewUrl,
    clonedFromFlowId: flow.clonedFromFlowId,
    supersededByFlowId: flow.supersededByFlowId,
    syncError: flow.syncError,
    publishedAt: flow.publishedAt?.toISOString() ?? null,
    createdAt: flow.createdAt.toISOString(),
    updatedAt: flow.updatedAt.toISOString(),
  }
}

/**
 * A response as answered ([flows.responses.4]); `rawResponse` is shown only when its fields cannot be read
 * ([flows.responses.6]).
 */
export function presentResponse({ rawResponse, submittedAt, ...response }: FlowResponse) {
  return {
    id: response.id,
    flowId: response.flowId,
    contactNumber: response.contactNumber,
    contactName: response.contactName,
    conversationId: response.conversationId,
    messageId: response.messageId,
    externalMessageId: response.externalMessageId,
    flowToken: response.flowToken,
    response: response.response,
    ...(rawResponse === null ? {} : { rawResponse }),
    submittedAt: submittedAt.toISOString(),
  }
}
