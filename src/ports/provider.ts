import type { CallEndReason, SessionReason } from '../domain/device-bridge.ts'
import type { EngineFacts, SessionHealth } from '../domain/engine.ts'
import type { CallMediaKind } from '../domain/call-media.ts'
import type { Outcome, Refusal } from '../domain/errors.ts'
import type { CallId, MessageId, NumberId } from '../domain/ids.ts'
import type { Destination, MessageContent, MessageFailure, MessageType, ReportedStatus } from '../domain/message.ts'
import type { MessageChange } from '../domain/message-change.ts'
import type { SentContent } from '../domain/outgoing.ts'
import type { NumberSettings, NumberState, ProviderKind } from '../domain/number.ts'
import type { DeviceDirectory } from './devices.ts'
import type { FlowReply } from './stores/flow-response-store.ts'
import type { ToldReferral } from '../domain/referral.ts'
import type { NamedPeer } from './stores/message-inbox.ts'

export interface SessionSpec {
  readonly numberId: NumberId
  /** Digits. */
  readonly number: string
  /** Opaque blob of an earlier pairing, or null to pair anew. */
  readonly credentials: string | null
  readonly settings: NumberSettings
  readonly historyImport: boolean
  /** Status posts of contacts are wanted: some webhook subscribes to them (spec: message.stories is demand-driven). */
  readonly wantsStories: boolean
  /** What is known of the engine; told where it says something else. */
  readonly engine?: EngineFacts | null
  /** Events up to this sequence are stored already and need not come again. */
  readonly ackedSeq: number
}

/**
 * What a session reports. `seq` is set on events the engine re-sends until they are settled: the
 * listener calls `session.settle(seq)` once the outcome is stored.
 */
export type ProviderEvent =
  | {
      readonly type: 'qr'
      readonly seq: number
      readonly qr: string
      readonly pairingCode: string | null
      readonly expiresInMs: number
    }
  | { readonly type: 'state'; readonly seq: number; readonly state: NumberState; readonly reason: SessionReason | null }
  | { readonly type: 'credentials'; readonly seq: number; readonly credentials: string }
  | {
      readonly type: 'incomingCall'
      readonly seq: number
      readonly externalCallId: string
      readonly from: string
      readonly sdp: string
    }
  | { readonly type: 'callRinging'; readonly seq: number; readonly externalCallId: string }
  | { readonly type: 'callAnswered'; readonly seq: number; readonly externalCallId: string; readonly sdp: string }
  | {
      readonly type: 'callEnded'
      readonly seq: number
      readonly externalCallId: string
      readonly reason: CallEndReason
    }
  | ({ readonly type: 'messageReceived'; readonly seq: number } & ReceivedMessage)
  | ({ readonly type: 'messageStatus'; readonly seq: number } & ReportedMessage)
  | ({ readonly type: 'messageChanged'; readonly seq: number } & MessageChange)
  /** How the device network thinks of the number. */
  | { readonly type: 'health'; readonly seq: number; readonly health: SessionHealth }
  /** The engine started the session, and says this of itself, which was not known; null: nothing. */
  | { readonly type: 'engine'; readonly engine: EngineFacts | null }
  /** The socket to the engine is gone; the session reconnects by itself with backoff until closed. */
  | { readonly type: 'linkDown' }
  | { readonly type: 'linkUp' }
  /** An event this version does not use; settle it. */
  | { readonly type: 'unused'; readonly seq: number }

/** A message that reached the number, or that was written for it on another device. */
export interface ReceivedMessage {
  readonly externalMessageId: string
  /**
   * Digits of the writer (in a group: the participant), or upstream's id of a user who hides the number; of a channel
   * post: the channel.
   */
  readonly from: string
  readonly fromName: string | null
  /** Digits of the number, or of the peer when `isFromMe`. */
  readonly to: string
  /** The number itself wrote it, on another device. */
  readonly isFromMe: boolean
  readonly group: { readonly id: string; readonly name: string | null } | null
  readonly newsletter: { readonly id: string; readonly name: string | null } | null
  /** A status post of a contact. */
  readonly isStory: boolean
  /** Imported from the device's past. */
  readonly isHistorical: boolean
  readonly at: Date
  readonly messageType: MessageType
  /** Its media, if any, has an `id` on OFFICIAL; on UNOFFICIAL the engine's own address, which is re-hosted. */
  readonly content: MessageContent
  /** Upstream id of the message it quotes. */
  readonly quotedMessageId: string | null
  /** What was submitted, where it answers a Flow. */
  readonly flowReply?: FlowReply
  /** The ad or post it came from, on OFFICIAL. */
  readonly referral?: ToldReferral
}

/** What upstream says became of a message of ours. */
export interface ReportedMessage {
  readonly externalMessageId: string
  /** Our id, where upstream gives it back. */
  readonly messageId: MessageId | null
  readonly status: ReportedStatus
  readonly failure: MessageFailure | null
  readonly at: Date
}

/** Media of a message, as its driver can send it. */
export interface SendableMedia {
  /** On this node. */
  readonly path: string
  readonly mimeType: string
  readonly sizeBytes: number
  readonly fileName: string
  /** Where an engine may fetch it. */
  readonly url: string
  readonly waveform: readonly number[] | null
}

export type SendableContent = SentContent<SendableMedia>

export interface SendableMessage {
  /**
   * Upstream is given it along: the idempotency key of UNOFFICIAL, the mark by which OFFICIAL statuses name the
   * message.
   */
  readonly messageId: MessageId
  readonly to: Destination
  readonly content: SendableContent
  /** Upstream id. */
  readonly quotedMessageId: string | null
}

/** What became of a try to send. */
export type SendResult =
  /** `named`: upstream told who the user is by number and by id. */
  | { readonly kind: 'sent'; readonly externalMessageId: string; readonly named?: NamedPeer }
  /** Upstream refused it for good. */
  | { readonly kind: 'refused'; readonly failure: MessageFailure }
  /**
   * Upstream throttles: nothing was sent. `afterMs`: how long upstream asks to wait, null when it does not say.
   * `scope`: what is throttled.
   */
  | {
      readonly kind: 'throttled'
      readonly failure: MessageFailure
      readonly afterMs: number | null
      readonly scope: 'number' | 'pair'
    }
  /**
   * Nothing was sent for certain, and a later try may work: no link, an upstream fault that was answered. `afterMs`:
   * upstream asks to wait so long with all of the number.
   */
  | { readonly kind: 'unsent'; readonly failure: MessageFailure; readonly afterMs?: number }
  /** No answer that can be read: upstream may have taken it. `afterMs` likewise. */
  | { readonly kind: 'unknown'; readonly failure: MessageFailure; readonly afterMs?: number }

/** A call that upstream holds. */
export interface UpstreamCall {
  readonly externalCallId: string
  /** Our id, where we placed it and upstream keeps that. */
  readonly callRef: string | null
  readonly isConnected: boolean
}

/**
 * The calls of a number as upstream holds them, for an owner who was not there when they began. Refusals beside those
 * of the session: FEATURE_NOT_SUPPORTED.
 */
export interface LiveCalls {
  list(): Promise<Outcome<readonly UpstreamCall[]>>
  /** Ends the call we placed under this id of ours. An unknown one counts as ended: ok. */
  terminate(callRef: CallId): Promise<Outcome<null>>
}

/** A live session of one number. Requests answer an Outcome and never throw; they time out by themselves. */
export interface ProviderSession {
  applySettings(settings: NumberSettings, wantsStories: boolean): Promise<Outcome<null>>
  /** Has a session that pairs show a code to type beside the one to scan. Absent where nothing is paired. */
  requestPairingCode?(): Promise<Outcome<null>>
  /** Unlinks the device upstream and wipes the session there. */
  logout(): Promise<Outcome<null>>
  sendText(to: string, text: string, messageId: string): Promise<Outcome<{ externalMessageId: string }>>
  /** Sends a message; the same one again after a doubt is recognised by its id where upstream can. */
  sendMessage(message: SendableMessage): Promise<SendResult>
  /** Tells upstream that these were read, newest last. */
  markRead(externalMessageIds: readonly string[]): Promise<Outcome<null>>
  /** Absent where the kind has none of it. */
  readonly devices?: DeviceDirectory
  /**
   * Why calls of the number can have no audio, so that no leg need be opened; null or absent: nothing is known against
   * it.
   */
  audioRefusal?(): Refusal | null
  /**
   * The kind of leg that calls are placed with, as upstream wants it; absent: WebRTC. Descriptions below (`sdp`) may be
   * of either kind (domain/call-media).
   */
  callMedia?(): CallMediaKind
  /** Refusals: CALL_PEER_UNREACHABLE, CHANNEL_INSTANCE_NOT_CONNECTED, DEVICE_NETWORK_ERROR, DEVICE_NETWORK_TIMEOUT. */
  /** `callRef`: our id of the call, by which it can be found where `liveCalls` is. */
  offerCall(
    to: string,
    sdp: string,
    bizOpaqueCallbackData?: string | null,
    callRef?: CallId,
  ): Promise<Outcome<{ externalCallId: string }>>
  /**
   * Only where the driver declares callPreAccept: sets the leg up early; the call connects on acceptCall, with the same
   * SDP.
   */
  preAcceptCall?(externalCallId: string, sdp: string): Promise<Outcome<null>>
  acceptCall(externalCallId: string, sdp: string): Promise<Outcome<null>>
  rejectCall(externalCallId: string): Promise<Outcome<null>>
  /** An unknown call counts as ended: ok. */
  terminateCall(externalCallId: string): Promise<Outcome<null>>
  /** Absent where upstream tells of its calls by webhook alone. */
  readonly liveCalls?: LiveCalls
  /** The outcome of event `seq` is stored. Acknowledged upstream once all before it are settled too. */
  settle(seq: number): void
  /** Closes the link without unlinking the device. Idempotent. */
  close(): void
}

export interface ProviderDriver {
  readonly kind: ProviderKind
  /** Opens a session and keeps it: reconnects with backoff and full jitter until closed. */
  openSession(spec: SessionSpec, listener: (event: ProviderEvent) => void): ProviderSession
}

/** Provider kind -> driver, null when this installation has none configured. */
export interface ProviderRegistry {
  driver(kind: ProviderKind): ProviderDriver | null
}
