import { setImmediate as nextTurn } from 'node:timers/promises'
import { IncomingAudio } from '../../media-host/audio/incoming-audio.ts'
import type { JitterStats } from '../../media-host/audio/jitter.ts'
import type { OpusCodec, OpusSettings } from '../../media-host/audio/opus.ts'
import { OutgoingAudio } from '../../media-host/audio/outgoing-audio.ts'
import { GOOD_NETWORK, Impairment, type NetworkFaults } from '../../sandbox/devices/impairment.ts'
import { FakeClock } from '../../test/helpers/fake-clock.ts'
import { seeded, SPEECH_RATE_HZ } from './speech.ts'

/** Samples of a slot of 20 ms. */
const SLOT = SPEECH_RATE_HZ / 50
const SLOT_MS = 20
/** Our choice: the host's slots begin in the middle between two packets, so that its wait for them is the mean one. */
const PHASE_MS = 10
/** Our choice: what is still on its way or waits in the buffer comes within a second. */
const AFTER_SLOTS = 50
/** Our choice: what a phone reports goes on for 2 s, as our reports do. */
const REPORT_SLOTS = 100
/** Opus looks at no more than 25 % of loss. */
const MOST_REPORTED_PERCENT = 25

export interface Heard {
  /** What a client of the host hears, from the moment on at which the speaker begins. */
  readonly samples: Int16Array
  readonly stats: JitterStats
}

/** Our choice: what a stock WebRTC end codes a voice with by default, 32 kb/s. */
export const PHONE_OPUS: OpusSettings = { bitrate: 32_000, complexity: 5, fec: false }

/** Codes a slot of what is said. */
export type Sender = (samples: Int16Array) => Uint8Array

/** A phone: an encoder with in-band FEC, made for the share of lost packets that the receiver reports. */
export function phoneSender(codec: OpusCodec, lossPercent: number): Sender {
  const encoder = codec.openEncoder(SPEECH_RATE_HZ)
  encoder.setFec(true, Math.min(MOST_REPORTED_PERCENT, lossPercent))
  return (samples) => encoder.encode(samples).slice()
}

/** The media host, to which the phone reports the loss every 2 s, as the host does. */
export function hostSender(codec: OpusCodec, lossPercent: number): Sender {
  const outgoing = new OutgoingAudio(codec, { sequence: 0, timestamp: 0 })
  let slots = 0
  return (samples) => {
    if (slots++ % REPORT_SLOTS === 0) outgoing.reportLoss(lossPercent / 100)
    const packet = outgoing.next({ kind: 'pcm', rateHz: SPEECH_RATE_HZ, samples }, { opus: 111, event: null })
    return packet?.payload.slice() ?? new Uint8Array()
  }
}

/**
 * Sends speech of 16 kHz through a bad network, and hears it as a client of the media host does: its jitter buffer,
 * decoder, FEC and concealment, on a clock that is moved. Chances are the same for the same seed.
 */
export async function throughNetwork(
  codec: OpusCodec,
  speech: Int16Array,
  { sender, network, seed = 1 }: { sender: Sender; network: Partial<NetworkFaults>; seed?: number },
): Promise<Heard> {
  const clock = new FakeClock()
  const way = new Impairment({
    random: seeded(seed),
    nowMs: () => clock.monotonicMs(),
    after: (ms, run) => void clock.after(ms, run),
  })
  way.set({ ...GOOD_NETWORK, ...network })
  const incoming = await opened(codec)
  const heard: Int16Array[] = []
  for (let slot = 0; (slot + 1) * SLOT <= speech.length + AFTER_SLOTS * SLOT; slot++) {
    // The host plays in the middle of the slot; its packet goes out when all of it was said.
    clock.advance(PHASE_MS)
    heard.push(...incoming.receive([SPEECH_RATE_HZ]))
    clock.advance(SLOT_MS - PHASE_MS)
    const said = speech.subarray(slot * SLOT, (slot + 1) * SLOT)
    if (said.length < SLOT) continue
    const packet = { ssrc: 1, sequence: slot & 0xffff, timestamp: slot * 960, payload: sender(said) }
    way.pass(() => incoming.push({ ...packet, arrivedMs: clock.monotonicMs() }))
  }
  const stats = incoming.stats()
  incoming.close()
  return { samples: joined(heard), stats }
}

/** The receiving end, once its decoder is there. */
async function opened(codec: OpusCodec): Promise<IncomingAudio> {
  const incoming = new IncomingAudio(codec)
  incoming.receive([SPEECH_RATE_HZ])
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  return incoming
}

/** The frames in a row; the first begins PHASE_MS after the speaker does. */
function joined(frames: readonly Int16Array[]): Int16Array {
  const before = (PHASE_MS * SPEECH_RATE_HZ) / 1_000
  const samples = new Int16Array(before + frames.length * SLOT)
  for (const [index, frame] of frames.entries()) samples.set(frame, before + index * SLOT)
  return samples
}
