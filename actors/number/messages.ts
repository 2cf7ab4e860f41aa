import type { CallStatus } from '../../src/domain/call.ts'
import type { CallId } from '../../src/domain/ids.ts'
import type { NumberSettings, PiiMode } from '../../src/domain/number.ts'
import type { PairingCode } from '../../src/domain/pairing.ts'
import type { CallsMessage, CallsTimer } from './calls/messages.ts'
import type { ChangesMessage } from './changes/messages.ts'
import type { DeviceCommand, DevicesMessage } from './devices/messages.ts'
import type { LinkMessage, LinkTimer } from './link/messages.ts'
import type { RowsMessage } from './rows/messages.ts'
import type { SendsMessage, SendsTimer } from './sends/messages.ts'

/** Commands to a number, and what each answers. What the device is asked is listed in ports/devices.ts. */
export interface NumberCommands {
  /**
   * Starts pairing, or answers the code shown now. Waits up to `waitMs` for the first. OPEN: ALREADY_CONNECTED. Late:
   * DEVICE_NETWORK_TIMEOUT. `isTyped`: one to type is wanted too; it is asked for and waited for, and missing in the
   * answer where the device network has none.
   */
  Pair: { fields: { readonly waitMs: number; readonly isTyped?: boolean }; value: PairingCode }
  /** The code shown now, without starting anything. */
  CurrentCode: { fields: object; value: PairingCode }
  Logout: { fields: object; value: null }
  /** `piiMode`: given when it may have changed. */
  ApplySettings: { fields: { readonly settings: NumberSettings; readonly piiMode?: PiiMode }; value: null }
  /**
   * Opens the session anew with the credentials that are stored now; answered once it reported. Only of stateless
   * sessions.
   */
  Reopen: { fields: object; value: null }
  /** Ends calls and session for good, before the row goes. */
  Remove: { fields: object; value: null }
  /** Tells upstream what was read; our rows say so already. */
  ReadMessages: { fields: { readonly externalMessageIds: readonly string[] }; value: null }
  /** `sdp`: the tenant's offer on an OFFICIAL number (none: INVALID_SDP); ignored where the service makes it. */
  PlaceCall: {
    fields: { readonly to: string; readonly bizOpaqueCallbackData: string | null; readonly sdp: string | null }
    value: { readonly id: CallId; readonly externalCallId: string; readonly status: CallStatus }
  }
}
export type NumberCommandType = keyof NumberCommands

type PlainCommandType = Exclude<NumberCommandType, 'PlaceCall'>

/** A command as it reaches the actor: with the ask to answer; a call to place has got its id. */
export type AskedNumberCommand =
  | {
      [T in PlainCommandType]: { readonly type: T; readonly askId: number } & NumberCommands[T]['fields']
    }[PlainCommandType]
  | ({
      readonly type: 'PlaceCall'
      readonly askId: number
      readonly callId: CallId
    } & NumberCommands['PlaceCall']['fields'])
  | DeviceCommand

/** `idle`: passivation. */
export type NumberTimer = LinkTimer | CallsTimer | SendsTimer | 'idle'

/** Everything a number actor hears. */
export type NumberMessage =
  | AskedNumberCommand
  | RowsMessage
  | LinkMessage
  | CallsMessage
  | ChangesMessage
  | SendsMessage
  | DevicesMessage
  | { readonly type: 'Start' }
  /** Answered once the number is loaded and its orphans are closed. */
  | { readonly type: 'AwaitReady'; readonly askId: number }
  | { readonly type: 'TimerFired'; readonly timer: NumberTimer }
  /**
   * Another node shall have the number: answered whether it goes now. One with a call stays; so do one with something
   * under way and one that is not paired, unless the node stops.
   */
  | { readonly type: 'HandOver'; readonly askId: number; readonly isStopping: boolean }
  /** The node stops: leave the calls, let the session answer what it was asked, close it, keep the pairing. */
  | { readonly type: 'Drain' }
  /** Another node owns the number. */
  | { readonly type: 'Fenced' }
  /** A turn threw. */
  | { readonly type: 'Crashed' }
