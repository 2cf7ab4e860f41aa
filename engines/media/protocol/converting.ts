// SPDX-License-Identifier: MIT
/** Messages between who sends files and the program `convert.ts`, over the channel of a child process. */
import type { WaveFault } from './wave-fault.ts'

/** Demuxers a file may be read with; always named, never guessed from the file. */
export type MediaFormat = 'mp3' | 'wav' | 'ogg' | 'mov' | 'aac' | 'amr' | 'flac' | 'matroska' | 'avi'

export type ImageFormat = 'jpeg' | 'png' | 'webp'

/** One piece of work on a local file that is closed and complete. */
export type MediaTask =
  /**
   * Looks at the header, then decodes the picture once. With `outPath` one that is not 8-bit RGB is made so: as PNG
   * where it was one and that fits into `maxBytes`, else as JPEG.
   */
  | {
      readonly task: 'image'
      readonly path: string
      readonly format: ImageFormat
      readonly outPath: string | null
      readonly maxSidePixels: number
      readonly maxPixels: number
      readonly maxBytes: number
    }
  /** Makes JPEG or PNG, the better of what fits into `maxBytes`, else JPEG. */
  | {
      readonly task: 'picture'
      readonly path: string
      readonly format: ImageFormat
      readonly outPath: string
      readonly maxSidePixels: number
      readonly maxPixels: number
      readonly maxBytes: number
    }
  /**
   * Makes a picture of the same type anew: first frame, upright, without metadata, no side longer than
   * `shownSidePixels`.
   */
  | {
      readonly task: 'logo'
      readonly path: string
      readonly format: ImageFormat
      readonly outPath: string
      readonly maxSidePixels: number
      readonly maxPixels: number
      readonly shownSidePixels: number
    }
  /**
   * Makes OGG/Opus mono of the one audio stream, or of the streams one behind the other of an Ogg file; a file that is
   * that already, in one stream, is decoded and left as it is. `outPath` null: it is listened to alone. `straightPath`:
   * where a WAV that decoders misread is written anew, and each stream of several in an Ogg file; who orders removes
   * it.
   */
  | {
      readonly task: 'audio'
      readonly path: string
      readonly straightPath: string
      readonly format: MediaFormat
      readonly outPath: string | null
      readonly maxSeconds: number
      readonly maxBytes: number
    }
  /**
   * Makes MP4 (H.264, AAC) of the first video and audio stream. `unless-fit` leaves what every phone plays as it is:
   * H.264 without B-frames, with AAC or no audio.
   */
  | {
      readonly task: 'video'
      readonly path: string
      readonly format: MediaFormat
      readonly outPath: string
      readonly convert: 'always' | 'unless-fit' | 'never'
      readonly maxSeconds: number
      readonly maxBytes: number
    }

/** How long a sound is, and its loudness in 64 points of 0 to 100. */
export interface Sound {
  readonly durationMs: number
  readonly waveform: readonly number[]
}

export interface MadePicture {
  readonly type: 'image/jpeg' | 'image/png'
  readonly sizeBytes: number
}

export type MediaResult =
  /** `frames` above 1: an animation. `made`: what was written to `outPath`; null when the file may go as it is. */
  | {
      readonly task: 'image'
      readonly widthPixels: number
      readonly heightPixels: number
      readonly frames: number
      readonly made: MadePicture | null
    }
  | ({ readonly task: 'picture' } & MadePicture)
  | { readonly task: 'logo'; readonly sizeBytes: number }
  /** `sizeBytes` of what was written to `outPath`; null when the file may go as it is. */
  | { readonly task: 'audio'; readonly sizeBytes: number | null; readonly sound: Sound }
  | { readonly task: 'video'; readonly sizeBytes: number | null }

/** Why a file cannot be used. */
export type MediaFault = 'unreadable' | 'too-long' | 'dimensions' | 'no-audio' | 'no-video' | 'has-video' | WaveFault

/** To the child. One job at a time. */
export interface MediaJobOrder {
  readonly jobId: number
  readonly work: MediaTask
}

/** From the child. All but `ready` end the job. */
export type MediaReport =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly jobId: number; readonly result: MediaResult }
  | { readonly type: 'failed'; readonly jobId: number; readonly fault: MediaFault }
