/** A frame of a gateway after reading ([bridge.socket.3]). */
export type Frame =
  | { readonly kind: 'ack'; readonly seq: number }
  | {
      readonly kind: 'request'
      readonly id: string
      readonly op: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  /** A JSON object of another kind: newer gateways may send more. */
  | { readonly kind: 'unknown' }

/** Reads a frame; null when it is not a JSON object. */
export function readFrame(text: string): Frame | null {
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { ack, id, op, ...fields } = value as Record<string, unknown>
  if (typeof ack === 'number')
    return Number.isSafeInteger(ack) && ack >= 0 ? { kind: 'ack', seq: ack } : { kind: 'unknown' }
  if (typeof id !== 'string' || typeof op !== 'string') return { kind: 'unknown' }
  return { kind: 'request', id, op, fields }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A budget of frames: `perSecond` on average, `burst` at once. */
export function frameBudget(perSecond: number, burst: number, nowMs: () => number): () => boolean {
  let left = burst
  let at = nowMs()
  return () => {
    const now = nowMs()
    left = Math.min(burst, left + ((now - at) * perSecond) / 1_000)
    at = now
    if (left < 1) return false
    left -= 1
    return true
  }
}
