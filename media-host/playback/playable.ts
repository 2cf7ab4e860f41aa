import type { Outcome } from '../../src/domain/errors.ts'

/** A file on its way to be played: Opus packets of 20 ms, appended while the decoder works. */
export interface Playable {
  /** Only grows. */
  readonly packets: readonly Uint8Array[]
  readonly state: 'loading' | 'complete' | 'failed'
  /** Set when failed: why, for the caller. */
  readonly error: string | null
  /** Stops download and decoding if this was the last user. Idempotent. */
  release(): void
}

/** Where playables come from: guard, download, sniff, decode in a child process, cache. */
export interface PlayableSource {
  /**
   * Answers as soon as the guard let the address through and the first bytes are audio; the rest
   * arrives in the background. Refusals: VALIDATION (not http(s)), MEDIA_URL_FORBIDDEN,
   * MEDIA_DOWNLOAD_FAILED, MEDIA_UNSUPPORTED, MEDIA_TOO_LARGE.
   */
  open(mediaUrl: string): Promise<Outcome<Playable>>
  close(): Promise<void>
}
