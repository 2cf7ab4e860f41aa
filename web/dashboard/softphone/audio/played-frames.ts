import { FRAME_SAMPLES, SOCKET_HZ } from './frame.ts'
import { PlaybackRing } from './playback-ring.ts'
import { StreamResampler } from './resampler.ts'

const SILENCE = new Int16Array(FRAME_SAMPLES)

/** Turns frames of the socket into blocks at the device's rate, as the audio thread asks for them. */
export class PlayedFrames {
  readonly ring = new PlaybackRing()
  readonly #resampler: StreamResampler
  readonly #values = new Float32Array(FRAME_SAMPLES)
  /** Values at the device's rate that no block has taken yet; a frame makes at most this many. */
  readonly #waiting: Float32Array
  #from = 0
  #to = 0

  constructor(deviceHz: number) {
    this.#resampler = new StreamResampler(SOCKET_HZ, deviceHz)
    this.#waiting = new Float32Array(Math.ceil((FRAME_SAMPLES * deviceHz) / SOCKET_HZ) + 1)
  }

  /** Fills a block of any length. */
  write(block: Float32Array): void {
    for (let i = 0; i < block.length; i++) {
      if (this.#from === this.#to) this.#takeFrame()
      block[i] = this.#waiting[this.#from++] ?? 0
    }
  }

  #takeFrame(): void {
    const frame = this.ring.next() ?? SILENCE
    for (let i = 0; i < FRAME_SAMPLES; i++) this.#values[i] = (frame[i] ?? 0) / 32_768
    this.#from = 0
    this.#to = 0
    this.#resampler.run(this.#values, (value) => {
      this.#waiting[this.#to++] = value
    })
  }
}
