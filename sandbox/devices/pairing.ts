import { randomBytes, randomInt } from 'node:crypto'
import type { Clock, Timer } from '../../src/ports/clock.ts'

/** A device network's codes: the first is shown 60 s, later ones 20 s, six in all. */
const FIRST_CODE_MS = 60_000
const LATER_CODE_MS = 20_000
const MAX_CODES = 6
/** Letters and digits without those that people mix up. */
const PAIRING_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTVWXYZ'
const PAIRING_CODE_LENGTH = 8

/** One code as shown. */
export interface ShownCode {
  readonly qr: string
  /** Code to type on the phone instead of scanning; the same for all codes of one attempt. */
  readonly pairingCode: string
  readonly expiresInMs: number
}

/** A pairing attempt that shows codes until it is stopped or they run out. */
export interface Pairing {
  readonly code: ShownCode
  stop(): void
}

/** Text of the shape such networks draw: a reference and three keys. */
function newQrText(): string {
  return `2@${[32, 32, 32, 32].map((bytes) => randomBytes(bytes).toString('base64')).join(',')}`
}

function newPairingCode(): string {
  return Array.from({ length: PAIRING_CODE_LENGTH }, () =>
    PAIRING_ALPHABET.charAt(randomInt(PAIRING_ALPHABET.length)),
  ).join('')
}

/** Shows the first code at once and rotates codes; calls `expired` after the last. */
export function startPairing(clock: Clock, events: { shown(code: ShownCode): void; expired(): void }): Pairing {
  const pairingCode = newPairingCode()
  let shownCodes = 0
  let code: ShownCode = next()
  let timer: Timer = clock.after(code.expiresInMs, rotate)

  function next(): ShownCode {
    const expiresInMs = shownCodes === 0 ? FIRST_CODE_MS : LATER_CODE_MS
    shownCodes++
    return { qr: newQrText(), pairingCode, expiresInMs }
  }

  function rotate(): void {
    if (shownCodes >= MAX_CODES) {
      events.expired()
      return
    }
    code = next()
    timer = clock.after(code.expiresInMs, rotate)
    events.shown(code)
  }

  events.shown(code)
  return {
    get code() {
      return code
    },
    stop: () => timer.cancel(),
  }
}
