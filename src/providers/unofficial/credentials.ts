/** Marks credentials that were no text; an engine's own text never comes to begin with it. */
const JSON_MARK = 'json:'

/**
 * Credentials as they are kept: a text as it is, any other JSON value, or a text that looks like one, behind a mark.
 */
export function keptCredentials(blob: unknown): string {
  return typeof blob === 'string' && !blob.startsWith(JSON_MARK) ? blob : JSON_MARK + JSON.stringify(blob)
}

/** The value the engine gave (contract 8: it gets back what it gave). */
export function engineCredentials(kept: string | null): unknown {
  return kept?.startsWith(JSON_MARK) ? JSON.parse(kept.slice(JSON_MARK.length)) : kept
}
