import type { Conversation } from '../model/message.ts'
import type { Client } from './client.ts'
import { bodyOf, queryOf } from './fields.ts'
import type { Draft } from './fields.ts'
import type { Accepted } from './requests.ts'

/** Whom a number writes to, and what may be written now ([embeds.starts.4]). */
export interface Reached {
  /** Digits, as the service read the number. */
  readonly address: string
  /** Null while there is no conversation. */
  readonly conversation: Conversation | null
  readonly canSend: Conversation['canSend']
}

/** Finds the conversation of a number with somebody. Throws RequestFailure. */
export function reach(client: Client, numberId: string, to: string): Promise<Reached> {
  return client.get(`${pathOf(numberId)}${queryOf({ with: to })}`)
}

/**
 * Sends the first message to somebody. `key` is the idempotency key, the same for each try. Throws RequestFailure.
 */
export function start(
  client: Client,
  numberId: string,
  to: string,
  draft: Draft,
  key: string,
): Promise<Accepted & { readonly conversationId: string }> {
  return client.post(pathOf(numberId), { destinationNumber: to, ...bodyOf(draft), correlationId: key }, key)
}

function pathOf(numberId: string): string {
  return `/numbers/${encodeURIComponent(numberId)}/conversations`
}
