import type { FlowEndpoint } from './stores/flow-key-store.ts'

/** What a tenant's endpoint answered. */
export type EndpointAnswer =
  /** JSON text of an object. */
  | { readonly kind: 'answered'; readonly text: string }
  /** 427: the Flow's token is no longer valid. `text` is JSON of an object with details, empty when there are none. */
  | { readonly kind: 'stale'; readonly text: string }
  /** No answer, or an unusable one. `reason` is the service's own text, without anything that was asked or answered. */
  | { readonly kind: 'failed'; readonly reason: string }

/** Posts JSON text to the endpoint of a Flow, once, signed as webhooks are. Never rejects. */
export type AskFlowEndpoint = (endpoint: Pick<FlowEndpoint, 'url' | 'secret'>, body: string) => Promise<EndpointAnswer>
