import { AVMEDIA_TYPE_VIDEO, Decoder, FilterAPI } from 'node-av'
import type { CodecContext, Demuxer, Encoder, Frame, Muxer, Packet, Stream } from 'node-av'
import type { Opened } from './opened.ts'
import { turn } from './stream-length.ts'

/** Our choice: the largest picture that is decoded is 8K. */
export const MOST_VIDEO_PIXELS = 7_680 * 4_320
/** Our choice: a result is written up to this many times its ceiling, so that its size can be reported. */
const OVERSIZE = 2

/**
 * Sets options of a codec. The package's own `options` are freed twice, by FFmpeg and at the next garbage collection
 * (node-av 6.1.1, seen as crashes); options set this way are not.
 */
export function setOptions(context: CodecContext, options: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (context.setOption(name, String(value)) < 0) throw new Error(`codec option ${name} was refused`)
  }
}

/** One stream that is decoded, filtered and, with an encoder, written. */
export class Track {
  readonly stream: Stream
  readonly #decoder: Decoder
  readonly #filter: FilterAPI
  readonly #onFrame: (frame: Frame) => void

  constructor(stream: Stream, opened: Opened, filter: string, onFrame: (frame: Frame) => void) {
    this.stream = stream
    // A damaged packet is skipped, so that a truncated file is used as far as it goes.
    const isVideo = stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO
    this.#decoder = opened.own(
      Decoder.createSync(stream, {
        exitOnError: false,
        threadCount: 1,
        ...(isVideo ? { configure: (context) => setOptions(context, { max_pixels: MOST_VIDEO_PIXELS }) } : {}),
      }),
    )
    this.#filter = opened.own(FilterAPI.create(filter, { threads: 1 }))
    this.#onFrame = onFrame
  }

  get decoder(): Decoder {
    return this.#decoder
  }

  get filter(): FilterAPI {
    return this.#filter
  }

  push(packet: Packet): void {
    this.#take(this.#decoder.decodeAllSync(packet))
  }

  finish(): void {
    this.#take(this.#decoder.decodeAllSync(null))
    for (const frame of this.#filter.flushFramesSync()) this.#give(frame)
  }

  #take(frames: readonly Frame[]): void {
    for (const frame of frames) {
      for (const filtered of this.#filter.processAllSync(frame)) this.#give(filtered)
      frame.free()
    }
  }

  #give(frame: Frame): void {
    this.#onFrame(frame)
    frame.free()
  }
}

/** Feeds all tracks in one pass over the file. */
export async function pump(file: Demuxer, tracks: readonly Track[], isEnough: () => boolean): Promise<void> {
  for (const packet of file.packetsSync()) {
    if (!packet) break
    tracks.find(({ stream }) => stream.index === packet.streamIndex)?.push(packet)
    packet.free()
    if (isEnough()) return
    await turn()
  }
  for (const track of tracks) track.finish()
}

/** Writes the packets of encoders and counts their bytes. */
export class Sink {
  readonly #muxer: Muxer
  sizeBytes = 0

  constructor(muxer: Muxer) {
    this.#muxer = muxer
  }

  /** Whether the result exceeds the ceiling so far that the rest need not be made. */
  isOver(maxBytes: number): boolean {
    return this.sizeBytes > OVERSIZE * maxBytes
  }

  add(encoder: Encoder): (frame: Frame | null) => void {
    const index = this.#muxer.addStream(encoder)
    return (frame) => {
      for (const packet of encoder.encodeAllSync(frame)) {
        this.sizeBytes += packet.size
        this.#muxer.writePacketSync(packet, index)
        packet.free()
      }
    }
  }
}
