import { OPUS_CLOCK_HZ, openOpusReader, packetSamples, type OpusReader } from './phone-opus.ts'
import { Spectrum } from './phone-spectrum.ts'
import { toWav } from './phone-wav.ts'

const MEASURE_RATE_HZ = 16_000
/** Four windows of the transform: 1.02 s. */
const LATEST_SAMPLES = 16_384
const SAMPLES_PER_MS = OPUS_CLOCK_HZ / 1_000
const FULL_SCALE = 32_768
/** -60 dBFS: what is quieter is the noise floor of a codec, not sound. */
const SILENT_RMS = 0.001
/** A gap is longer than one packet, 20 ms. */
const GAP_MS = 20
/** our choice: silence of over a second is a pause between utterances, not a hole in one. */
const PAUSE_MS = 1_000
/** our choice: a phone plays 120 ms late, so a packet counts as missing only when it is later than that. */
const PLAYOUT_MS = 120
/** A jump of the RTP timestamp beyond this is a new start of the sender, not a gap. */
const RESTART_MS = 10_000
/** 10 minutes are kept for the recording and the levels. */
const MAX_KEPT_MS = 600_000
/** Kept packets are decoded this many at a time, about 5 ms of work, so that other calls keep their clock. */
const DECODE_BATCH = 200

export interface Gap {
  /** Place on the phone's own time line: ms of playing since the first packet. */
  readonly atMs: number
  readonly ms: number
  /** `packets`: no packet came, or it came too late. `silence`: packets came without sound in them. */
  readonly kind: 'packets' | 'silence'
}

/** Measure of a stretch of audio. Levels are RMS, 0 to 1 of full scale. */
export interface Measure {
  readonly ms: number
  /**
   * Level over the packets with sound in them, so that the silence around speech does not count; 0 when all was silent.
   */
  readonly rms: number
  /** The strongest frequency: of the whole stretch, or of the last second of sound for a whole call. */
  readonly dominantHz: number | null
}

export interface Heard extends Measure {
  readonly gaps: readonly Gap[]
  readonly packets: number
  /** Ms since the epoch at which packets arrived; null before the first. */
  readonly firstPacketAt: number | null
  readonly firstSoundAt: number | null
  readonly lastPacketAt: number | null
  readonly lastSoundAt: number | null
}

/** One packet as it arrived. */
export interface Level {
  /** Ms since the epoch. */
  readonly atMs: number
  readonly ms: number
  readonly rms: number
}

interface Kept extends Level {
  readonly playedAtMs: number
  readonly payload: Uint8Array
}

export interface Arrival {
  readonly payload: Uint8Array
  /** RTP timestamp, 32 bits, at 48 kHz. */
  readonly timestamp: number
  /** Ms since the epoch, for reports. */
  readonly nowMs: number
  /** Monotonic ms, for gaps. */
  readonly monotonicMs: number
}

function rmsOf(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length) / FULL_SCALE
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/** Adds up the levels of packets. */
class Meter {
  #ms = 0
  #soundMs = 0
  #power = 0

  add(rms: number, ms: number): void {
    this.#ms += ms
    if (rms < SILENT_RMS) return
    this.#soundMs += ms
    this.#power += rms * rms * ms
  }

  measure(): Omit<Measure, 'dominantHz'> {
    return { ms: Math.round(this.#ms), rms: this.#soundMs === 0 ? 0 : round(Math.sqrt(this.#power / this.#soundMs)) }
  }
}

/** Keeps the last second of sound, so that no transform is computed until somebody asks. */
class LatestSound {
  #packets: Int16Array[] = []
  #samples = 0

  add(samples: Int16Array): void {
    this.#packets.push(samples)
    this.#samples += samples.length
    const oldest = this.#packets[0]?.length ?? 0
    if (this.#samples - oldest < LATEST_SAMPLES) return
    this.#packets.shift()
    this.#samples -= oldest
  }

  dominantHz(): number | null {
    return dominantHzOf(this.#packets)
  }
}

function dominantHzOf(parts: readonly Int16Array[]): number | null {
  const spectrum = new Spectrum(MEASURE_RATE_HZ)
  for (const samples of parts) spectrum.add(samples)
  return spectrum.dominantHz()
}

/** Places packets on the phone's time line and notices what is missing there. */
class Timeline {
  readonly gaps: Gap[] = []
  #previousTimestamp = 0
  /** RTP time since the first packet, in ms, unwrapped. */
  #rtpMs = 0
  #expectedRtpMs = 0
  /** Monotonic time at which RTP time 0 is played; null before the first packet. */
  #playBaseMs: number | null = null
  #firstPlayMs = 0
  #silence: { atMs: number; ms: number } | null = null
  #isAfterDigit = false

  /** When the packet is played, in ms since the first, or null when it comes too late. */
  place(arrival: Arrival, ms: number): number | null {
    if (this.#playBaseMs === null) this.#begin(arrival)
    const stepMs = ((arrival.timestamp - this.#previousTimestamp) | 0) / SAMPLES_PER_MS
    const isRepeated = stepMs === 0 && this.#expectedRtpMs > 0
    if (isRepeated || (stepMs < 0 && stepMs > -RESTART_MS)) return null
    this.#previousTimestamp = arrival.timestamp
    this.#rtpMs = Math.abs(stepMs) > RESTART_MS ? this.#expectedRtpMs : this.#rtpMs + stepMs
    const base = this.#playBaseMs ?? 0
    const skippedMs = this.#rtpMs - this.#expectedRtpMs
    const lateMs = Math.max(0, arrival.monotonicMs - (base + this.#rtpMs))
    const endedAtMs = base + this.#expectedRtpMs - this.#firstPlayMs
    this.#playBaseMs = base + lateMs
    this.#expectedRtpMs = this.#rtpMs + ms
    if (skippedMs + lateMs > GAP_MS && !this.#isAfterDigit) this.#addGap(endedAtMs, skippedMs + lateMs, 'packets')
    this.#isAfterDigit = false
    return this.#playBaseMs + this.#rtpMs - this.#firstPlayMs
  }

  /** Notes a digit, which replaces audio, so that missing packets beside it are no gap. */
  passDigit(): void {
    this.#isAfterDigit = true
  }

  /** Watches for holes of silence between sounds. */
  hear(playedAtMs: number, ms: number, isSilent: boolean, hasSounded: boolean): void {
    if (isSilent) {
      if (this.#silence) this.#silence.ms += ms
      else if (hasSounded) this.#silence = { atMs: playedAtMs, ms }
      return
    }
    const silence = this.#silence
    this.#silence = null
    if (silence && silence.ms > GAP_MS && silence.ms <= PAUSE_MS) this.#addGap(silence.atMs, silence.ms, 'silence')
  }

  #begin(arrival: Arrival): void {
    this.#previousTimestamp = arrival.timestamp
    this.#playBaseMs = arrival.monotonicMs + PLAYOUT_MS
    this.#firstPlayMs = this.#playBaseMs
  }

  #addGap(atMs: number, ms: number, kind: Gap['kind']): void {
    this.gaps.push({ atMs: Math.round(atMs), ms: Math.round(ms), kind })
  }
}

/** Decodes kept packets with a decoder of their own, in batches. */
async function decodeAll(
  kept: readonly Kept[],
  rateHz: 16_000 | 48_000,
  take: (samples: Int16Array, packet: Kept, index: number) => void,
): Promise<void> {
  const reader = await openOpusReader(rateHz)
  try {
    for (const [index, packet] of kept.entries()) {
      const samples = reader.decode(packet.payload)
      if (samples) take(samples, packet, index)
      if (index % DECODE_BATCH === DECODE_BATCH - 1) await new Promise(setImmediate)
    }
  } finally {
    reader.close()
  }
}

/** Listens to one stream: measures it as it comes, and keeps its packets for the recording. */
export class Ear {
  readonly #reader: OpusReader
  readonly #meter = new Meter()
  readonly #latest = new LatestSound()
  readonly #timeline = new Timeline()
  #kept: Kept[] = []
  #keptMs = 0
  #packets = 0
  #firstPacketAt: number | null = null
  #firstSoundAt: number | null = null
  #lastPacketAt: number | null = null
  #lastSoundAt: number | null = null

  constructor(reader: OpusReader) {
    this.#reader = reader
  }

  /** Opens a decoder of its own, which `close` frees. */
  static async open(): Promise<Ear> {
    return new Ear(await openOpusReader(MEASURE_RATE_HZ))
  }

  /** Stops hearing; what was heard stays. Idempotent. */
  close(): void {
    this.#reader.close()
  }

  /** Answers whether the packet was silent, or null when it was no audio or too late. */
  hear(arrival: Arrival): boolean | null {
    const ms = packetSamples(arrival.payload) / SAMPLES_PER_MS
    const samples = this.#reader.decode(arrival.payload)
    const playedAtMs = samples ? this.#timeline.place(arrival, ms) : null
    if (!samples || playedAtMs === null) return null
    const rms = rmsOf(samples)
    const isSilent = rms < SILENT_RMS
    this.#timeline.hear(playedAtMs, ms, isSilent, this.#lastSoundAt !== null)
    this.#meter.add(rms, ms)
    if (!isSilent) this.#latest.add(samples)
    this.#note(arrival.nowMs, isSilent)
    this.#keep({ atMs: arrival.nowMs, ms, rms, playedAtMs, payload: arrival.payload })
    return isSilent
  }

  passDigit(): void {
    this.#timeline.passDigit()
  }

  /** The measure of the whole call so far. */
  heard(): Heard {
    return { ...this.#meter.measure(), dominantHz: this.#latest.dominantHz(), ...this.#times() }
  }

  /** The audio that arrived from `fromMs` (epoch) on. */
  async measureSince(fromMs: number): Promise<Measure> {
    const first = this.#kept.findIndex((packet) => packet.atMs >= fromMs)
    if (first < 0) return { ms: 0, rms: 0, dominantHz: null }
    const meter = new Meter()
    const sounds: Int16Array[] = []
    const wanted = this.#kept.slice(first)
    // A decoder needs a few packets until it is in step with a running stream.
    const before = this.#kept.slice(Math.max(0, first - 5), first)
    await decodeAll([...before, ...wanted], MEASURE_RATE_HZ, (samples, packet, index) => {
      if (index < before.length) return
      meter.add(packet.rms, packet.ms)
      if (packet.rms >= SILENT_RMS) sounds.push(samples)
    })
    return { ...meter.measure(), dominantHz: dominantHzOf(sounds) }
  }

  /** Packets that arrived from `fromMs` (epoch) on. */
  levels(fromMs: number): Level[] {
    return this.#kept
      .filter((packet) => packet.atMs >= fromMs)
      .map(({ atMs, ms, rms }) => ({ atMs, ms, rms: round(rms) }))
  }

  /** What the phone played, as a WAV file of 48 kHz mono: gaps are silence in it. */
  async recording(): Promise<Buffer> {
    const kept = [...this.#kept]
    const [first, last] = [kept[0], kept.at(-1)]
    if (!first || !last) return toWav(new Int16Array(), OPUS_CLOCK_HZ)
    const lengthMs = Math.min(MAX_KEPT_MS, last.playedAtMs + last.ms - first.playedAtMs)
    const samples = new Int16Array(Math.ceil(lengthMs * SAMPLES_PER_MS))
    await decodeAll(kept, OPUS_CLOCK_HZ, (decoded, packet) => {
      const at = Math.round((packet.playedAtMs - first.playedAtMs) * SAMPLES_PER_MS)
      if (at < samples.length) samples.set(decoded.subarray(0, samples.length - at), at)
    })
    return toWav(samples, OPUS_CLOCK_HZ)
  }

  #times(): Omit<Heard, keyof Measure> {
    return {
      gaps: this.#timeline.gaps,
      packets: this.#packets,
      firstPacketAt: this.#firstPacketAt,
      firstSoundAt: this.#firstSoundAt,
      lastPacketAt: this.#lastPacketAt,
      lastSoundAt: this.#lastSoundAt,
    }
  }

  #note(nowMs: number, isSilent: boolean): void {
    this.#packets++
    this.#firstPacketAt ??= nowMs
    this.#lastPacketAt = nowMs
    if (isSilent) return
    this.#firstSoundAt ??= nowMs
    this.#lastSoundAt = nowMs
  }

  #keep(packet: Kept): void {
    this.#kept.push(packet)
    this.#keptMs += packet.ms
    while (this.#keptMs > MAX_KEPT_MS) this.#keptMs -= this.#kept.shift()?.ms ?? MAX_KEPT_MS
  }
}
