import type { RateHz } from './frame.ts'
import { IncomingSource } from './incoming-source.ts'
import type { HeardSlot } from './incoming-source.ts'
import type { JitterStats, RtpAudio } from './jitter.ts'
import type { OpusCodec } from './opus.ts'
import type { HeardPacket } from './packet-feed.ts'
import { ramp } from './pcm.ts'

/**
 * Our choice: most sources decoded at once. There are two while one follows another. Each costs a decoder for each
 * rate.
 */
const MAX_SOURCES = 3
/** Our choice: a source is over after 2 s without a packet, or after 200 ms when its place is wanted. */
const OVER_SLOTS = 100
const REPLACEABLE_SLOTS = 10

/** Counts that are summed over all sources. */
const COUNTS = ['received', 'lost', 'late', 'concealedMs', 'fecRecovered', 'adjusted'] as const

/**
 * The peer's audio: packets in, and for each call of `receive` exactly one slot of samples out, at every rate wanted.
 * The peer may have several sources at once, as during a transfer; of those that speak the newest is heard.
 */
export class IncomingAudio {
  readonly #codec: OpusCodec
  /** The sources in the order they began. The first exists before its packets, so that its decoder does too. */
  #sources: IncomingSource[]
  #heard: IncomingSource
  /** The last packet of an unknown source; null without one. */
  #stranger: RtpAudio | null = null
  /** Counts of sources that are over. */
  #gone: JitterStats[] = []

  constructor(codec: OpusCodec) {
    this.#codec = codec
    this.#heard = new IncomingSource(codec)
    this.#sources = [this.#heard]
  }

  /** Takes an audio packet. */
  push(packet: RtpAudio): void {
    const known = this.#find(packet.ssrc)
    if (known) return known.push(packet)
    if (this.#heard.ssrc === null) return this.#heard.push(packet)
    this.#getToKnow(packet)
  }

  /** Notes a packet of a source that carries no audio. */
  skip(ssrc: number, sequence: number): void {
    this.#find(ssrc)?.skip(sequence)
  }

  /**
   * The samples of one slot at each rate, rate/50 of them. Without rates the time passes and nothing is decoded.
   * `packets` gets what is played in the slot as it came; null when nobody wants it. `mayCut`: see Leg.receive.
   */
  receive(ratesHz: readonly RateHz[], packets: HeardPacket[] | null = null, mayCut = false): Int16Array[] {
    if (this.#sources.length === 1) return this.#heard.receive(ratesHz, packets, mayCut)
    const slots = new Map(
      this.#sources.map((source) => {
        const own: HeardPacket[] | null = packets && []
        return [source, { frames: source.receive(ratesHz, own, mayCut), packets: own ?? [] }]
      }),
    )
    const former = this.#heard
    this.#heard = this.#choose()
    const { frames, packets: heard } = slots.get(this.#heard) ?? { frames: [], packets: [] }
    packets?.push(...heard)
    if (this.#heard !== former) fade(slots.get(former)?.frames ?? [], frames)
    this.#end((source) => source.idleSlots >= OVER_SLOTS)
    return frames
  }

  /** The packets of the slot that was received last, of the source that is heard. */
  slot(): HeardSlot {
    return this.#heard.slot()
  }

  stats(): JitterStats {
    const all = [...this.#gone, ...this.#sources.map((source) => source.stats())]
    return { ...this.#heard.stats(), ...sumOf(all) }
  }

  /** Frees the decoders. Idempotent. */
  close(): void {
    for (const source of this.#sources) source.close()
  }

  #find(ssrc: number): IncomingSource | undefined {
    return this.#sources.find((source) => source.ssrc === ssrc)
  }

  /** RFC 3550 appendix A.1: a source is accepted after two packets in a row. */
  #getToKnow(packet: RtpAudio): void {
    const first = this.#stranger
    this.#stranger = packet
    if (first?.ssrc !== packet.ssrc || ((first.sequence + 1) & 0xffff) !== packet.sequence) return
    if (this.#sources.length >= MAX_SOURCES) this.#end((source) => source.idleSlots >= REPLACEABLE_SLOTS)
    if (this.#sources.length >= MAX_SOURCES) return
    this.#stranger = null
    const source = new IncomingSource(this.#codec)
    this.#sources.push(source)
    source.push(first)
    source.push(packet)
  }

  #choose(): IncomingSource {
    const speaking = this.#sources.findLast((source) => source.isSpeaking)
    if (speaking || this.#heard.isPlaying) return speaking ?? this.#heard
    return this.#sources.findLast((source) => source.isPlaying) ?? this.#heard
  }

  /** Ends sources that are over, but never the one that is heard. */
  #end(isOver: (source: IncomingSource) => boolean): void {
    const over = this.#sources.filter((source) => source !== this.#heard && isOver(source))
    if (over.length === 0) return
    this.#sources = this.#sources.filter((source) => !over.includes(source))
    for (const source of over) source.close()
    const { jitterMs } = this.#heard.stats()
    this.#gone = [{ jitterMs, ...sumOf([...this.#gone, ...over.map((source) => source.stats())]) }]
  }
}

function sumOf(all: readonly JitterStats[]): Omit<JitterStats, 'jitterMs'> {
  const sum = { received: 0, lost: 0, late: 0, concealedMs: 0, fecRecovered: 0, adjusted: 0 }
  for (const stats of all) for (const count of COUNTS) sum[count] += stats[count]
  return sum
}

/** Fades from one source to another within the slot, so that it does not click; `to` becomes the result. */
function fade(from: readonly Int16Array[], to: readonly Int16Array[]): void {
  for (const [index, samples] of to.entries()) {
    const before = from[index]
    if (!before) continue
    ramp(before, 1, 0)
    ramp(samples, 0, 1)
    for (let i = 0; i < samples.length; i++) samples[i] = (samples[i] ?? 0) + (before[i] ?? 0)
  }
}
