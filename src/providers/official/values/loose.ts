import { isFields, listIn } from '../../../domain/json-fields.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { toDigits } from '../../../domain/phone.ts'
import { beginningOf, storableName, storableSeconds, storableText, storableTime } from '../../../domain/storable.ts'

/*
 * Reads of upstream's values that never throw and answer only values that can be stored: upstream leaves fields out,
 * adds some, and writes ids as text or number.
 */
export function fieldsOf(value: unknown): Fields | null {
  return isFields(value) ? value : null
}

export function textIn(fields: Fields | null, key: string): string | null {
  const value = fields?.[key]
  if (typeof value === 'string') return value === '' ? null : storableText(value)
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : null
}

/**
 * Upstream's name of something that is looked up by it: a message, a call, a user, a group. Null when it is missing, or
 * longer than any that upstream has.
 */
export function nameIn(fields: Fields | null, key: string): string | null {
  return storableName(textIn(fields, key))
}

/** A display name; a long one is cut. */
export function shownNameIn(fields: Fields | null, key: string): string | null {
  const text = textIn(fields, key)
  return text === null ? null : beginningOf(text)
}

/** Upstream's id: digits, however many. Null when the field holds none. */
export function idIn(fields: Fields | null): string | null {
  return digitIdIn(fields, 'id')
}

/** The id of upstream that field `key` holds, as `idIn` reads it. */
export function digitIdIn(fields: Fields | null, key: string): string | null {
  const id = textIn(fields, key)
  return id !== null && /^\d{1,64}$/.test(id) ? id : null
}

/** The id of upstream that field `key` holds; null also for 0, which upstream writes for none. */
export function nonZeroIdIn(fields: Fields | null, key: string): string | null {
  const id = digitIdIn(fields, key)
  return id === null || /^0+$/.test(id) ? null : id
}

/** A word of upstream, in upper case. */
export function wordIn(fields: Fields | null, key: string): string | null {
  return textIn(fields, key)?.trim().toUpperCase() || null
}

/** The objects in a list; other items are left out. */
export function objectsIn(fields: Fields | null, key: string): Fields[] {
  return fields === null ? [] : listIn(fields, key)
}

export function objectIn(fields: Fields | null, key: string): Fields | null {
  return fieldsOf(fields?.[key])
}

export function numberIn(fields: Fields | null, key: string): number | null {
  const value = fields?.[key]
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^-?\d{1,19}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null
}

/** A duration in whole seconds. */
export function secondsIn(fields: Fields | null, key: string): number | null {
  const seconds = numberIn(fields, key)
  return seconds === null ? null : storableSeconds(seconds)
}

/** A phone number as digits; any other text as it is. */
export function digitsIn(fields: Fields | null, key: string): string | null {
  const text = nameIn(fields, key)
  return text === null ? null : (toDigits(text) ?? text)
}

/** A time since 1970 as text or number, in seconds, milliseconds or microseconds. */
export function timeIn(fields: Fields | null, key: string): Date | null {
  return storableTime(numberIn(fields, key))
}
