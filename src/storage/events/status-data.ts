/**
 * How the data of an event that tells of a status of a message ([events.data.3]) is stored: as the list of its values,
 * because the names of its fields and an id that stands twice would be half of its text.
 */

/** SQL of what the data is made of, each a text or null. */
export interface StatusSql {
  readonly messageId: string
  readonly internalMessageId: string
  readonly correlationId: string
  readonly destination: string
  readonly createdAt: string
}

/** A list of values as it is stored. The last one is missing when it is the second. */
type StatusValues = readonly [
  messageId: string | null,
  internalMessageId: string,
  destination: string | null,
  createdAt: string,
  correlationId?: string | null,
]

/** SQL of the stored data of a status. */
export function statusDataSql(of: StatusSql): string {
  const { messageId, internalMessageId, correlationId, destination, createdAt } = of
  return `array_to_json(array[${messageId}, ${internalMessageId}, ${destination}, ${createdAt}]
      || case when ${correlationId} is distinct from ${internalMessageId} then array[${correlationId}] end)::text`
}

/** The data of an event by what is stored of it, which is parsed: a list, or the data itself. */
export function dataOf(stored: unknown): Readonly<Record<string, unknown>> {
  if (!Array.isArray(stored)) return stored as Readonly<Record<string, unknown>>
  const [messageId, internalMessageId, destination, createdAt, correlationId = internalMessageId] =
    stored as unknown as StatusValues
  return { messageId, internalMessageId, correlationId, destination, createdAt }
}
