/**
 * Entries of the register as text. A gateway shows the internal secret to each host it connects to (as the bearer token
 * of the control socket), so it must not believe an entry that a stranger wrote into a shared Redis. Each entry carries
 * a MAC over all of it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { MediaHostEntry } from '../ports/media-register.ts'

/** our choice: an honest entry is far smaller, so a longer one is not read. */
const MAX_CHARS = 4_096
/**
 * our choice: the clocks of machines differ by less. A stranger may put back an old entry, whose address may belong to
 * somebody else by now.
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
 * The result of reading an entry: it is good; it was not written under this secret; or it is unreadable, which includes
 * another version and too old.
 */
export type ReadEntry =
  | { readonly kind: 'entry'; readonly entry: MediaHostEntry }
  | { readonly kind: 'foreign' | 'unreadable' }

/** Writes and reads entries under the internal secret. */
export class SignedEntries {
  readonly #key: Buffer
  /**
   * The name under which entries of this secret are kept, so that installations that share a Redis stay apart. It
   * reveals nothing of the secret.
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

  /** Reads the entry of `hostId`. */
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
