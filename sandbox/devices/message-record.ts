import type { BridgeContent, BridgePeer, BridgeRoom } from '../../src/domain/device-bridge.ts'
import type { DeliveryStatus } from './behaviours.ts'
import type { SentMedia } from './message-media.ts'

/** A message of a gateway number to a peer. */
export interface SentMessage {
  readonly externalMessageId: string
  /** The idempotency key, chosen by the gateway; null when the number's owner wrote the message on the phone. */
  readonly messageId: string | null
  readonly numberId: string
  readonly from: string
  readonly to: string
  /** What it says now; empty once it was taken back. */
  content: BridgeContent
  /** Files found at the addresses in `content`, in their order. */
  readonly media: readonly SentMedia[]
  readonly quoted: string | null
  readonly atMs: number
  /** The latest status reported; null when none was. */
  status: DeliveryStatus | null
  /** True once it shows in the peer's inbox. */
  isReached: boolean
  /** When the number changed its text, and when it took it back, ms since the epoch; null when it did not. */
  editedAtMs: number | null
  revokedAtMs: number | null
}

/** What has not become of a message yet that was just written. */
export const NEW = { status: null, isReached: false, editedAtMs: null, revokedAtMs: null } as const

/** A message of a peer to a gateway number. */
export interface ReceivedMessage {
  readonly externalMessageId: string
  readonly numberId: string
  readonly from: string
  readonly to: string
  readonly content: BridgeContent
  readonly atMs: number
  /** False for a story that the number's settings ignore. */
  readonly isDelivered: boolean
  /** True once the gateway said that the message was read. */
  isRead: boolean
}

/** What a peer, or the number's owner on the phone, writes. */
export interface PeerMessage {
  readonly from: string
  readonly fromName?: string | null
  readonly content: BridgeContent
  readonly quoted?: string
  readonly peer?: BridgePeer
  readonly group?: BridgeRoom | string
  readonly newsletter?: BridgeRoom | string
  readonly story?: unknown
  readonly historical?: boolean
  /** Ms since the epoch. */
  readonly timestamp?: number
}

/** What a peer chooses in a poll. */
export interface Vote {
  readonly peer: string
  readonly fromName?: string | null | undefined
  /** The poll. */
  readonly externalMessageId: string
  readonly options: readonly string[]
  /** Ms since the epoch. */
  readonly timestamp?: number | undefined
}
