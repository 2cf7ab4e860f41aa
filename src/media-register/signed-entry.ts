/**
 * Entries of the register as text. Whoever learns where a gateway connects to gets the internal secret shown (the
 * control socket's bearer token), so an entry that somebody else wrote into a shared Redis must not be believed: each
 * carries a code over all of it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { MediaHostEntry } from '../ports/media-register.ts'

/** our choice: an honest entry is far smaller; a longer one is not looked at. */
const MAX_CHARS = 4_096
/**
 * our choice: clocks of machines differ by less. An old entry put back by a stranger may name an address that others
 * have by now.
 */
const MAX_AGE_MS = 300_000

const SIGNED = z.object({
  writtenAtMs: z.number(),
  hostId: z.string().min(1).max(100),
  controlUrl: z
    .string()
    .max(1_000)
    .refine((text) => URL.canParse(text) && ['ws:', 'wss:'].includes(new URL(text).protocol)),
  publicUrl: z.string().max(1_000),
  version: z.string().max(100),
  calls: z.number().int().nonnegative(),
  tickLateP99Ms: z.number().nonnegative(),
  cpu: z.number().nonnegative(),
  draining: z.boolean(),
})

/**
 * What of an entry can be said: it is good, it was not written under this secret, or it is none of this version, too
 * old included.
 */
export type ReadEntry =
  | { readonly kind: 'entry'; readonly entry: MediaHostEntry }
  | { readonly kind: 'foreign' | 'unreadable' }

/** Writes and reads entries under the internal secret. */
export class SignedEntries {
  readonly #key: Buffer
  /**
   * Under which name entries of this secret are kept: installations that share a Redis do not meet. Tells nothing of
   * the secret.
   */
  readonly name: string

  constructor(internalSecret: string) {
    this.#key = createHmac('sha256', internalSecret).update('media register: entries').digest()
    this.name = createHmac('sha256', internalSecret).update('media register: name').digest('hex').slice(0, 16)
  }

  write(entry: MediaHostEntry, nowMs: number): string {
    const payload = JSON.stringify({ ...entry, writtenAtMs: nowMs })
    return `${this.#codeOf(payload)}.${payload}`
  }

  /** Reads what stands under `hostId`. */
  read(hostId: string, text: string, nowMs: number): ReadEntry {
    const cut = text.indexOf('.')
    if (text.length > MAX_CHARS || cut < 0) return { kind: 'unreadable' }
    const payload = text.slice(cut + 1)
    if (!isSame(text.slice(0, cut), this.#codeOf(payload))) return { kind: 'foreign' }
    const signed = SIGNED.safeParse(JSON.parse(payload))
    if (!signed.success) return { kind: 'unreadable' }
    const { writtenAtMs, ...entry } = signed.data
    return entry.hostId === hostId && Math.abs(nowMs - writtenAtMs) <= MAX_AGE_MS
      ? { kind: 'entry', entry }
      : { kind: 'unreadable' }
  }

  #codeOf(payload: string): string {
    return createHmac('sha256', this.#key).update(payload).digest('base64url')
  }
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}
