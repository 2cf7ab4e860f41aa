import { WebSocket } from 'ws'
import { createMediaClock } from '../../media-host/clock.ts'
import { loadOpus } from '../../media-host/audio/opus.ts'
import { systemClock } from '../../src/process/clock.ts'
import { silentLog } from '../../test/helpers/silent.ts'
import type { FarCounts, FarRequest } from './far-messages.ts'
import { kindOfDescription } from '../../src/domain/call-media.ts'
import type { CallMediaKind } from '../../src/domain/call-media.ts'
import type { SessionCodec } from '../../src/domain/realtime-session.ts'
import { openFarPeer } from './far-peer.ts'
import type { FarPeer } from './far-peer.ts'
import { openFarRawPeer } from './far-raw-peer.ts'
import { voiceFrames } from './opus-cost.ts'
import { tracksOf } from './tracks.ts'
import type { Profile } from './tracks.ts'

/**
 * One of the bench's helper processes: phones on one side of the media host, socket clients on the other. Its argument
 * names the profile of what they say.
 */

/** Our choice: calls begin this many slots apart in the tracks, so that they do not speak at once. */
const APART_SLOTS = 137
/** What a client of Opus sends before each packet. */
const HEADER = Buffer.alloc(4)
/** Bytes: larger than any packet of silence, smaller than any of voice. */
const LOUD_BYTES = 20
const LOUD_SAMPLE = 1_000
/** The period of the probe in ms, which is no multiple of 20, so that it meets every phase of the host's slots. */
const PROBE_MS = 503

interface Call {
  readonly peer: FarPeer
  readonly kind: CallMediaKind
  codec: SessionCodec
  socket: WebSocket | null
  at: number
  wsFrames: number
  isProbe: boolean
}

const opus = await loadOpus()
const clock = createMediaClock(systemClock, silentLog)
const profile = process.argv[2] as Profile
const tracks = tracksOf(opus, profile)
/** In a conversation each reply has the prebuffer that bots have by default; the worst case shows the least delay. */
const PREBUFFER = profile === 'both' ? 'prebufferMs=0' : 'prebufferMs=40'
const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array) => Buffer.from(buffer, byteOffset, byteLength)
/** A loud frame, which the probe sends. */
const [word = new Int16Array(320)] = voiceFrames(101).slice(100)
const encoder = opus.openEncoder(16_000)
const coded = (samples: Int16Array) => Buffer.concat([HEADER, encoder.encode(samples)])
const wordOf: Readonly<Record<SessionCodec, Buffer>> = { pcm16: bytesOf(word), opus: coded(word) }
const wordOfPhone: Readonly<Record<CallMediaKind, Uint8Array>> = {
  webrtc: wordOf.opus.subarray(HEADER.length),
  pcm16: wordOf.pcm16,
}
/** The audio of a client, ready for each codec; null where it sends nothing. */
const said: Readonly<Record<SessionCodec, readonly (Buffer | null)[]>> = {
  pcm16: tracks.bot.map((samples) => samples && bytesOf(samples)),
  opus: tracks.bot.map((samples) => samples && coded(samples)),
}
/** The audio of a phone, ready for each kind of leg. */
const voices: Readonly<Record<CallMediaKind, readonly Uint8Array[]>> = {
  webrtc: tracks.phone,
  pcm16: tracks.phoneSamples.map(bytesOf),
}
const silences: Readonly<Record<CallMediaKind, Uint8Array>> = {
  webrtc: opus.silence(16_000),
  pcm16: new Uint8Array(640),
}
const calls = new Map<number, Call>()
const latency = { wsToRtpMs: [] as number[], rtpToWsMs: [] as number[] }
const probe = { wsAtMs: 0, rtpAtMs: 0, wantsRtp: false }
let resetAtMs = performance.now()
let resetCpu = process.cpuUsage()

function callOf(id: number, kind: CallMediaKind = 'webrtc'): Call {
  const known = calls.get(id)
  if (known) return known
  const call: Call = {
    kind,
    codec: 'pcm16',
    peer: kind === 'webrtc' ? openFarPeer() : openFarRawPeer(),
    socket: null,
    at: id * APART_SLOTS,
    wsFrames: 0,
    isProbe: false,
  }
  calls.set(id, call)
  clock.add((slots) => {
    for (let i = 0; i < slots; i++) slot(call)
  })
  return call
}

function slot(call: Call): void {
  call.at++
  const index = call.at % tracks.phone.length
  const silence = silences[call.kind]
  if (call.isProbe) {
    if (!probe.wantsRtp) return call.peer.send(silence)
    probe.wantsRtp = false
    probe.rtpAtMs = performance.now()
    return call.peer.send(wordOfPhone[call.kind])
  }
  call.peer.send(voices[call.kind][index] ?? silence)
  const { socket } = call
  const frame = said[call.codec][index]
  if (frame && socket?.readyState === WebSocket.OPEN) socket.send(frame)
}

function startProbe(call: Call): void {
  call.isProbe = true
  call.peer.onPacket((bytes) => {
    if (bytes < LOUD_BYTES || probe.wsAtMs === 0) return
    latency.wsToRtpMs.push(performance.now() - probe.wsAtMs)
    probe.wsAtMs = 0
  })
  let turn = 0
  setInterval(() => {
    if (turn++ % 2 === 0) {
      probe.wsAtMs = performance.now()
      call.socket?.send(wordOf[call.codec])
    } else {
      probe.wantsRtp = true
    }
  }, PROBE_MS)
}

function hearProbe(data: Buffer, codec: SessionCodec): void {
  if (probe.rtpAtMs === 0) return
  if (codec === 'opus') {
    if (data.length < LOUD_BYTES + HEADER.length) return
    latency.rtpToWsMs.push(performance.now() - probe.rtpAtMs)
    probe.rtpAtMs = 0
    return
  }
  for (let i = 0; i + 1 < data.length; i += 2) {
    if (Math.abs(data.readInt16LE(i)) < LOUD_SAMPLE) continue
    latency.rtpToWsMs.push(performance.now() - probe.rtpAtMs)
    probe.rtpAtMs = 0
    return
  }
}

async function open({ call: id, wsUrl, codec, isProbe }: FarRequest & { op: 'open' }): Promise<null> {
  const call = callOf(id)
  call.codec = codec
  const socket = new WebSocket(`${wsUrl}&${PREBUFFER}&${codec === 'opus' ? 'codec=opus' : 'rate=16000'}`, {
    perMessageDeflate: false,
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) return
    call.wsFrames++
    if (isProbe) hearProbe(data, codec)
  })
  call.socket = socket
  if (isProbe) startProbe(call)
  return null
}

function reset(): null {
  resetAtMs = performance.now()
  resetCpu = process.cpuUsage()
  latency.wsToRtpMs = []
  latency.rtpToWsMs = []
  for (const call of calls.values()) {
    call.wsFrames = 0
    call.peer.resetCounts()
  }
  return null
}

function counts(): FarCounts {
  const loaded = [...calls.values()].filter((call) => !call.isProbe)
  const sum = (value: (call: Call) => number): number => loaded.reduce((total, call) => total + value(call), 0)
  return {
    seconds: (performance.now() - resetAtMs) / 1_000,
    wsFrames: sum((call) => call.wsFrames),
    rtpPackets: sum((call) => call.peer.packets),
    rtpMissing: sum((call) => call.peer.missing),
    ...latency,
    farLateP99Ms: clock.latenessP99Ms(),
    cpuMs: cpuSinceReset(),
  }
}

function cpuSinceReset(): number {
  const { user, system } = process.cpuUsage(resetCpu)
  return (user + system) / 1_000
}

async function run(request: FarRequest): Promise<unknown> {
  switch (request.op) {
    case 'answer':
      return callOf(request.call, kindOfDescription(request.sdp)).peer.answer(request.sdp)
    case 'open':
      return open(request)
    case 'reset':
      return reset()
    case 'counts':
      return counts()
    default:
      return request satisfies never
  }
}

process.on('message', (request: FarRequest) => {
  run(request).then(
    (value) => process.send?.({ re: request.id, value }),
    (error: unknown) => process.send?.({ re: request.id, error: String(error) }),
  )
})
process.once('disconnect', () => process.exit(0))
process.send?.({ re: 0, value: null })
