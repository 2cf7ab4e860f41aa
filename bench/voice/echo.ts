import { setTimeout as pause } from 'node:timers/promises'
import { loadOpus } from '../../media-host/audio/opus.ts'
import type { CallId, NumberId, TenantId } from '../../src/domain/ids.ts'
import type { MediaCall } from '../../src/ports/media.ts'
import { openFarPeer, type FarPeer } from '../media/far-peer.ts'
import { startHost, type HostUnderTest } from '../media/host-under-test.ts'
import { voiceFrames } from '../media/opus-cost.ts'
import { at } from '../programs.ts'
import { awaited } from '../awaited.ts'
import { openBot } from './bot.ts'

/** Target, in ms: what the media host adds to the way there and back, jitter buffer included. */
const MOST_MS = 60
const FRAME_MS = 20
/** A word every 503 ms, which is no multiple of 20, so that it meets every phase of the host's slots. */
const EVERY_MS = 503
/**
 * An echo sends back what comes while the caller's connection opens, and is that late at first; the host drops it from
 * pauses ([voice.statistics.3]), which it does within two windows of 10 s.
 */
const SETTLE_WORDS = 44
/** Bytes: larger than any packet of silence, smaller than any of voice. */
const LOUD_BYTES = 20
const LOUD_SAMPLE = 1_000

const CALL: MediaCall = {
  callId: 'call_bench' as CallId,
  tenantId: 'ten_bench' as TenantId,
  numberId: 'num_bench' as NumberId,
  direction: 'OUTBOUND',
  peerNumber: '491510000000',
  externalCallId: null,
  status: 'INITIATED',
}

const isLoud = (data: Buffer): boolean => {
  for (let i = 0; i + 1 < data.length; i += 2) if (Math.abs(data.readInt16LE(i)) >= LOUD_SAMPLE) return true
  return false
}

/** Sends words of one packet amid silence to a bot that sends back each frame as it comes. */
export async function measureEcho(words: number): Promise<void> {
  const host = await startHost()
  const peer = openFarPeer()
  const way = { sentMs: 0, heardMs: 0 }
  const there: number[] = []
  const back: number[] = []
  const bot = await openBot((socket) =>
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) return
      if (way.sentMs > 0 && way.heardMs === 0 && isLoud(data)) {
        way.heardMs = performance.now()
        there.push(way.heardMs - way.sentMs)
      }
      socket.send(data)
    }),
  )
  peer.onPacket((bytes) => {
    if (bytes < LOUD_BYTES || way.heardMs === 0) return
    back.push(performance.now() - way.heardMs)
    Object.assign(way, { sentMs: 0, heardMs: 0 })
  })
  await connect(host, peer, bot.url)
  await speak(peer, SETTLE_WORDS + words, (nth) => {
    if (nth > SETTLE_WORDS) Object.assign(way, { sentMs: performance.now(), heardMs: 0 })
  })
  await host.stop()
  bot.close()
  const whole = there.map((ms, n) => ms + (back[n] ?? NaN)).filter((ms) => !Number.isNaN(ms))
  const tell = (values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    return `p50 ${at(sorted, 0.5).toFixed(1)} ms, p95 ${at(sorted, 0.95).toFixed(1)} ms`
  }
  console.log(`caller's packet to the bot, of ${there.length} words: ${tell(there)}`)
  console.log(`bot's frame to the caller's packet: ${tell(back)}`)
  console.log(`  there and back through the media host: ${tell(whole)}, target p50 ${MOST_MS} ms`)
}

async function connect(host: HostUnderTest, peer: FarPeer, url: string): Promise<void> {
  const { callId } = CALL
  const { sdp } = await host.ask('offer', { call: CALL })
  await host.ask('connect', { callId, sdpAnswer: await peer.answer(sdp) })
  await host.ask('status', { callId, status: 'ACCEPTED' })
  const session = { sessionId: 'rts_bench', mode: 'talk', headers: {}, given: {} } as const
  await host.ask('dial', { callId, ...session, url, query: { rate: '16000', prebufferMs: '0' } })
}

/** Sends a packet every 20 ms: silence, and now and then a word, which is told of as it leaves. */
async function speak(peer: FarPeer, words: number, told: (nth: number) => void): Promise<void> {
  const opus = await loadOpus()
  const encoder = opus.openEncoder(16_000)
  const [word] = voiceFrames(101).slice(100)
  if (!word) throw new Error('there is no voice to send')
  const [loud, silence] = [encoder.encode(word), opus.silence(16_000)]
  await awaited('the encrypted connection', async () => {
    peer.send(silence)
    return peer.packets > 0 ? true : null
  })
  const startMs = performance.now()
  let said = 0
  for (let slot = 0; said < words; slot++) {
    const isWord = slot * FRAME_MS >= (said + 2) * EVERY_MS
    if (isWord) {
      said++
      told(said)
    }
    peer.send(isWord ? loud : silence)
    await pause(Math.max(0, startMs + (slot + 1) * FRAME_MS - performance.now()))
  }
  await pause(EVERY_MS)
}
