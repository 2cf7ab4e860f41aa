import { availableParallelism } from 'node:os'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { fail, refuse, succeed } from '../domain/errors.ts'
import type { Outcome } from '../domain/errors.ts'
import type { Passwords, Payer } from '../ports/passwords.ts'
import { HashQueue } from './hash-queue.ts'

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
/** Our choice: the last of one address waits for about 11 s on one processor, while it is alone. */
const MOST_WAITING_OF_ADDRESS = 32
const MOST_WAITING = 128
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

export interface PasswordOptions {
  /** Of new hashes, and of what no hash is compared with; those of a hash are its own. */
  readonly cost?: ScryptCost
  /**
   * Hashes at once. Our choice: one processor is left for all else, where there are several, because a hash takes all
   * of one.
   */
  readonly atOnce?: number
}

/**
 * Passwords hashed with scrypt beside the thread of all else. A password is compared in the form NFKC: keyboards write
 * the same letter in several.
 */
export class ScryptPasswords implements Passwords {
  readonly #cost: ScryptCost
  readonly #queue: HashQueue

  constructor({ cost = COST, atOnce = Math.max(1, availableParallelism() - 1) }: PasswordOptions = {}) {
    this.#cost = cost
    this.#queue = new HashQueue({
      atOnce: Math.min(MOST_AT_ONCE, atOnce),
      mostWaiting: MOST_WAITING,
      mostWaitingOfAddress: MOST_WAITING_OF_ADDRESS,
    })
  }

  async hash(password: string, payer: Payer): Promise<Outcome<string>> {
    const salt = randomBytes(SALT_BYTES)
    const derived = await this.#derive(password, { cost: this.#cost, salt }, payer)
    return derived.ok ? succeed(toText({ cost: this.#cost, salt, key: derived.value })) : derived
  }

  async isRight(password: string, hash: string | null, payer: Payer): Promise<Outcome<boolean>> {
    const stored = hash === null ? this.#nobodys() : fromText(hash)
    const derived = await this.#derive(password, stored, payer)
    return derived.ok ? succeed(timingSafeEqual(derived.value, stored.key)) : derived
  }

  /** Of no password: its key was derived from none. */
  #nobodys(): Stored {
    return { cost: this.#cost, salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) }
  }

  async #derive(
    password: string,
    { cost, salt }: Pick<Stored, 'cost' | 'salt'>,
    payer: Payer,
  ): Promise<Outcome<Buffer>> {
    if (!(await this.#queue.enter(payer)))
      return fail(refuse('BUSY', 'Too many passwords are being checked: try again in a moment', undefined, 1))
    try {
      return succeed(await keyOf(password.normalize('NFKC'), salt, cost))
    } finally {
      this.#queue.leave()
    }
  }
}

function keyOf(password: string, salt: Buffer, { log2N, r, p }: ScryptCost): Promise<Buffer> {
  const N = 2 ** log2N
  // Node refuses what takes more than 32 MB unless it is told; RFC 7914, 5: 128 * r * (N + p), and room for the rest.
  const maxmem = 128 * r * (N + p + 2)
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N, r, p, maxmem }, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

function toText({ cost: { log2N, r, p }, salt, key }: Stored): string {
  return ['scrypt', log2N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function fromText(text: string): Stored {
  const [, log2N, r, p, salt, key] = STORED.exec(text) ?? []
  if (salt === undefined || key === undefined || Number(log2N) > MOST_LOG2N)
    throw new Error('a stored hash of a password could not be read')
  return {
    cost: { log2N: Number(log2N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  }
}
