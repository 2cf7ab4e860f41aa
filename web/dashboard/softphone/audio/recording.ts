import { FRAME_MS, FRAME_SAMPLES, SOCKET_HZ } from './frame.ts'
import { wavHeader } from './wav.ts'

/** Our choice, in frames (10 s): a part of the recording that leaves the page's memory as a blob. */
const PART_FRAMES = 500
/** Our choice, in frames (1 s): what the microphone is ahead at most; older frames go. */
const MOST_AHEAD_FRAMES = 50

/**
 * Records a call as 16-bit stereo at 48 kHz: mine left, theirs right. Their frames are its clock, because the socket
 * carries exactly the samples of the call's time ([realtime.audio.3]).
 */
export class Recording {
  readonly #said: Int16Array[] = []
  readonly #parts: Blob[] = []
  #part = newPart()
  /** Frames in the part that is being filled. */
  #frames = 0

  /** Its length so far. */
  get ms(): number {
    return (this.#parts.length * PART_FRAMES + this.#frames) * FRAME_MS
  }

  /** Takes a frame of the microphone; nothing comes while it is muted. */
  said(frame: Int16Array): void {
    this.#said.push(frame)
    if (this.#said.length > MOST_AHEAD_FRAMES) this.#said.shift()
  }

  /** Takes a frame of the peer and moves the recording on by its length. */
  heard(theirs: Int16Array): void {
    const mine = this.#said.shift()
    const at = this.#frames * FRAME_SAMPLES * 2
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      this.#part[at + 2 * i] = mine?.[i] ?? 0
      this.#part[at + 2 * i + 1] = theirs[i] ?? 0
    }
    if (++this.#frames === PART_FRAMES) this.#keepPart()
  }

  /** The recording so far as a WAV file. */
  wav(): Blob {
    this.#keepPart()
    const bytes = this.#parts.reduce((sum, part) => sum + part.size, 0)
    return new Blob([wavHeader(SOCKET_HZ, bytes), ...this.#parts], { type: 'audio/wav' })
  }

  #keepPart(): void {
    this.#parts.push(new Blob([this.#part.subarray(0, this.#frames * FRAME_SAMPLES * 2)]))
    this.#part = newPart()
    this.#frames = 0
  }
}

function newPart(): Int16Array<ArrayBuffer> {
  return new Int16Array(PART_FRAMES * FRAME_SAMPLES * 2)
}
