import { setImmediate as nextTurn } from 'node:timers/promises'
import test from 'ava'
import { HELD } from '../../../media-host/audio/frame.ts'
import type { OutgoingFrame } from '../../../media-host/audio/frame.ts'
import type { HeardPacket } from '../../../media-host/audio/packet-feed.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import type { RtpOut } from '../../../media-host/audio/outgoing-audio.ts'
import { LegAudio } from '../../../media-host/legs/leg-audio.ts'
import { middleOfNtp } from '../../../media-host/legs/rtcp-clock.ts'
import type { AgreedTypes, LegTransport, SenderReport, TransportEvents } from '../../../media-host/legs/transport.ts'
import { dominantHz, gapsIn, joined, rmsOf, toneSource } from '../../helpers/audio-signal.ts'

const SILENCE: OutgoingFrame = { kind: 'silence' }
const TYPES: AgreedTypes = {
  opus: 111,
  event: { type: 110, clockHz: 48_000 },
  eventClocks: new Map([[110, 48_000]]),
  isPeerSilent: false,
}

/** Delivers packets to the other end in memory. Each packet takes one slot of time. */
class MemoryTransport implements LegTransport {
  readonly events: TransportEvents
  readonly reports: SenderReport[] = []
  peer: MemoryTransport | null = null
  isClosed = false
  #ssrc: number
  #arrivedMs = 0

  constructor(ssrc: number, events: TransportEvents) {
    this.#ssrc = ssrc
    this.events = events
  }

  get isOpen(): boolean {
    return this.peer !== null && !this.isClosed
  }

  async offer(): Promise<string> {
    return 'memory offer'
  }

  async answer(offer: string): Promise<string> {
    if (offer !== 'memory offer') throw new Error('no offer')
    this.events.agreed(TYPES)
    return 'memory answer'
  }

  async connect(answer: string): Promise<void> {
    if (answer !== 'memory answer') throw new Error('no answer')
    this.events.agreed(TYPES)
  }

  update(): void {
    this.events.agreed(TYPES)
  }

  send({ payload, payloadType, sequence, timestamp }: RtpOut): void {
    this.#arrivedMs += 20
    this.peer?.events.packet({
      ssrc: this.#ssrc,
      payloadType,
      sequence,
      timestamp,
      payload: payload.slice(),
      arrivedMs: this.#arrivedMs,
    })
  }

  report(report: SenderReport): void {
    this.reports.push(report)
    this.peer?.events.report({ lastReport: middleOfNtp(report.ntp), delay: 0, lost: 0 })
  }

  close(): void {
    this.isClosed = true
  }
}

/** A leg over a transport in memory, with everything that it reported. */
async function memoryLeg(ssrc: number) {
  const digits: string[] = []
  const lost: string[] = []
  const told = { flowing: 0, digits, lost }
  let transport: MemoryTransport | null = null
  const leg = new LegAudio(
    await loadOpus(),
    {
      flowing: () => void told.flowing++,
      digit: (digit) => void digits.push(digit),
      lost: (reason) => void lost.push(reason),
    },
    (events) => (transport = new MemoryTransport(ssrc, events)),
  )
  return { leg, told, transport: transport as unknown as MemoryTransport }
}

async function memoryPair() {
  const caller = await memoryLeg(1)
  const callee = await memoryLeg(2)
  await caller.leg.connect(await callee.leg.answer(await caller.leg.offer()))
  return { caller, callee }
}

function connectWires({ caller, callee }: Awaited<ReturnType<typeof memoryPair>>): void {
  caller.transport.peer = callee.transport
  callee.transport.peer = caller.transport
}

test('a leg on a transport in memory carries audio both ways, at another rate each', async (t) => {
  const pair = await memoryPair()
  connectWires(pair)
  const {
    caller: { leg: caller, told },
    callee: { leg: callee },
  } = pair
  const up = toneSource(16_000, 1_000)
  const down = toneSource(24_000, 600)
  const heardUp: Int16Array[] = []
  const heardDown: Int16Array[] = []
  for (let slot = 0; slot < 120; slot++) {
    caller.send({ kind: 'pcm', samples: up(320), rateHz: 16_000 })
    callee.send({ kind: 'pcm', samples: down(480), rateHz: 24_000 })
    heardUp.push(...callee.receive([8_000]))
    heardDown.push(...caller.receive([48_000]))
    await nextTurn()
  }
  t.is(dominantHz(joined(heardUp.slice(20)), 8_000), 1_000)
  t.is(dominantHz(joined(heardDown.slice(20)), 48_000), 600)
  t.true(Math.abs(rmsOf(joined(heardUp.slice(20))) / (8_000 / Math.SQRT2) - 1) < 0.12)
  t.deepEqual(gapsIn(joined(heardUp.slice(20)), 8_000, 5), [])
  t.is(told.flowing, 1)
  const { sentFrames, lost, rttMs } = caller.stats()
  t.is(sentFrames, 120)
  t.is(callee.stats().receivedFrames, 120)
  t.is(lost, 0)
  t.true(rttMs !== null && rttMs >= 0)
})

// [realtime.opus.2] [realtime.opus.4] [realtime.opus.5]
test('packets of 20, 40 and 60 ms cross a leg as they are, and are decoded only for those who want samples', async (t) => {
  const pair = await memoryPair()
  connectWires(pair)
  const {
    caller: { leg: caller },
    callee: { leg: callee },
  } = pair
  const said = [72, 80, 88].map((toc, n) => Uint8Array.of(toc, n, 1, 2))
  const frames: OutgoingFrame[] = said.flatMap((packet, held) => [
    { kind: 'opus', packet },
    ...Array.from({ length: held }, () => HELD),
  ])
  const heard: HeardPacket[] = []
  const samples: Int16Array[] = []
  for (const frame of [...frames, SILENCE, SILENCE]) {
    caller.send(frame)
    samples.push(...callee.receive([], heard))
  }
  for (let slot = 0; slot < 4; slot++) callee.receive([], heard)
  t.deepEqual(
    heard.filter(({ isDtx }) => !isDtx).slice(0, 3),
    said.map((payload) => ({ payload, missing: 0, isDtx: false })),
  )
  t.is(caller.stats().sentFrames, 5)
  t.is(samples.length, 0)
  t.is(callee.receive([16_000], heard)[0]?.length, 320)
})

test('digits cross a transport in memory, once each', async (t) => {
  const pair = await memoryPair()
  connectWires(pair)
  const { caller, callee } = pair
  t.true(caller.leg.sendDigits('19#'))
  for (let slot = 0; slot < 40; slot++) {
    caller.leg.send(SILENCE)
    callee.leg.receive([])
  }
  t.deepEqual(callee.told.digits, ['1', '9', '#'])
})

test('nothing goes out before the transport is open, and its reports count what went out', async (t) => {
  const pair = await memoryPair()
  const { leg, transport } = pair.caller
  for (let slot = 0; slot < 10; slot++) leg.send(SILENCE)
  t.is(leg.stats().sentFrames, 0)
  connectWires(pair)
  for (let slot = 0; slot < 125; slot++) leg.send(SILENCE)
  t.deepEqual(
    transport.reports.map(({ packets }) => packets),
    [25, 125],
  )
})

test('a way that is lost is told once, and not after the leg was closed', async (t) => {
  const first = await memoryLeg(1)
  first.transport.events.lost('failed')
  first.transport.events.lost('closed')
  t.deepEqual(first.told.lost, ['failed'])
  const second = await memoryLeg(2)
  second.leg.close()
  second.leg.close()
  second.transport.events.lost('closed')
  t.true(second.transport.isClosed)
  t.deepEqual(second.told.lost, [])
  t.deepEqual(
    second.leg.receive([8_000]).map((frame) => frame.length),
    [160],
  )
})
