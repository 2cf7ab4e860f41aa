/** What documents say to people alone, or again elsewhere. */
const IDLE = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'title',
  'tags',
  'x-codeSamples',
  'servers',
  'info',
])
/** Below these stand names, which may be the same as those words. */
const NAMED = new Set(['properties', 'schemas', 'messages', 'paths'])
/** What no comparison reads. */
const UNREAD = new Set(['webhooks', 'channels', 'operations', 'securitySchemes'])

/** The document without what nothing is compared by, a path, a schema and a message a line. */
export function keptText(document: object): string {
  const kept = Object.fromEntries(Object.entries(document).filter(([name]) => !UNREAD.has(name)))
  return `${lines(pruned(kept, false), 3)}\n`
}

function pruned(value: unknown, isByName: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => pruned(one, false))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isByName || !(IDLE.has(name) || UNREAD.has(name)))
      .map(([name, part]) => [
        name,
        !isByName && name === 'responses' ? successes(part) : pruned(part, !isByName && NAMED.has(name)),
      ]),
  )
}

/** Answers that succeed, by status, without their headers: refusals are known by their codes. */
function successes(responses: Readonly<Record<string, { readonly content?: unknown }>>): unknown {
  const kept = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return Object.fromEntries(kept.map(([status, { content }]) => [status, { content: pruned(content, false) }]))
}

/** JSON that is broken into lines down to a depth. */
function lines(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const entries = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${lines(part, depth - 1)}`)
  return `{\n${entries.join(',\n')}\n}`
}
