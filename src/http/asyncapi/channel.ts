import type { JsonSchema } from './schemas.ts'

/** A message of a channel, as the document holds it. */
export interface MessageFacts {
  readonly summary: string
  readonly description?: string
  readonly contentType?: string
  readonly headers?: JsonSchema
  readonly payload: JsonSchema
  readonly examples?: readonly { readonly headers?: object; readonly payload: unknown }[]
}

/** What happens on a channel: which of its messages the service sends, or receives. */
export interface OperationFacts {
  readonly action: 'send' | 'receive'
  readonly summary: string
  readonly messages: readonly string[]
  readonly bindings?: object
}

/** A channel with all that the document says of it; its messages by names that are unique in the document. */
export interface ChannelFacts {
  readonly address: string | null
  readonly title: string
  readonly description: string
  readonly server: string
  readonly parameters?: object
  readonly bindings?: object
  readonly messages: Readonly<Record<string, MessageFacts>>
  readonly operations: Readonly<Record<string, OperationFacts>>
}
