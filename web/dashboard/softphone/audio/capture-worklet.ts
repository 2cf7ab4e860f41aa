/** The audio thread's part of the microphone: sends frames of the socket's rate to the page. */
import { Framer, SOCKET_HZ } from './frame.ts'
import { StreamResampler } from './resampler.ts'
import { CAPTURE } from './worklets.ts'

class Capture extends AudioWorkletProcessor {
  readonly #resampler = new StreamResampler(sampleRate, SOCKET_HZ)
  readonly #framer = new Framer((frame) => this.port.postMessage(frame, [frame.buffer]))
  readonly #take = (value: number): void => this.#framer.take(value)

  override process([input]: Float32Array[][]): boolean {
    const mono = input?.[0]
    if (mono) this.#resampler.run(mono, this.#take)
    return true
  }
}

registerProcessor(CAPTURE, Capture)
