// SPDX-License-Identifier: MIT
/** Messages between who plays files and the program `decode.ts`, over the channel of a child process. */
import type { WaveFault } from './wave-fault.ts'

/** Demuxers a file may be read with; always named, never guessed from the file. */
export type DecodeFormat = 'mp3' | 'wav' | 'ogg'

/** To the child. One job at a time. */
export type DecodeOrder =
  /**
   * `straightPath`: where a WAV that decoders misread is written anew, and each stream of several in an Ogg file; who
   * orders removes it.
   */
  | {
      readonly type: 'decode'
      readonly jobId: number
      readonly path: string
      readonly straightPath: string
      readonly format: DecodeFormat
      readonly maxPackets: number
    }
  | { readonly type: 'cancel'; readonly jobId: number }

/** From the child. `done` and `failed` end the job. */
export type DecodeReport =
  | { readonly type: 'ready' }
  /** Packets laid end to end, with their sizes. */
  | { readonly type: 'packets'; readonly jobId: number; readonly bytes: Uint8Array; readonly sizes: readonly number[] }
  | { readonly type: 'done'; readonly jobId: number }
  | {
      readonly type: 'failed'
      readonly jobId: number
      readonly reason: 'too-long' | 'no-audio' | 'cancelled' | WaveFault
    }
