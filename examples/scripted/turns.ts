/** Tells when somebody speaks, by loudness alone. Pure: time is what was heard. */

/** our choices, in ms: as hasty and as patient as the voice detection of realtime models is by default. */
const FRAME_MS = 20
const STARTS_AFTER_MS = 60
const STOPS_AFTER_MS = 500
/** our choice: what was said right before it was taken for speech belongs to it. */
const BEFORE_MS = 300
/** our choice: root mean square of a frame that is speech, of 32,767: -36 dBFS. */
const LOUD = 500

export type Turn =
  | { readonly is: 'started'; readonly atMs: number }
  /** `said` is the turn as PCM16, without the silence behind it. */
  | { readonly is: 'stopped'; readonly atMs: number; readonly said: Int16Array }

function levelOf(frame: readonly number[]): number {
  return Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length)
}

/** Turns of one speaker. */
export class Turns {
  readonly #rateHz: number
  #rest: number[] = []
  #kept: number[][] = []
  #heardMs = 0
  /** Ms of speech in a row while nobody speaks, of silence in a row while somebody does. */
  #otherMs = 0
  #isSpeaking = false

  constructor(rateHz: number) {
    this.#rateHz = rateHz
  }

  get isSpeaking(): boolean {
    return this.#isSpeaking
  }

  /** Hears PCM16 of any length; answers what began and ended in it. */
  hear(samples: Int16Array): Turn[] {
    this.#rest.push(...samples)
    const length = (this.#rateHz * FRAME_MS) / 1000
    const turns: Turn[] = []
    while (this.#rest.length >= length) {
      const turn = this.#frame(this.#rest.splice(0, length))
      if (turn) turns.push(turn)
    }
    return turns
  }

  #frame(frame: number[]): Turn | null {
    this.#heardMs += FRAME_MS
    this.#kept.push(frame)
    if (!this.#isSpeaking && this.#kept.length > (BEFORE_MS + STARTS_AFTER_MS) / FRAME_MS) this.#kept.shift()
    const isOther = levelOf(frame) > LOUD !== this.#isSpeaking
    this.#otherMs = isOther ? this.#otherMs + FRAME_MS : 0
    if (this.#otherMs < (this.#isSpeaking ? STOPS_AFTER_MS : STARTS_AFTER_MS)) return null
    this.#otherMs = 0
    this.#isSpeaking = !this.#isSpeaking
    return this.#isSpeaking ? { is: 'started', atMs: this.#heardMs - STARTS_AFTER_MS } : this.#stopped()
  }

  #stopped(): Turn {
    const said = Int16Array.from(this.#kept.slice(0, -STOPS_AFTER_MS / FRAME_MS).flat())
    this.#kept = []
    return { is: 'stopped', atMs: this.#heardMs - STOPS_AFTER_MS, said }
  }
}
