import type { WASocket } from 'baileys'
import { Newest } from '../process/newest.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { LiveSession } from '../session/live-session.ts'
import { isSameNumber } from '../session/same-number.ts'
import { jidOf, phoneIn } from '../translate-in/address.ts'
import { refusalOf } from '../translate-out/failure.ts'

/** our choice: most addresses of people that a session remembers. */
const MAX_REMEMBERED = 5_000
/** our choice: most numbers in one request to the network. */
const ASKED_AT_ONCE = 50

const ADDRESSES = new WeakMap<LiveSession, Newest<string, string>>()

export interface CheckedNumber {
  readonly input: string
  readonly exists: boolean
  /** Digits in the network's form; null without an account. */
  readonly number: string | null
  readonly name: string | null
  /** The network's id of that person, as far as it is remembered ([engines.peers.4]). */
  readonly lid?: string
}

/**
 * The network's address of a destination. The address of a person is asked for once. Throws a Refusal NOT_REGISTERED,
 * INVALID, or of the network.
 */
export async function addressOf(live: LiveSession, to: string): Promise<string> {
  if (/^[\w.-]+@(g\.us|newsletter|lid)$/.test(to)) return to
  const digits = to.replace(/^\+/, '')
  if (!/^\d{5,15}$/.test(digits)) throw new Refusal('INVALID', 'to: is no destination')
  const known = ADDRESSES.get(live)?.get(digits)
  if (known !== undefined) return known
  const [checked] = await checkNumbers(live, [digits])
  if (!checked?.exists || checked.number === null)
    throw new Refusal('NOT_REGISTERED', 'This number has no account on the network')
  return jidOf(checked.number)
}

/** Asks which numbers have an account. Throws a Refusal of the network. */
export async function checkNumbers(live: LiveSession, inputs: readonly string[]): Promise<readonly CheckedNumber[]> {
  const wanted = inputs.map((input) => ({ input, digits: input.replace(/[^\d]/g, '') }))
  const found = new Map<string, string>()
  const asked = [...new Set(wanted.flatMap(({ digits }) => (/^\d{5,15}$/.test(digits) ? [digits] : [])))]
  for (let first = 0; first < asked.length; first += ASKED_AT_ONCE) {
    const some = asked.slice(first, first + ASKED_AT_ONCE)
    const answers = await ask(live.sock, some)
    for (const digits of some) {
      const phone =
        answers.find((answer) => answer === digits) ?? answers.find((answer) => isSameNumber(answer, digits))
      if (phone !== undefined) found.set(digits, phone)
    }
  }
  remember(live, found)
  return wanted.map(({ input, digits }) => ({
    input,
    exists: found.has(digits),
    number: found.get(digits) ?? null,
    name: null,
  }))
}

/** The digits of those numbers that have an account. */
async function ask(sock: WASocket, numbers: readonly string[]): Promise<readonly string[]> {
  const answers = await sock.onWhatsApp(...numbers).catch((error: unknown) => {
    throw refusalOf(error)
  })
  return (answers ?? []).flatMap(({ jid, exists }) => (exists ? (phoneIn(jid) ?? []) : []))
}

function remember(live: LiveSession, found: ReadonlyMap<string, string>): void {
  const addresses = ADDRESSES.get(live) ?? new Newest<string, string>(MAX_REMEMBERED)
  ADDRESSES.set(live, addresses)
  for (const [digits, phone] of found) addresses.set(digits, jidOf(phone))
}
