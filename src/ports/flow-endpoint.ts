import type { FlowEndpoint } from './stores/flow-key-store.ts'

/** What a tenant's endpoint answered. */
export type EndpointAnswer =
  /** JSON text of an object. */
  | { readonly kind: 'answered'; readonly text: string }
  /**
   * 427: the token of the Flow is good no more. `text`: JSON of an object that says more, empty where it says nothing.
   */
  | { readonly kind: 'stale'; readonly text: string }
  /** No answer, or one that is none. `reason` is ours and names nothing of what was asked or answered. */
  | { readonly kind: 'failed'; readonly reason: string }

/** Posts JSON text to the endpoint of a Flow, once, signed as webhooks are. Never rejects. */
export type AskFlowEndpoint = (endpoint: Pick<FlowEndpoint, 'url' | 'secret'>, body: string) => Promise<EndpointAnswer>
