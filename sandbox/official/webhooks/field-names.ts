import { GraphError } from '../http/graph-error.ts'

/** Fields of Pages that an app may subscribe to, among those upstream has. */
const PAGE_FIELDS: ReadonlySet<unknown> = new Set([
  'feed',
  'leadgen',
  'leadgen_update',
  'leadgen_fat',
  'mention',
  'messages',
  'message_deliveries',
  'message_echoes',
  'message_reads',
  'messaging_postbacks',
  'name',
  'picture',
  'ratings',
  'videos',
])

/** Reads names of fields of Pages: a list, or a text with commas. Refuses (100) unknown ones. */
export function readFieldNames(given: unknown): string[] {
  const names: unknown[] =
    typeof given === 'string'
      ? given
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean)
      : Array.isArray(given)
        ? given
        : []
  const unknown = names.find((name) => !PAGE_FIELDS.has(name))
  if (unknown !== undefined)
    throw new GraphError(100, {
      message: `(#100) Param subscribed_fields must be one of {${[...PAGE_FIELDS].join(', ')}} - got "${String(unknown)}"`,
    })
  return [...new Set(names as string[])]
}
