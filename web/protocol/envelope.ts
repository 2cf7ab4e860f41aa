/** The envelope of every message between a host page and its frame ([inbox.frame.2]). */
const SOURCE = 'channel-embed'
const VERSION = 1

export interface Envelope {
  readonly source: typeof SOURCE
  readonly v: typeof VERSION
  readonly type: string
  readonly payload: unknown
}

/** Wraps a message in the envelope. */
export function inEnvelope({ type, payload }: Pick<Envelope, 'type' | 'payload'>): Envelope {
  return { source: SOURCE, v: VERSION, type, payload }
}

/**
 * The message in an envelope; null when the data is no envelope, because a window receives messages meant for others.
 */
export function openEnvelope(data: unknown): { readonly type: string; readonly payload: unknown } | null {
  if (typeof data !== 'object' || data === null) return null
  const { source, v, type, payload } = data as Partial<Record<keyof Envelope, unknown>>
  return source === SOURCE && v === VERSION && typeof type === 'string' ? { type, payload } : null
}
