import { createHash } from 'node:crypto'
import { factsOf } from '../../../domain/upstream-fields.ts'
import { fieldsOf } from '../values/loose.ts'
import type { Fields } from '../../../domain/json-fields.ts'

export interface KeyParts {
  readonly object: string
  readonly accountId: string | null
  readonly field: string
  readonly phoneId: string | null
  /** JSON text. */
  readonly value: string
  /** Upstream's time of the entry. */
  readonly entryTime: string | null
}

/**
 * The key by which a repeated change is recognised. Upstream names calls, messages and statuses: their ids, kinds and
 * times are the key, so that a repetition in another batch or with another profile is recognised. A change without such
 * names is recognised by its bytes and the time of its entry, because an account that is flagged twice has two changes
 * of equal bytes.
 */
export function changeKey(parts: KeyParts): string {
  const { object, accountId, field, phoneId } = parts
  const names = factsOf(field)?.hasItemIds ? namesOf(parts.value) : null
  const content = names ?? ['bytes', parts.entryTime ?? '', parts.value]
  // JSON keeps the parts apart, whatever they contain.
  const digest = createHash('sha256')
    .update(JSON.stringify([object, accountId, field, phoneId, content]))
    .digest('base64url')
  // The field makes the table readable for people; longer ones than upstream has are cut.
  return `${field.slice(0, 48)}:${digest}`
}

/** List -> the name of one of its items; null for an item that cannot be named. */
const NAMED: Readonly<Record<string, (item: Fields) => readonly unknown[] | null>> = {
  // Two descriptions of one call may come within a second, the step of upstream's times.
  calls: (call) => named(call, ['id', 'event'], ['timestamp', 'status', describedBy(call)]),
  statuses: (status) => named(status, ['id', 'status'], ['timestamp', 'type', 'recipient_id', errorCodes(status)]),
  // A message shown as unsupported comes again by the same id once it can be read.
  messages: (message) => named(message, ['id', 'type'], ['timestamp']),
  message_echoes: (message) => named(message, ['id', 'type'], ['timestamp']),
}
/** List that comes with the items above; alone it names nothing. */
const ADDED = 'errors'
/** Members that say nothing of their own, or are part of the key already. */
const SILENT: ReadonlySet<string> = new Set(['messaging_product', 'metadata', 'contacts'])

/** The names of all items of a value; null when any of them has none. */
function namesOf(text: string): unknown[] | null {
  const value = fieldsOf(JSON.parse(text))
  if (!value) return null
  const names: unknown[][] = []
  for (const [list, items] of Object.entries(value)) {
    if (SILENT.has(list)) continue
    if (list === ADDED) {
      names.push([list, ...errorCodes(value)])
      continue
    }
    const name = Object.hasOwn(NAMED, list) ? NAMED[list] : undefined
    if (!name || !Array.isArray(items)) return null
    for (const item of items) {
      const fields = fieldsOf(item)
      const known = fields && name(fields)
      if (!known) return null
      names.push([list, ...known])
    }
  }
  return names.every(([list]) => list === ADDED) ? null : names
}

/** The name of an item: texts that must be there, then optional parts. Null when a text is missing. */
function named(item: Fields, needed: readonly string[], more: readonly unknown[]): readonly unknown[] | null {
  const texts = needed.map((key) => item[key])
  if (!texts.every((text) => typeof text === 'string' && text !== '')) return null
  return [...texts, ...more.map((key) => (typeof key === 'string' ? (item[key] ?? null) : key))]
}

function describedBy(call: Fields): readonly unknown[] {
  const session = fieldsOf(call['session'])
  return [session?.['sdp_type'] ?? null, session?.['sdp'] ?? null]
}

function errorCodes(holder: Fields): readonly unknown[] {
  const errors = holder['errors']
  return Array.isArray(errors) ? errors.map((error) => fieldsOf(error)?.['code'] ?? null) : []
}
