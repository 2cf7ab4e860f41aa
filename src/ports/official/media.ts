import type { Outcome } from '../../domain/errors.ts'

export interface OfficialMedia {
  readonly bytes: Uint8Array
  readonly mimeType: string
  readonly fileName: string | null
}

/** Media that users sent to the number. */
export interface MediaPort {
  /**
   * Downloads a media that the phone received. Refusals: NOT_FOUND (unknown, expired, or of another phone),
   * MEDIA_READ_FAILED (upstream failed, or it is too large).
   */
  read(mediaId: string): Promise<Outcome<OfficialMedia>>
}
