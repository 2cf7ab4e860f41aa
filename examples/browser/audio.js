/**
 * Runs on the browser's audio thread, at 16,000 Hz: gives what the microphone hears in messages of 20 ms of PCM16, and
 * plays the PCM16 that it is given.
 */
const FRAME = 320
/** Our choice: sound starts once 100 ms wait, and never waits longer than 500 ms. */
const FIRST = 1_600
const MOST = 8_000

class Line extends AudioWorkletProcessor {
  #spoken = new Int16Array(FRAME)
  #count = 0
  #heard = []
  #isPlaying = false

  constructor() {
    super()
    this.port.onmessage = ({ data }) => {
      this.#heard.push(...new Int16Array(data))
      // What the network held back is not played later and later: the oldest goes.
      this.#heard.splice(0, Math.max(0, this.#heard.length - MOST))
      this.#isPlaying ||= this.#heard.length >= FIRST
    }
  }

  process([[microphone] = []], [[speaker]]) {
    const heard = this.#isPlaying ? this.#heard.splice(0, speaker.length) : []
    if (this.#heard.length === 0) this.#isPlaying = false
    for (let at = 0; at < speaker.length; at++) {
      speaker[at] = (heard[at] ?? 0) / 32_768
      this.#spoken[this.#count++] = Math.max(-1, Math.min(1, microphone?.[at] ?? 0)) * 32_767
      if (this.#count < FRAME) continue
      this.#count = 0
      this.port.postMessage(this.#spoken.slice().buffer)
    }
    return true
  }
}

registerProcessor('line', Line)
