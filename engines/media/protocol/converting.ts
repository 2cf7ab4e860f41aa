// SPDX-License-Identifier: MIT
/** Messages between a program that sends files and the program `convert.ts`, over the channel of a child process. */
import type { WaveFault } from './wave-fault.ts'

/** Demuxers a file may be read with; always named, never guessed from the file. */
export type MediaFormat = 'mp3' | 'wav' | 'ogg' | 'mov' | 'aac' | 'amr' | 'flac' | 'matroska' | 'avi'

export type ImageFormat = 'jpeg' | 'png' | 'webp'

/** One piece of work on a local file that is closed and complete. */
export type MediaTask =
  /**
   * Reads the header, then decodes the picture once. With `outPath` a picture that is not 8-bit RGB is converted: a PNG
   * to PNG when that fits into `maxBytes`, everything else to JPEG.
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
  /** Makes PNG of a picture with transparency when that fits into `maxBytes`, otherwise JPEG. */
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
   * Encodes a picture again in its own type: first frame, upright, without metadata, no side longer than
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
   * Makes mono OGG/Opus of the one audio stream, or of the streams of a chained Ogg file. A file that already is one
   * such stream is decoded and left unchanged. With `outPath` null the audio is only measured. At `straightPath` a WAV
   * file that decoders misread is rewritten, or each stream of a chained Ogg file is written; the caller removes that
   * file.
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
   * Makes MP4 (H.264, AAC) of the first video and audio stream. `unless-fit` leaves a file that every phone plays
   * unchanged: H.264 without B-frames, with AAC or no audio.
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

/** The duration of audio, and its loudness as 64 points of 0 to 100. */
export interface Sound {
  readonly durationMs: number
  readonly waveform: readonly number[]
}

export interface MadePicture {
  readonly type: 'image/jpeg' | 'image/png'
  readonly sizeBytes: number
}

export type MediaResult =
  /**
   * `frames` above 1 means an animation. `made` says what was written to `outPath`; null when the file can be sent
   * unchanged.
   */
  | {
      readonly task: 'image'
      readonly widthPixels: number
      readonly heightPixels: number
      readonly frames: number
      readonly made: MadePicture | null
    }
  | ({ readonly task: 'picture' } & MadePicture)
  | { readonly task: 'logo'; readonly sizeBytes: number }
  /** `sizeBytes` is the size of the file at `outPath`; null when the file can be sent unchanged. */
  | { readonly task: 'audio'; readonly sizeBytes: number | null; readonly sound: Sound }
  | { readonly task: 'video'; readonly sizeBytes: number | null }

/** Why a file cannot be used. */
export type MediaFault = 'unreadable' | 'too-long' | 'dimensions' | 'no-audio' | 'no-video' | 'has-video' | WaveFault

/** A message to the child. It does one job at a time. */
export interface MediaJobOrder {
  readonly jobId: number
  readonly work: MediaTask
}

/** A message from the child. Every report but `ready` ends the job. */
export type MediaReport =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly jobId: number; readonly result: MediaResult }
  | { readonly type: 'failed'; readonly jobId: number; readonly fault: MediaFault }
