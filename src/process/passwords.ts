import { availableParallelism } from 'node:os'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { fail, refuse, succeed } from '../domain/errors.ts'
import type { Outcome } from '../domain/errors.ts'
import type { Passwords } from '../ports/passwords.ts'

/** Parameters of scrypt (RFC 7914, 2): the binary logarithm of N, r and p. */
export interface ScryptCost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** contract 14: 128 MB and about a third of a second. */
const COST: ScryptCost = { log2N: 17, r: 8, p: 1 }
/** contract 14. */
const MOST_AT_ONCE = 2
/** Our choice: the last of them waits for about 6 s, and twice that on two processors. */
const MOST_WAITING = 32
/** Our choice: who asks from one address leaves room for others. */
const MOST_WAITING_OF_PAYER = 12
/** RFC 7914, 2, and our choices of lengths, in bytes. */
const SALT_BYTES = 16
const KEY_BYTES = 32
/** Largest of what is stored that is computed: what somebody wrote into the table takes no more than 1 GB. */
const MOST_LOG2N = 20

const STORED = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

interface Stored {
  readonly cost: ScryptCost
  readonly salt: Buffer
  readonly key: Buffer
}

interface Waiting {
  readonly payer: string
  readonly begin: () => void
}

export interface PasswordOptions {
  /** Of new hashes, and of what no hash is compared with; those of a hash are its own. */
  readonly cost?: ScryptCost
  /** Hashes at once. Our choice: one processor is left for all else, where there are several, because a hash takes all of one. */
  readonly atOnce?: number
}

/** Passwords hashed with scrypt beside the thread of all else. A password is compared in the form NFKC: keyboards write the same letter in several. */
export class ScryptPasswords implements Passwords {
  readonly #cost: ScryptCost
  readonly #atOnce: number
  readonly #waiting: Waiting[] = []
  #running = 0

  constructor({ cost = COST, atOnce = Math.max(1, availableParallelism() - 1) }: PasswordOptions = {}) {
    this.#cost = cost
    this.#atOnce = Math.min(MOST_AT_ONCE, atOnce)
  }

  async hash(password: string, payer: string): Promise<Outcome<string>> {
    const salt = randomBytes(SALT_BYTES)
    const derived = await this.#derive(password, { cost: this.#cost, salt }, payer)
    return derived.ok ? succeed(toText({ cost: this.#cost, salt, key: derived.value })) : derived
  }

  async isRight(password: string, hash: string | null, payer: string): Promise<Outcome<boolean>> {
    const stored = hash === null ? this.#nobodys() : fromText(hash)
    const derived = await this.#derive(password, stored, payer)
    return derived.ok ? succeed(timingSafeEqual(derived.value, stored.key)) : derived
  }

  /** Of no password: its key was derived from none. */
  #nobodys(): Stored {
    return { cost: this.#cost, salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) }
  }

  async #derive(password: string, { cost, salt }: Pick<Stored, 'cost' | 'salt'>, payer: string): Promise<Outcome<Buffer>> {
    if (!await this.#turn(payer)) return fail(refuse('BUSY', 'Too many passwords are being checked: try again in a moment', undefined, 1))
    try {
      return succeed(await keyOf(password.normalize('NFKC'), salt, cost))
    } finally {
      this.#leave()
    }
  }

  /** False when there is no room to wait. */
  #turn(payer: string): Promise<boolean> {
    if (this.#running < this.#atOnce) {
      this.#running++
      return Promise.resolve(true)
    }
    const ofPayer = this.#waiting.filter((one) => one.payer === payer).length
    if (this.#waiting.length >= MOST_WAITING || ofPayer >= MOST_WAITING_OF_PAYER) return Promise.resolve(false)
    return new Promise((resolve) => {
      this.#waiting.push({ payer, begin: () => resolve(true) })
    })
  }

  /** Hands its place on: nobody comes between. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next.begin()
    else this.#running--
  }
}

function keyOf(password: string, salt: Buffer, { log2N, r, p }: ScryptCost): Promise<Buffer> {
  const N = 2 ** log2N
  // Node refuses what takes more than 32 MB unless it is told; RFC 7914, 5: 128 * r * (N + p), and room for the rest.
  const maxmem = 128 * r * (N + p + 2)
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N, r, p, maxmem }, (error, key) => error ? reject(error) : resolve(key))
  })
}

function toText({ cost: { log2N, r, p }, salt, key }: Stored): string {
  return ['scrypt', log2N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function fromText(text: string): Stored {
  const [, log2N, r, p, salt, key] = STORED.exec(text) ?? []
  if (salt === undefined || key === undefined || Number(log2N) > MOST_LOG2N) throw new Error('a stored hash of a password could not be read')
  return { cost: { log2N: Number(log2N), r: Number(r), p: Number(p) }, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') }
}
