/** The audio thread's part of the loudspeaker: plays the frames that the page sends, and tells how it fares. */
import { PlayedFrames } from './played-frames.ts'
import { PLAYBACK, type PlaybackReport } from './worklets.ts'

/** Our choice: reports a second. */
const REPORTS_PER_SECOND = 4

class Playback extends AudioWorkletProcessor {
  readonly #played = new PlayedFrames(sampleRate)
  #sinceReport = 0

  constructor() {
    super()
    this.port.addEventListener('message', ({ data }: MessageEvent<Int16Array>) => this.#played.ring.put(data))
    this.port.start()
  }

  override process(_inputs: Float32Array[][], [output]: Float32Array[][]): boolean {
    const [first, ...others] = output ?? []
    if (!first) return true
    this.#played.write(first)
    for (const channel of others) channel.set(first)
    this.#sinceReport += first.length
    if (this.#sinceReport >= sampleRate / REPORTS_PER_SECOND) this.#report()
    return true
  }

  #report(): void {
    this.#sinceReport = 0
    const { queuedMs, targetMs, underruns, trimmedMs, lostMs } = this.#played.ring
    this.port.postMessage({ queuedMs, targetMs, underruns, trimmedMs, lostMs } satisfies PlaybackReport, [])
  }
}

registerProcessor(PLAYBACK, Playback)
