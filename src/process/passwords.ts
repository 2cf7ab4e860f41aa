import { availableParallelism } from 'node:os'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { fail, refuse, succeed } from '../domain/errors.ts'
import type { Outcome } from '../domain/errors.ts'
import type { Passwords, Payer } from '../ports/passwords.ts'
import { HashQueue } from './hash-queue.ts'

/** Parameters of scrypt (RFC 7914 section 2): the binary logarithm of N, r and p. */
export interface ScryptCost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** [people.passwords.2]; a hash takes 128 MB and about a third of a second. */
const COST: ScryptCost = { log2N: 17, r: 8, p: 1 }
/** [people.passwords.2]: hashes at once. */
const MOST_AT_ONCE = 2
/** Our choice: with one processor the last of these of one address waits about 11 s, while no other address asks. */
const MOST_WAITING_OF_ADDRESS = 32
const MOST_WAITING = 128
/** RFC 7914 section 2; the lengths, in bytes, are our choice. */
const SALT_BYTES = 16
const KEY_BYTES = 32
/** The largest cost of a stored hash that is computed, 1 GB, so that a forged row cannot ask for more memory. */
const MOST_LOG2N = 20

const STORED = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

interface Stored {
  readonly cost: ScryptCost
  readonly salt: Buffer
  readonly key: Buffer
}

export interface PasswordOptions {
  /** The cost of new hashes, and of the comparison when there is no hash; a stored hash has its own cost. */
  readonly cost?: ScryptCost
  /**
   * Most hashes at once. Our choice: a machine with several processors keeps one for everything else, because a hash
   * takes one completely.
   */
  readonly atOnce?: number
}

/**
 * Passwords hashed with scrypt outside the main thread. A password is compared in the form NFKC, because keyboards
 * write the same letter in several ways.
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

  /** A hash to compare with when there is none: no password gives its key. */
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
  // Node refuses more than 32 MB unless it is told. RFC 7914 section 5 gives the need: 128 * r * (N + p), here with
  // some room.
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
