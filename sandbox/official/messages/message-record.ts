import type { DeliveryStatus } from '../../devices/behaviours.ts'

/** A file that went with a message, as the platform found it. */
export interface OfficialSentMedia {
  /** Null when the file came from a link. */
  readonly mediaId: string | null
  readonly mimeType: string
  readonly sizeBytes: number
  /** Hex. */
  readonly sha256: string
  readonly fileName: string | null
}

/** A message of a number to a user. */
export interface OfficialSent {
  readonly externalMessageId: string
  readonly from: string
  readonly to: string
  readonly type: string
  readonly text: string | null
  /** The object named after the type; that of a template is filled. */
  readonly content: unknown
  readonly quoted: string | null
  readonly bizData: string | null
  /** The endpoint that took it. */
  readonly edge: 'messages' | 'marketing_messages'
  /** True when it went as a marketing message of an account that is let in. */
  readonly isLite: boolean
  readonly atMs: number
  /** Files of the message, known once it was delivered. */
  media: readonly OfficialSentMedia[]
  status: DeliveryStatus | null
  isReached: boolean
}

/** A message of a user to a number. */
export interface OfficialReceived {
  readonly externalMessageId: string
  readonly from: string
  readonly to: string
  readonly type: string
  readonly text: string | null
  readonly content: unknown
  readonly atMs: number
  /** The id of a user who hides the number; null for others. */
  readonly hiddenAs: string | null
  isRead: boolean
}
