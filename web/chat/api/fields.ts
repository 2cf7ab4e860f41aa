/** A message as the composer writes it. */
export type Draft =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'template'; readonly templateId: string; readonly variables: Readonly<Record<string, string>> }

/** The fields of a send that say what is sent. */
export function bodyOf(draft: Draft) {
  return draft.kind === 'text' ? { text: draft.text } : { templateId: draft.templateId, variables: draft.variables }
}

/** The query of an address; what is null or absent is left out. Empty when nothing is left. */
export function queryOf(fields: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  ).toString()
  return query === '' ? '' : `?${query}`
}
