import type { Voice } from './behaviours.ts'
import { FRAME_SAMPLES, packetSamples, type Sounds } from './phone-opus.ts'

/** our choice: an echo starts 80 ms behind, which bridges the stalls of two programs on a busy machine. */
const PREBUFFER_SAMPLES = 4 * FRAME_SAMPLES
/**
 * Up to two missing packets are replaced by the last one, which a decoder plays without a click; then silence follows.
 */
const MAX_REPEATS = 2
/**
 * Above this an echo drops silent packets, and above the second limit any packets, to stay close behind the speaker.
 */
const RELAXED_SAMPLES = 6 * FRAME_SAMPLES
const MAX_SAMPLES = 15 * FRAME_SAMPLES

export interface SpokenPacket {
  readonly payload: Uint8Array
  /** Length at 48 kHz. */
  readonly samples: number
}

/** What a phone says, slot by slot. */
export interface Mouth {
  /** Packets to send in this slot of 20 ms; none when the phone says nothing or a longer packet still lasts. */
  next(): readonly SpokenPacket[]
  /** An echoing phone repeats what it hears. */
  hear(payload: Uint8Array, isSilent: boolean): void
}

/** Repeats a list of ready packets for ever. */
function loop(packets: readonly Uint8Array[]): Mouth {
  let index = 0
  return {
    next() {
      const payload = packets[index++ % packets.length]
      return payload ? [{ payload, samples: FRAME_SAMPLES }] : []
    },
    hear() {},
  }
}

/** Sends the packets it hears again, on its own clock: level and frequency stay exactly as they were. */
class Echo implements Mouth {
  readonly #silence: Uint8Array
  #queue: (SpokenPacket & { readonly isSilent: boolean })[] = []
  #queuedSamples = 0
  #isFilling = true
  #last: SpokenPacket | null = null
  #repeats = 0
  /** Time not yet covered by packets, in samples; negative while a longer packet lasts. */
  #owedSamples = 0

  constructor(silence: Uint8Array) {
    this.#silence = silence
  }

  hear(payload: Uint8Array, isSilent: boolean): void {
    const samples = packetSamples(payload)
    if (samples === 0) return
    this.#queue.push({ payload, samples, isSilent })
    this.#queuedSamples += samples
    if (this.#queuedSamples >= PREBUFFER_SAMPLES) this.#isFilling = false
    if (this.#queuedSamples > RELAXED_SAMPLES) this.#shorten()
  }

  next(): SpokenPacket[] {
    this.#owedSamples += FRAME_SAMPLES
    const spoken: SpokenPacket[] = []
    while (this.#owedSamples > 0) {
      const packet = this.#take()
      this.#owedSamples -= packet.samples
      spoken.push(packet)
    }
    return spoken
  }

  #take(): SpokenPacket {
    const packet = this.#isFilling ? undefined : this.#queue.shift()
    if (!packet) return this.#cover()
    this.#queuedSamples -= packet.samples
    this.#last = packet
    this.#repeats = 0
    return packet
  }

  #cover(): SpokenPacket {
    if (this.#last && this.#repeats++ < MAX_REPEATS) return this.#last
    return { payload: this.#silence, samples: FRAME_SAMPLES }
  }

  #shorten(): void {
    const silent = this.#queue.findIndex((packet) => packet.isSilent)
    const index = silent >= 0 ? silent : this.#queuedSamples > MAX_SAMPLES ? 0 : -1
    const [dropped] = index >= 0 ? this.#queue.splice(index, 1) : []
    this.#queuedSamples -= dropped?.samples ?? 0
  }
}

/** Makes the mouth for a voice; null for `none`, which says nothing. */
export function createMouth(voice: Voice, sounds: Sounds): Mouth | null {
  switch (voice) {
    case 'echo':
      return new Echo(sounds.silence)
    case 'tone':
      return loop(sounds.tone)
    case 'silence':
      return loop([sounds.silence])
    case 'none':
      return null
  }
}
