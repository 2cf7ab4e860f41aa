import type { CallStatus } from '../../src/domain/call.ts'
import type { CallId, NumberId } from '../../src/domain/ids.ts'
import type { NumberSettings } from '../../src/domain/number.ts'

/** What a shown pairing code looks like to those who ask (the QR as text to draw). */
export interface PairingCode {
  readonly qr: string | null
  readonly pairingCode: string | null
  readonly expiresInMs: number | null
}

/** Commands to a number, and what each answers. */
export interface NumberCommands {
  /** Starts pairing, or answers the code shown now. Waits up to `waitMs` for the first. OPEN: ALREADY_CONNECTED. Late: DEVICE_NETWORK_TIMEOUT. */
  Pair: { fields: { readonly waitMs: number }, value: PairingCode }
  /** The code shown now, without starting anything. */
  CurrentCode: { fields: object, value: PairingCode }
  Logout: { fields: object, value: null }
  ApplySettings: { fields: { readonly settings: NumberSettings }, value: null }
  /** Ends calls and session for good, before the row goes. */
  Remove: { fields: object, value: null }
  PlaceCall: {
    fields: { readonly to: string, readonly bizOpaqueCallbackData: string | null }
    value: { readonly id: CallId, readonly externalCallId: string, readonly status: CallStatus }
  }
}
export type NumberCommandType = keyof NumberCommands
export type NumberCommand<T extends NumberCommandType = NumberCommandType> =
  { [K in T]: { readonly type: K, readonly numberId: NumberId } & NumberCommands[K]['fields'] }[T]
