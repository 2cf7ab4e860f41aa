/** Marks credentials that were no text; an engine's own text that begins with it is marked too. */
const JSON_MARK = 'json:'

/**
 * Credentials as they are stored: a text as it is; any other JSON value, or a text that begins with the mark, after the
 * mark.
 */
export function keptCredentials(blob: unknown): string {
  return typeof blob === 'string' && !blob.startsWith(JSON_MARK) ? blob : JSON_MARK + JSON.stringify(blob)
}

/** The value that the engine gave, which it gets back unchanged ([bridge.ops.1]). */
export function engineCredentials(kept: string | null): unknown {
  return kept?.startsWith(JSON_MARK) ? JSON.parse(kept.slice(JSON_MARK.length)) : kept
}
