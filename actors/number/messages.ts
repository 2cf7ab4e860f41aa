import type { Call, CallStatus } from '../../src/domain/call.ts'
import type { Outcome } from '../../src/domain/errors.ts'
import type { CallId, NumberId } from '../../src/domain/ids.ts'
import type { ChannelNumber, NumberSettings, PiiMode } from '../../src/domain/number.ts'
import type { OfficialCallEvent, OfficialMessageEvent } from '../../src/ports/official-platform.ts'
import type { Group, GroupSummary, NumberCheck, ProviderEvent } from '../../src/ports/provider.ts'

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
  /** `piiMode`: given when it may have changed. */
  ApplySettings: { fields: { readonly settings: NumberSettings, readonly piiMode?: PiiMode }, value: null }
  /** Ends calls and session for good, before the row goes. */
  Remove: { fields: object, value: null }
  /** Tells upstream what was read; our rows say so already. */
  ReadMessages: { fields: { readonly externalMessageIds: readonly string[] }, value: null }
  /** The following ask the device; not connected: CHANNEL_INSTANCE_NOT_CONNECTED. */
  CheckNumbers: { fields: { readonly numbers: readonly string[] }, value: readonly NumberCheck[] }
  ListGroups: { fields: object, value: readonly GroupSummary[] }
  CreateGroup: { fields: { readonly subject: string, readonly participants: readonly string[] }, value: Group }
  GetGroup: { fields: { readonly groupId: string }, value: Group }
  ChangeParticipants: { fields: { readonly groupId: string, readonly action: 'add' | 'remove', readonly participants: readonly string[] }, value: Group }
  ListNewsletters: { fields: object, value: readonly GroupSummary[] }
  /** `sdp`: the tenant's offer on an OFFICIAL number (none: INVALID_SDP); ignored where the service makes it. */
  PlaceCall: {
    fields: { readonly to: string, readonly bizOpaqueCallbackData: string | null, readonly sdp: string | null }
    value: { readonly id: CallId, readonly externalCallId: string, readonly status: CallStatus }
  }
}
export type NumberCommandType = keyof NumberCommands
export type NumberCommand<T extends NumberCommandType = NumberCommandType> =
  { [K in T]: { readonly type: K, readonly numberId: NumberId } & NumberCommands[K]['fields'] }[T]

type PlainCommandType = Exclude<NumberCommandType, 'PlaceCall'>

/** A command as it reaches the actor: with the ask to answer; a call to place has got its id. */
export type AskedNumberCommand =
  | { [T in PlainCommandType]: { readonly type: T, readonly askId: number } & NumberCommands[T]['fields'] }[PlainCommandType]
  | ({ readonly type: 'PlaceCall', readonly askId: number, readonly callId: CallId } & NumberCommands['PlaceCall']['fields'])

export type DeviceCommandType = 'ReadMessages' | 'CheckNumbers' | 'ListGroups' | 'CreateGroup' | 'GetGroup' | 'ChangeParticipants' | 'ListNewsletters'
export type DeviceCommand = Extract<AskedNumberCommand, { type: DeviceCommandType }>

/** What the rows say when an owner starts. */
export interface LoadedNumber {
  readonly number: ChannelNumber
  readonly credentials: string | null
  /** This installation has a driver for the number's provider. */
  readonly hasDriver: boolean
  /** Provider ids of calls an earlier owner left live; their rows are closed, their lines may not be. */
  readonly orphans: readonly string[]
  /** Live calls that outlived their actor, to be taken up again. */
  readonly resumable: readonly Call[]
}

/** An event of a change; an incoming call has got the id it will have. */
export type ReadEvent =
  | Exclude<OfficialCallEvent, { type: 'incomingCall' }>
  | (OfficialCallEvent & { readonly type: 'incomingCall' } & { readonly callId: CallId })
  | OfficialMessageEvent

/** A stored change of an upstream webhook, and what it says of calls and messages. */
export interface ReadChange {
  /** Rises within the number. */
  readonly position: number
  readonly receivedAt: Date
  readonly events: readonly ReadEvent[]
}

export type SettleOutcome = 'applied' | 'gone' | 'fenced' | 'failed'

export type LoadOutcome =
  | { readonly kind: 'loaded', readonly loaded: LoadedNumber }
  | { readonly kind: 'missing' | 'fenced' | 'failed' }

/**
 * `disconnected`: the 30 s of contract 3. `idle`: passivation. `sweep`: closes rows that could not be written. `sending`: sending starts again
 * after a crash. `pair:n`: the patience of ask n.
 */
export type NumberTimer = 'disconnected' | 'idle' | 'sweep' | 'sending' | `pair:${number}`

/** Everything a number actor hears. */
export type NumberMessage =
  | AskedNumberCommand
  | { readonly type: 'Start' }
  /** Answered once the number is loaded and its orphans are closed. */
  | { readonly type: 'AwaitReady', readonly askId: number }
  | { readonly type: 'Loaded', readonly attempt: number, readonly outcome: LoadOutcome }
  | { readonly type: 'Saved', readonly attempt: number, readonly outcome: 'applied' | 'fenced' | 'failed' }
  /** From the session opened as `sessionId`; `callId` is the id an incoming call will have. */
  | { readonly type: 'Session', readonly sessionId: number, readonly event: ProviderEvent, readonly callId: CallId | null }
  | { readonly type: 'SettingsApplied', readonly askId: number, readonly outcome: Outcome<null> }
  | { readonly type: 'LoggedOut', readonly attempt: number }
  | { readonly type: 'CallOffered', readonly callId: CallId, readonly externalCallId: string | null }
  | { readonly type: 'CallStopped', readonly callId: CallId, readonly isStored: boolean }
  | { readonly type: 'TimerFired', readonly timer: NumberTimer }
  | { readonly type: 'Swept', readonly isDone: boolean, readonly resumable: readonly Call[] }
  /** Changes of upstream webhooks wait for the number. */
  | { readonly type: 'Receive' }
  | { readonly type: 'ChangesRead', readonly attempt: number, readonly changes: readonly ReadChange[] | null }
  /** The outcome of an event of a change is stored. */
  | { readonly type: 'EventSettled', readonly seq: number }
  | { readonly type: 'ChangeSettled', readonly attempt: number, readonly position: number, readonly outcome: SettleOutcome }
  /** Messages wait to be sent. */
  | { readonly type: 'Send' }
  /** Sending has something in hand, or has worked off all it knew of at wake `wakes`. */
  | { readonly type: 'SendingReported', readonly isBusy: boolean, readonly wakes: number }
  | { readonly type: 'SendingCrashed' }
  /** The node stops: end calls, close the session, keep the pairing. */
  | { readonly type: 'Drain' }
  /** Another node owns the number. */
  | { readonly type: 'Fenced' }
  /** A turn threw. */
  | { readonly type: 'Crashed' }
