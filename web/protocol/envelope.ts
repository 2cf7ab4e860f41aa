/** What every message between a host page and its frame lies in ([inbox.frame.2]). */
const SOURCE = 'channel-embed'
const VERSION = 1

export interface Envelope {
  readonly source: typeof SOURCE
  readonly v: typeof VERSION
  readonly type: string
  readonly payload: unknown
}

/** Puts a message into its envelope. */
export function inEnvelope({ type, payload }: Pick<Envelope, 'type' | 'payload'>): Envelope {
  return { source: SOURCE, v: VERSION, type, payload }
}

/** What anybody sent, if it is in the envelope; else null: windows hear much that is not meant for them. */
export function openEnvelope(data: unknown): { readonly type: string; readonly payload: unknown } | null {
  if (typeof data !== 'object' || data === null) return null
  const { source, v, type, payload } = data as Partial<Record<keyof Envelope, unknown>>
  return source === SOURCE && v === VERSION && typeof type === 'string' ? { type, payload } : null
}
