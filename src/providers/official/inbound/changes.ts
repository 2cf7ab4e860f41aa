import { storableName, storableText, storableTime } from '../../../domain/storable.ts'
import type { OfficialChange, Splitting } from '../../../ports/official/changes.ts'
import { changeKey } from './change-key.ts'
import { itemsOf, membersOf, scalarText, spanOf, wholeOf } from './json-cut.ts'
import type { Member, Span } from './json-cut.ts'

/** Strict, so that only what upstream signed is stored. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Our choice: upstream puts up to 1,000 changes into a post. */
const MOST_CHANGES = 2_000
/** Our choice, in characters: upstream writes some 150 around a change, and each stored change repeats them. */
const MOST_AROUND = 8_192
const UNREADABLE: Splitting = { ok: false, reason: 'unreadable' }
const TOO_MANY: Splitting = { ok: false, reason: 'too-many' }

/**
 * Splits a batch into its changes, each in an upstream envelope with exactly one entry and one change, every part of it
 * cut out of the original text. Unknown members are kept; an entry without changes gives none. Never throws.
 */
export function splitChanges(rawBody: Uint8Array): Splitting {
  const text = readText(rawBody)
  if (text === null) return UNREADABLE
  const members = membersOf(text, wholeOf(text))
  const entries = spanOf(members, 'entry')
  if (!entries || text[entries.from] !== '[') return UNREADABLE
  const object = scalarText(text, spanOf(members, 'object')) ?? ''
  const around = shellOf(text, members, 'entry')
  const changes: OfficialChange[] = []
  for (const entry of itemsOf(text, entries)) {
    const room = MOST_CHANGES - changes.length
    const cut = entryChanges(text, entry, object, around, room)
    if (cut === null) return TOO_MANY
    changes.push(...cut)
  }
  return { ok: true, changes }
}

/** The text of a valid JSON document; null when it is invalid. */
function readText(rawBody: Uint8Array): string | null {
  try {
    const text = UTF8.decode(rawBody)
    // Checks only that the text is valid: what follows cuts without checking.
    JSON.parse(text)
    return text
  } catch {
    return null
  }
}

/** Writes one item in place of a list. */
type Shell = (item: string) => string

/** Makes the shell of an object: all its members as written, except that the list `key` becomes the one item. */
function shellOf(text: string, members: readonly Member[], key: string): Shell {
  const last = members.findLastIndex((member) => member.key === key)
  const rest = members.map((member, index) =>
    member.key === key
      ? index === last
        ? null
        : undefined
      : `${member.rawKey}:${text.slice(member.span.from, member.span.to)}`,
  )
  return (item) =>
    `{${rest
      .filter((part) => part !== undefined)
      .map((part) => part ?? `"${key}":[${item}]`)
      .join(',')}}`
}

/** The changes of an entry; null when there are more than `most`, or more text around them than upstream writes. */
function entryChanges(text: string, entry: Span, object: string, around: Shell, most: number): OfficialChange[] | null {
  const members = membersOf(text, entry)
  const list = spanOf(members, 'changes')
  if (!list) return []
  const within = shellOf(text, members, 'changes')
  const accountId = accountIdOf(scalarText(text, spanOf(members, 'id')))
  const entryTime = scalarText(text, spanOf(members, 'time'))
  const at = entryTime !== null && /^\d{1,19}$/.test(entryTime) ? storableTime(Number(entryTime)) : null
  const items = itemsOf(text, list).filter((change) => text[change.from] === '{')
  if (items.length > most || around(within('')).length > MOST_AROUND) return null
  return items.map((change) => {
    const parts = membersOf(text, change)
    const valueSpan = spanOf(parts, 'value')
    const value = valueSpan ? text.slice(valueSpan.from, valueSpan.to) : 'null'
    const field = storableText(scalarText(text, spanOf(parts, 'field')) ?? '')
    const phoneId = valueSpan ? phoneIdOf(text, membersOf(text, valueSpan)) : null
    return {
      object,
      accountId,
      field,
      phoneId,
      at,
      value,
      envelope: around(within(text.slice(change.from, change.to))),
      key: changeKey({ object, accountId, field, phoneId, value, entryTime }),
    }
  })
}

/** The account's id; null when it is longer than an index holds, which no account has. */
function accountIdOf(id: string | null): string | null {
  return id === '' ? id : storableName(id)
}

/** Members that hold the phone id of a change. */
const PHONE_PATHS = ['metadata', 'phone_number_settings'] as const

function phoneIdOf(text: string, value: readonly Member[]): string | null {
  for (const path of PHONE_PATHS) {
    const holder = spanOf(value, path)
    const id = holder && scalarText(text, spanOf(membersOf(text, holder), 'phone_number_id'))
    if (id) return id
  }
  return scalarText(text, spanOf(value, 'phone_number_id'))
}
