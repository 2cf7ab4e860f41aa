import type { Place } from '../model/map-link.ts'

/** A card of a person, as sends take it ([message-verbs.modes.2]). */
export interface Card {
  readonly name: { readonly formatted: string }
  readonly phones: readonly { readonly phone: string }[]
}

/** A message as the composer writes it: its kind, and the fields of a send that say what is sent. */
export type Draft =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'template'; readonly templateId: string; readonly variables: Readonly<Record<string, string>> }
  | { readonly kind: 'location'; readonly location: Place }
  | { readonly kind: 'contacts'; readonly contacts: readonly Card[] }

/** The fields of a send that say what is sent. */
export function bodyOf({ kind: _kind, ...body }: Draft) {
  return body
}

/** The query of an address; what is null or absent is left out. Empty when nothing is left. */
export function queryOf(fields: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  ).toString()
  return query === '' ? '' : `?${query}`
}
