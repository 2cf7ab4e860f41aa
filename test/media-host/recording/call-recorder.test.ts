import { setImmediate as nextTurn } from 'node:timers/promises'
import test from 'ava'
import { HELD } from '../../../media-host/audio/frame.ts'
import type { RateHz } from '../../../media-host/audio/frame.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import type { RtpOut } from '../../../media-host/audio/outgoing-audio.ts'
import type { OutgoingFrame } from '../../../media-host/audio/frame.ts'
import { CallLeg } from '../../../media-host/legs/call-leg.ts'
import { LegAudio } from '../../../media-host/legs/leg-audio.ts'
import type { LegKind } from '../../../media-host/legs/leg.ts'
import type { TransportEvents } from '../../../media-host/legs/transport.ts'
import { CallRecorder, MAX_SLOTS } from '../../../media-host/recording/call-recorder.ts'
import type { RecordingSink } from '../../../media-host/recording/call-recorder.ts'
import { newId } from '../../../src/domain/ids.ts'
import { rmsOf, toneSource } from '../../helpers/audio-signal.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { ManualMediaClock, ScriptedLeg } from '../../helpers/media-host-rig.ts'
import { opusTone } from '../../helpers/ogg-files.ts'
import { DECODED_HZ, decodeChannel, readRecording } from '../../helpers/recording-reader.ts'
import { silentLog } from '../../helpers/silent.ts'

const TYPES = { opus: 111, event: null, eventClocks: new Map(), isPeerSilent: false }
const SILENCE: OutgoingFrame = { kind: 'silence' }
const opus = await loadOpus()
const SILENT = opus.silence(16_000)
const [, , , BEEP = SILENT] = opusTone({ hz: 600, seconds: 0.1 })

class MemorySink implements RecordingSink {
  readonly parts: Uint8Array[] = []
  isWhole = true

  write(bytes: Uint8Array): void {
    this.parts.push(bytes)
  }

  get bytes(): Buffer {
    return Buffer.concat(this.parts)
  }
}

/** A call over a transport of which the test hands in the packets, and that is recorded. */
class RecordedCall {
  readonly clock = new FakeClock()
  readonly mediaClock = new ManualMediaClock()
  readonly sink = new MemorySink()
  readonly recorder = new CallRecorder(opus, this.sink)
  readonly sent: RtpOut[] = []
  readonly leg: CallLeg
  rates: RateHz[] = []
  own: OutgoingFrame = SILENCE
  onHeard: (samples: Int16Array) => void = () => {}
  transport!: TransportEvents
  #sequence = 0

  constructor() {
    const legs = {
      webrtc: (events: ConstructorParameters<typeof LegAudio>[1]) =>
        new LegAudio(opus, events, (transport) => {
          this.transport = transport
          return {
            isOpen: true,
            offer: async () => (transport.agreed(TYPES), ''),
            answer: async () => '',
            connect: async () => {},
            update: () => transport.agreed(TYPES),
            send: (packet) => void this.sent.push(packet),
            report() {},
            close() {},
          }
        }),
      pcm16: (events: ConstructorParameters<typeof ScriptedLeg>[0]) => new ScriptedLeg(events),
    }
    const { clock, mediaClock } = this
    const audience = {
      rates: () => this.rates,
      hear: (_: RateHz, heard: Int16Array) => this.onHeard(heard),
      wantsPackets: false,
      hearPackets() {},
      digit() {},
    }
    const source = { take: () => this.own, sent() {} }
    this.leg = new CallLeg(newId('call'), source, audience, { clock, mediaClock, legs, log: silentLog, emit() {} })
    this.leg.tap = this.recorder
  }

  async open(kind: LegKind = 'webrtc'): Promise<this> {
    await this.leg.offer(kind)
    this.leg.begin()
    return this
  }

  /** A packet of the peer arrives; `lost` ones only take their number. */
  hear(payload: Uint8Array, timestamp: number, arrivedMs: number, isLost = false): void {
    const sequence = this.#sequence++ & 0xffff
    if (!isLost) this.transport.packet({ ssrc: 9, payloadType: 111, sequence, timestamp, payload, arrivedMs })
  }

  end() {
    this.recorder.end()
    this.leg.close()
    return readRecording(this.sink.bytes)
  }
}

/** [voice.recordings.7] */
test('over 10 minutes both channels stay in step, with a peer whose clock is off, that is late and that is lost', async (t) => {
  const call = await new RecordedCall().open()
  call.rates = [8_000]
  const slots = 30_000
  const heardAt: number[] = []
  const saidAt: number[] = []
  let slot = 0
  call.onHeard = (samples) => {
    if (rmsOf(samples) > 1_000) heardAt.push(slot)
  }
  // 300 ppm fast: a packet more in 66 s.
  const packetMs = 20 / 1.0003
  let packet = 0
  for (; slot < slots; slot++) {
    const nowMs = slot * 20
    for (; packet * packetMs <= nowMs; packet++) {
      const isBeep = packet % 50 === 20
      const lateMs = packet % 7 === 3 ? 15 : 0
      call.hear(isBeep ? BEEP : SILENT, packet * 960, nowMs + lateMs, packet % 50 < 10 && packet % 9 === 0)
    }
    call.own = slot % 50 === 5 ? { kind: 'opus', packet: BEEP } : SILENCE
    if (slot % 50 === 5) saidAt.push(slot)
    call.mediaClock.tick()
    // The listener's decoder opens within a turn of the event loop.
    if (slot === 0) await nextTurn()
  }
  const { left, right, pages, isEnded } = call.end()
  t.deepEqual([left.length, right.length, isEnded], [slots, slots, true])
  t.true(
    pages.every((packets) => packets <= 50),
    'a page a second at least',
  )
  const beepsOf = (channel: readonly Uint8Array[]) =>
    channel.flatMap((one, at) => (Buffer.compare(one, BEEP) === 0 ? [at] : []))
  t.deepEqual(beepsOf(right), saidAt)
  const beeps = beepsOf(left)
  // A beep is heard in the slot that it is recorded in, or rings on into the next.
  const offMs = beeps.map((at) => Math.min(...heardAt.map((heard) => Math.abs(heard - at))) * 20)
  t.true(beeps.length > 590, `${beeps.length} beeps of 600`)
  t.true(Math.max(...offMs.slice(-20)) <= 40, `off by ${Math.max(...offMs.slice(-20))} ms at the end`)
  t.true(Math.max(...offMs) <= 40, `off by ${Math.max(...offMs)} ms`)
})

test('what is muted is silent, and so is a call whose leg is gone', async (t) => {
  const call = await new RecordedCall().open()
  const tone = toneSource(16_000, 700)
  for (let slot = 0; slot < 150; slot++) {
    call.leg.isMuted = slot >= 50 && slot < 100
    call.own = { kind: 'pcm', samples: tone(320), rateHz: 16_000 }
    call.hear(SILENT, slot * 960, slot * 20)
    call.mediaClock.tick()
  }
  call.transport.lost('gone')
  call.mediaClock.tick(50)
  const { left, right } = call.end()
  t.is(left.length, 200)
  const heard = await decodeChannel(right)
  const levelOf = (from: number, to: number) => rmsOf(heard.subarray((from * DECODED_HZ) / 50, (to * DECODED_HZ) / 50))
  t.true(levelOf(5, 50) > 3_000)
  t.true(levelOf(65, 100) < 20)
  t.true(levelOf(105, 150) > 3_000)
  t.true(levelOf(165, 200) < 20)
})

test('our packets are kept as the peer gets them, and nothing is coded twice', async (t) => {
  const call = await new RecordedCall().open()
  const tone = toneSource(16_000, 700)
  call.hear(BEEP, 0, 0)
  for (let slot = 0; slot < 30; slot++) {
    call.own = { kind: 'pcm', samples: tone(320), rateHz: 16_000 }
    call.mediaClock.tick()
  }
  const { right } = call.end()
  t.deepEqual(
    right.map((packet) => Buffer.from(packet).toString('hex')),
    call.sent.map(({ payload }) => Buffer.from(payload).toString('hex')),
  )
})

test('slots that a stalled process missed are silent on our side and keep their time', async (t) => {
  const call = await new RecordedCall().open()
  call.hear(SILENT, 0, 0)
  call.own = { kind: 'opus', packet: BEEP }
  call.mediaClock.tick(2)
  call.mediaClock.tick(1, 60)
  const { left, right } = call.end()
  t.deepEqual([left.length, right.length], [62, 62])
  t.deepEqual(
    right.flatMap((packet, at) => (Buffer.compare(packet, BEEP) === 0 ? [at] : [])),
    [0, 1, 61],
  )
})

test('a peer whose frames last longer than 20 ms is coded from then on', async (t) => {
  const call = await new RecordedCall().open()
  const long = opusTone({ hz: 500, seconds: 6, packetMs: 60, bitrate: 12_000, application: 'voip' })
  const config = (long[0]?.[0] ?? 0) >> 3
  t.true(config < 12 && (config & 3) === 3, 'the encoder makes frames of 60 ms')
  for (let slot = 0; slot < 300; slot++) {
    if (slot % 3 === 0) call.hear(long[slot / 3] ?? SILENT, slot * 960, slot * 20)
    call.mediaClock.tick()
    // The decoder that it takes opens within a turn of the event loop.
    if (slot === 10) await nextTurn()
  }
  const { left } = call.end()
  t.is(left.length, 300)
  t.true(rmsOf((await decodeChannel(left)).subarray(DECODED_HZ)) > 2_000)
})

test('a packet of ours that lasts longer than a slot fills the slots that it lasts', async (t) => {
  const call = await new RecordedCall().open()
  const packets = [
    ...opusTone({ hz: 500, seconds: 1.2, packetMs: 60 }),
    ...opusTone({ hz: 500, seconds: 1.2, packetMs: 60, bitrate: 12_000, application: 'voip' }),
  ]
  for (let slot = 0; slot < packets.length * 3; slot++) {
    const packet = packets[slot / 3]
    call.own = packet ? { kind: 'opus', packet } : HELD
    call.hear(SILENT, slot * 960, slot * 20)
    call.mediaClock.tick()
    // The decoder of what cannot be cut opens within a turn of the event loop.
    if (slot === 61) await nextTurn()
  }
  const heard = await decodeChannel(call.end().right)
  for (const [from, to] of [
    [2, 60],
    [70, 120],
  ] as const)
    for (let slot = from; slot < to; slot++)
      t.true(rmsOf(heard.subarray((slot * DECODED_HZ) / 50, ((slot + 1) * DECODED_HZ) / 50)) > 2_000, `slot ${slot}`)
})

test('a leg of samples is coded, once a side, at a rate that somebody listens at', async (t) => {
  const call = await new RecordedCall().open('pcm16')
  call.rates = [8_000]
  const tone = toneSource(24_000, 700)
  for (let slot = 0; slot < 100; slot++) {
    call.own = { kind: 'pcm', samples: tone(480), rateHz: 24_000 }
    call.mediaClock.tick()
  }
  const { left, right } = call.end()
  t.is(left.length, 100)
  t.true(left.every((packet, at) => at < 10 || Buffer.compare(packet, SILENT) !== 0))
  t.true(rmsOf(await decodeChannel(right)) > 3_000)
})

test('a recording that fails takes nothing else with it', async (t) => {
  const call = await new RecordedCall().open()
  call.sink.write = () => {
    throw new Error('a fault')
  }
  call.own = { kind: 'opus', packet: BEEP }
  call.hear(SILENT, 0, 0)
  call.mediaClock.tick(100)
  t.is(call.sent.length, 100)
  t.is(call.leg.tap, null)
  t.true(call.leg.isOpen)
})

// [voice.recordings.8]
test('a recording ends at its bound, whole, and the call goes on', async (t) => {
  const call = await new RecordedCall().open()
  for (let slot = 0; slot < MAX_SLOTS + 10; slot++) call.recorder.keep(SILENCE, null)
  t.true(call.recorder.isTooLong)
  const { left, isEnded } = call.end()
  t.deepEqual([left.length, isEnded], [MAX_SLOTS, true])
  call.mediaClock.tick()
  t.true(call.sink.isWhole)
})
