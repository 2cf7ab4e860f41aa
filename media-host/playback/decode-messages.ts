/** Messages between the media host and a decoding child, over the child's IPC channel. */

/** Demuxers a file may be read with; always named, never guessed from the file. */
export type DecodeFormat = 'mp3' | 'wav' | 'ogg'

/** To the child. One job at a time. */
export type DecodeOrder =
  | { readonly type: 'decode', readonly jobId: number, readonly path: string, readonly format: DecodeFormat, readonly maxPackets: number }
  | { readonly type: 'cancel', readonly jobId: number }

/** From the child. `done` and `failed` end the job. */
export type DecodeReport =
  | { readonly type: 'ready' }
  /** Packets laid end to end, with their sizes. */
  | { readonly type: 'packets', readonly jobId: number, readonly bytes: Uint8Array, readonly sizes: readonly number[] }
  | { readonly type: 'done', readonly jobId: number }
  | { readonly type: 'failed', readonly jobId: number, readonly reason: 'too-long' | 'no-audio' | 'cancelled' }
