import { randomBytes } from 'node:crypto'
import type { DeliveryStatus } from '../../devices/behaviours.ts'

/** A media that went with a message, as the platform found it. */
export interface OfficialSentMedia {
  /** Null when it came from a link. */
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
  /** Of templates: filled. */
  readonly content: unknown
  readonly quoted: string | null
  readonly bizData: string | null
  readonly atMs: number
  /** Known once the message was delivered. */
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
  /** The id of a user who hides the number. */
  readonly hiddenAs: string | null
  isRead: boolean
}

export function newMessageId(): string {
  return `wamid.HBgM${randomBytes(27).toString('base64url').replaceAll(/[-_]/g, 'A')}==`
}
