import type { PriceCategory } from '../domain/usage.ts'
import type { CallEndReason, SessionReason } from '../domain/device-bridge.ts'
import type { TypingState } from '../domain/device-ops.ts'
import type { EngineFacts, SessionHealth } from '../domain/engine.ts'
import type { CallMediaKind } from '../domain/call-media.ts'
import type { Outcome, Refusal } from '../domain/errors.ts'
import type { CallId, MessageId, NumberId } from '../domain/ids.ts'
import type { Destination, MessageContent, MessageFailure, MessageType, ReportedStatus } from '../domain/message.ts'
import type { MessageChange } from '../domain/message-change.ts'
import type { SentContent } from '../domain/outgoing.ts'
import type { PollVote } from '../domain/poll-vote.ts'
import type { NumberSettings, NumberState, ProviderKind } from '../domain/number.ts'
import type { DeviceDirectory } from './devices.ts'
import type { Traced } from '../domain/trace.ts'
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
  /** Some webhook subscribes to status posts of contacts, so the engine is to send them ([events.subscription.6]). */
  readonly wantsStories: boolean
  /** What is known of the engine; the session reports only what differs. */
  readonly engine?: EngineFacts | null
  /** Events up to this sequence are stored already and need not come again. */
  readonly ackedSeq: number
}

/**
 * What a session reports. The engine repeats events with a `seq` until they are settled: the listener calls
 * `session.settle(seq)` once the outcome is stored.
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
  | ({
      readonly type: 'incomingCall'
      readonly seq: number
      readonly externalCallId: string
      readonly from: string
      readonly sdp: string
    } & Traced)
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
  | ({ readonly type: 'pollVoted'; readonly seq: number } & PollVote)
  /** The engine told addresses of one person. */
  | ({ readonly type: 'peerNamed'; readonly seq: number } & NamedPeer)
  /** Somebody writes to the number, in a group where it names one. It is true for seconds and may be lost. */
  | {
      readonly type: 'peerTyping'
      readonly peer: string
      readonly group: string | null
      readonly state: TypingState
    }
  /** How the device network rates the number. */
  | { readonly type: 'health'; readonly seq: number; readonly health: SessionHealth }
  /** The engine started the session and said something new of itself; null when it said nothing. */
  | { readonly type: 'engine'; readonly engine: EngineFacts | null }
  /** The socket to the engine is gone; the session reconnects by itself with backoff until closed. */
  | { readonly type: 'linkDown' }
  | { readonly type: 'linkUp' }
  /** An event that this version does not use; it is only settled. */
  | { readonly type: 'unused'; readonly seq: number }

/** A message that reached the number, or that was written for it on another device. */
export interface ReceivedMessage extends Traced {
  readonly externalMessageId: string
  /**
   * Digits of the writer (in a group: the participant), or upstream's id of a user who hides the number; for a post in
   * a channel the channel's id.
   */
  readonly from: string
  readonly fromName: string | null
  /** Digits of the number, or of the peer when `isFromMe`. */
  readonly to: string
  /** True when the number itself wrote it, on another device. */
  readonly isFromMe: boolean
  readonly group: { readonly id: string; readonly name: string | null } | null
  readonly newsletter: { readonly id: string; readonly name: string | null } | null
  /** True for a status post of a contact. */
  readonly isStory: boolean
  /** True for one imported from the device's past. */
  readonly isHistorical: boolean
  readonly at: Date
  readonly messageType: MessageType
  /** Its media, if any, has an `id` on OFFICIAL; on UNOFFICIAL the engine's own address, which is re-hosted. */
  readonly content: MessageContent
  /** Upstream id of the message it quotes. */
  readonly quotedMessageId: string | null
  /** The submitted answer, when the message answers a Flow. */
  readonly flowReply?: FlowReply
  /** The ad or post it came from, on OFFICIAL. */
  readonly referral?: ToldReferral
  /** Addresses of the peer that came along, on UNOFFICIAL; they are stored before the message. */
  readonly named?: NamedPeer
}

/** What upstream says became of a message that the service sent. */
export interface ReportedMessage {
  readonly externalMessageId: string
  /** The service's id, when upstream gives it back. */
  readonly messageId: MessageId | null
  readonly status: ReportedStatus
  readonly failure: MessageFailure | null
  readonly at: Date
  /** What upstream charges the message as; null or absent when it says nothing of it, or charges nothing. */
  readonly priceCategory?: PriceCategory | null
  /** The number under which upstream knows who was written to; null or absent when it does not say. */
  readonly recipient?: string | null
}

/** Media of a message, in the form in which its driver sends it. */
export interface SendableMedia {
  /** The path on this node. */
  readonly path: string
  readonly mimeType: string
  readonly sizeBytes: number
  readonly fileName: string
  /** The address where an engine may fetch it. */
  readonly url: string
  readonly waveform: readonly number[] | null
}

export type SendableContent = SentContent<SendableMedia>

export interface SendableMessage extends Traced {
  /** The id that goes along: it is the idempotency key on UNOFFICIAL, and OFFICIAL statuses name the message by it. */
  readonly messageId: MessageId
  readonly to: Destination
  readonly content: SendableContent
  /** Upstream id of the quoted message. */
  readonly quotedMessageId: string | null
}

/** The result of a try to send. */
export type SendResult =
  /** `named` is set when upstream told several addresses of the recipient together. */
  | { readonly kind: 'sent'; readonly externalMessageId: string; readonly named?: NamedPeer }
  /** Upstream refused it for good. */
  | { readonly kind: 'refused'; readonly failure: MessageFailure }
  /**
   * Upstream throttles: nothing was sent. `afterMs` is the wait that upstream asks for, null when it does not say.
   * `scope` says what is throttled.
   */
  | {
      readonly kind: 'throttled'
      readonly failure: MessageFailure
      readonly afterMs: number | null
      readonly scope: 'number' | 'pair'
    }
  /**
   * Nothing was sent for certain, and a later try may work: there was no link, or upstream answered with a fault of its
   * own. `afterMs` is the wait that upstream asks for, for the whole number.
   */
  | { readonly kind: 'unsent'; readonly failure: MessageFailure; readonly afterMs?: number }
  /** No readable answer: upstream may have taken the message. `afterMs` as above. */
  | { readonly kind: 'unknown'; readonly failure: MessageFailure; readonly afterMs?: number }

/** A call that upstream holds. */
export interface UpstreamCall {
  readonly externalCallId: string
  /** The service's id, when the service placed the call and upstream keeps the id. */
  readonly callRef: string | null
  readonly isConnected: boolean
}

/**
 * The calls of a number as upstream holds them, for an owner that was absent when they began. Refusals beside those of
 * the session: FEATURE_NOT_SUPPORTED.
 */
export interface LiveCalls {
  list(): Promise<Outcome<readonly UpstreamCall[]>>
  /** Ends the call that the service placed under this id. An unknown one counts as ended: ok. */
  terminate(callRef: CallId): Promise<Outcome<null>>
}

/** A live session of one number. Requests give an Outcome and never throw; they time out by themselves. */
export interface ProviderSession {
  applySettings(settings: NumberSettings, wantsStories: boolean): Promise<Outcome<null>>
  /** Has a session that pairs show a code to type beside the one to scan. Absent for kinds that do not pair. */
  requestPairingCode?(): Promise<Outcome<null>>
  /** Unlinks the device upstream and wipes the session there. */
  logout(): Promise<Outcome<null>>
  sendText(to: string, text: string, messageId: string): Promise<Outcome<{ externalMessageId: string }>>
  /** Sends a message. A repeated one after a doubt is recognised by its id, where upstream can. */
  sendMessage(message: SendableMessage): Promise<SendResult>
  /** Tells upstream that these were read, newest last. */
  markRead(externalMessageIds: readonly string[]): Promise<Outcome<null>>
  /** What the kind of number has of it. */
  readonly devices?: Partial<DeviceDirectory>
  /**
   * Says why calls of the number can have no audio, so that no leg need be opened; null or absent when no reason is
   * known.
   */
  audioRefusal?(): Refusal | null
  /**
   * Gives the kind of leg that calls are placed with, as upstream wants it; WebRTC when absent. Descriptions below
   * (`sdp`) may be of either kind (domain/call-media.ts).
   */
  callMedia?(): CallMediaKind
  /**
   * Places a call. `callRef` is the service's id of the call; `liveCalls`, where present, finds the call by it.
   * Refusals: CALL_PEER_UNREACHABLE, CHANNEL_INSTANCE_NOT_CONNECTED, DEVICE_NETWORK_ERROR, DEVICE_NETWORK_TIMEOUT.
   */
  offerCall(
    to: string,
    sdp: string,
    bizOpaqueCallbackData?: string | null,
    callRef?: CallId,
  ): Promise<Outcome<{ externalCallId: string }>>
  /**
   * Sets the leg up early, only when the driver declares callPreAccept; the call connects on acceptCall, with the same
   * SDP.
   */
  preAcceptCall?(externalCallId: string, sdp: string): Promise<Outcome<null>>
  acceptCall(externalCallId: string, sdp: string): Promise<Outcome<null>>
  rejectCall(externalCallId: string): Promise<Outcome<null>>
  /** Ends a call. An unknown one counts as ended: ok. */
  terminateCall(externalCallId: string): Promise<Outcome<null>>
  /** Absent when upstream tells of its calls by webhook alone. */
  readonly liveCalls?: LiveCalls
  /**
   * Tells that the outcome of event `seq` is stored. It is acknowledged upstream once all before it are settled too.
   */
  settle(seq: number): void
  /** Closes the link without unlinking the device. Idempotent. */
  close(): void
}

export interface ProviderDriver {
  readonly kind: ProviderKind
  /** Opens a session and keeps it: reconnects with backoff and full jitter until closed. */
  openSession(opening: SessionSpec, listener: (event: ProviderEvent) => void): ProviderSession
}

/** The driver of each kind of number; null when this installation has none configured. */
export interface ProviderRegistry {
  driver(kind: ProviderKind): ProviderDriver | null
}
