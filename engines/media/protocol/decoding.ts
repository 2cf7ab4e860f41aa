// SPDX-License-Identifier: MIT
/** Messages between a program that plays files and the program `decode.ts`, over the channel of a child process. */
import type { WaveFault } from './wave-fault.ts'

/** Demuxers a file may be read with; always named, never guessed from the file. */
export type DecodeFormat = 'mp3' | 'wav' | 'ogg'

/** A message to the child. It does one job at a time. */
export type DecodeOrder =
  /**
   * At `straightPath` a WAV file that decoders misread is rewritten, or each stream of a chained Ogg file is written;
   * the caller removes that file.
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

/** A message from the child. `done` and `failed` end the job. */
export type DecodeReport =
  | { readonly type: 'ready' }
  /** Packets joined end to end, with their sizes in bytes. */
  | { readonly type: 'packets'; readonly jobId: number; readonly bytes: Uint8Array; readonly sizes: readonly number[] }
  | { readonly type: 'done'; readonly jobId: number }
  | {
      readonly type: 'failed'
      readonly jobId: number
      readonly reason: 'too-long' | 'no-audio' | 'cancelled' | WaveFault
    }
