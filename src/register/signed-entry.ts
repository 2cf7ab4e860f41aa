/**
 * Entries of the register as text. A gateway shows a secret to each program it connects to (as the bearer token of the
 * socket), so it must not believe an entry that a stranger wrote into a shared Redis. Each entry carries
 * a MAC over all of it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { EntryKind } from './entry-kind.ts'

/** our choice: an honest entry is far smaller, so a longer one is not read. */
const MAX_CHARS = 4_096
/**
 * our choice: the clocks of machines differ by less. A stranger may put back an old entry, whose address may belong to
 * somebody else by now.
 */
const MAX_AGE_MS = 300_000

const WRITTEN = z.object({ writtenAtMs: z.number() })

/**
 * The result of reading an entry: it is good; it was not written under this secret; or it is unreadable, which includes
 * another version and too old.
 */
export type ReadEntry<Entry> =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'foreign' | 'unreadable' }

/** Writes and reads entries under the internal secret. */
export class SignedEntries<Entry extends object> {
  readonly #kind: EntryKind<Entry>
  readonly #key: Buffer
  /**
   * The name under which entries of this secret are kept, so that installations that share a Redis stay apart. It
   * reveals nothing of the secret.
   */
  readonly name: string

  constructor(kind: EntryKind<Entry>, internalSecret: string) {
    this.#kind = kind
    this.#key = createHmac('sha256', internalSecret).update(`${kind.label} register: entries`).digest()
    this.name = createHmac('sha256', internalSecret).update(`${kind.label} register: name`).digest('hex').slice(0, 16)
  }

  write(entry: Entry, nowMs: number): string {
    const payload = JSON.stringify({ ...entry, writtenAtMs: nowMs })
    return `${this.#codeOf(payload)}.${payload}`
  }

  /** Reads the entry of `id`. */
  read(id: string, text: string, nowMs: number): ReadEntry<Entry> {
    const cut = text.indexOf('.')
    if (text.length > MAX_CHARS || cut < 0) return { kind: 'unreadable' }
    const payload = text.slice(cut + 1)
    if (!isSame(text.slice(0, cut), this.#codeOf(payload))) return { kind: 'foreign' }
    const signed: unknown = JSON.parse(payload)
    const written = WRITTEN.safeParse(signed)
    const read = this.#kind.shape.safeParse(signed)
    if (!written.success || !read.success) return { kind: 'unreadable' }
    const entry = read.data
    return this.#kind.idOf(entry) === id && Math.abs(nowMs - written.data.writtenAtMs) <= MAX_AGE_MS
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
