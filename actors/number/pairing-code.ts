import type { Outcome } from '../../src/domain/errors.ts'
import { succeed } from '../../src/domain/errors.ts'
import type { PairingCode } from './messages.ts'
import type { ShownCode } from './state.ts'

const NO_CODE: PairingCode = { qr: null, pairingCode: null, expiresInMs: null }

/** The code as it is shown; one that ran out is none. */
export function answerCode(code: ShownCode | null, nowMs: number): Outcome<PairingCode> {
  if (!code || code.expiresAtMs <= nowMs) return succeed(NO_CODE)
  return succeed({ qr: code.qr, pairingCode: code.pairingCode, expiresInMs: code.expiresAtMs - nowMs })
}
