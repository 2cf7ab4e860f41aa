/**
 * What each sealed value is sealed for: its table and the row that it stands in. Whoever seals a value anew, for
 * another place or with another key, has to name the same.
 */
export type Context = readonly string[]

export const credsContext = (numberId: string): Context => ['creds', numberId]

export const keyContext = (numberId: string, type: string, id: string): Context => ['key', numberId, type, id]

/** `part` is the place of the part in its message, from 0. */
export const journalContext = (numberId: string, messageKey: string, part: number): Context => [
  'journal',
  numberId,
  messageKey,
  String(part),
]

export const eventContext = (numberId: string, seq: number): Context => ['event', numberId, String(seq)]

export const outgoingContext = (numberId: string, messageId: string): Context => ['outgoing', numberId, messageId]

export const seenContext = (numberId: string, externalId: string, part: 'key' | 'quote'): Context => [
  'seen',
  numberId,
  externalId,
  part,
]

export const backlogContext = (numberId: string): Context => ['backlog', numberId]

export const pollContext = (numberId: string, externalId: string): Context => ['poll', numberId, externalId]
