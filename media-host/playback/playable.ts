import type { Outcome } from '../../src/domain/errors.ts'

/** A file on its way to be played: Opus packets of 20 ms, appended while the decoder works. */
export interface Playable {
  /** Only grows. */
  readonly packets: readonly Uint8Array[]
  readonly state: 'loading' | 'complete' | 'failed'
  /** Why it failed, in words for the caller; null unless it failed. */
  readonly error: string | null
  /** Releases the file; download and decoding stop after the last user. Idempotent. */
  release(): void
}

/** The source of playables: guard, download, type check, decoding in a child process, cache. */
export interface PlayableSource {
  /**
   * Gets ready for the first file (our choice): a child that decodes takes 0.5 s to start and 65 MiB, so there is one
   * as soon as there is a call, and none before. Costs nothing when called again.
   */
  prepare(): void
  /**
   * Opens a file. Answers once the guard allowed the address and the first bytes are audio; the rest arrives in the
   * background. Refusals: VALIDATION (not http(s)), MEDIA_URL_FORBIDDEN, MEDIA_DOWNLOAD_FAILED, MEDIA_UNSUPPORTED,
   * MEDIA_TOO_LARGE.
   */
  open(mediaUrl: string): Promise<Outcome<Playable>>
  close(): Promise<void>
}
