import type { CallCarrier, CallStatus } from '../../src/domain/call.ts'
import type { CallId } from '../../src/domain/ids.ts'
import type { Traced } from '../../src/domain/trace.ts'
import type { NumberSettings, PiiMode } from '../../src/domain/number.ts'
import type { OfficialLimits } from '../../src/domain/official.ts'
import type { PairingCode } from '../../src/domain/pairing.ts'
import type { CallsMessage, CallsTimer } from './calls/messages.ts'
import type { ChangesMessage } from './changes/messages.ts'
import type { DeviceCommand, DevicesMessage } from './devices/messages.ts'
import type { LinkMessage, LinkTimer } from './link/messages.ts'
import type { RowsMessage } from './rows/messages.ts'
import type { SendsMessage, SendsTimer } from './sends/messages.ts'

/** Commands to a number, and their answers. What the device can be asked is listed in ports/devices.ts. */
export interface NumberCommands {
  /**
   * Starts pairing, or answers the code shown now; waits up to `waitMs` for the first. ALREADY_CONNECTED when OPEN,
   * DEVICE_NETWORK_TIMEOUT when late. With `isTyped` a code to type is asked for and awaited too; the answer lacks it
   * where the device network has none.
   */
  Pair: { fields: { readonly waitMs: number; readonly isTyped?: boolean }; value: PairingCode }
  /** Answers the code shown now, without starting anything. */
  CurrentCode: { fields: object; value: PairingCode }
  Logout: { fields: object; value: null }
  /** `piiMode` and `limits` are given when they may have changed. */
  ApplySettings: {
    fields: {
      readonly settings: NumberSettings
      readonly piiMode?: PiiMode
      readonly limits?: OfficialLimits | null
    }
    value: null
  }
  /**
   * Opens the session again with the stored credentials; answered once the session reported. Only stateless sessions do
   * this.
   */
  Reopen: { fields: object; value: null }
  /** Ends calls and session for good, before the row goes. */
  Remove: { fields: object; value: null }
  /** Tells upstream which messages were read; the rows say so already. */
  ReadMessages: { fields: { readonly externalMessageIds: readonly string[] }; value: null }
  /**
   * `sdp` is the tenant's offer on an OFFICIAL number (INVALID_SDP without one, unless `media` is `bridge`). It is
   * ignored where the service makes
   * the offer.
   */
  PlaceCall: {
    fields: {
      readonly to: string
      readonly bizOpaqueCallbackData: string | null
      readonly sdp: string | null
      /** Has the call recorded, where its audio is here. */
      readonly record?: boolean
      readonly media?: CallCarrier | null
    } & Traced
    value: { readonly id: CallId; readonly externalCallId: string; readonly status: CallStatus }
  }
}
export type NumberCommandType = keyof NumberCommands

type PlainCommandType = Exclude<NumberCommandType, 'PlaceCall'>

/** A command as it reaches the actor, with its ask. A call to place already has its id. */
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

/** `idle` is the timer of passivation. */
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
   * Asks the number to leave for another node, and answers whether it does. A number with a call stays. One with
   * something under way, or without a pairing, stays too, unless the node stops.
   */
  | { readonly type: 'HandOver'; readonly askId: number; readonly isStopping: boolean }
  /** The node stops: leave the calls, let the session answer its open asks, close it, keep the pairing. */
  | { readonly type: 'Drain' }
  /** Another node owns the number. */
  | { readonly type: 'Fenced' }
  /** A turn threw. */
  | { readonly type: 'Crashed' }
