import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { createWebRtcLegs } from '../../media-host/legs/webrtc.ts'
import type { Leg } from '../../media-host/legs/leg.ts'
import { loadOpus } from '../../media-host/audio/opus.ts'
import type { OpusCodec } from '../../media-host/audio/opus.ts'
import { silentLog } from './silent.ts'

/** What a leg reported. */
export interface LegNotes {
  readonly digits: { digit: string, durationMs: number }[]
  readonly lost: string[]
  flowing: number
}

export interface NotedLeg {
  readonly leg: Leg
  readonly notes: LegNotes
}

/** What of a test's context closes legs when it ends, however it ends. */
export interface Teardown {
  teardown(close: () => void): void
}

/** Opens legs on loopback that note their events. */
export function legOpener(opus: OpusCodec, t: Teardown): () => NotedLeg {
  const open = createWebRtcLegs({ opus, log: silentLog, iceAddress: '127.0.0.1' })
  return () => {
    const notes: LegNotes = { digits: [], lost: [], flowing: 0 }
    const leg = open({
      flowing: () => void notes.flowing++,
      digit: (digit, durationMs) => void notes.digits.push({ digit, durationMs }),
      lost: (reason) => void notes.lost.push(reason),
    })
    t.teardown(() => leg.close())
    return { leg, notes }
  }
}

/** Two legs that have exchanged descriptions; media may take some 100 ms more to flow. */
export async function legPair(t: Teardown): Promise<{ caller: NotedLeg, callee: NotedLeg }> {
  const open = legOpener(await loadOpus(), t)
  const caller = open()
  const callee = open()
  await caller.leg.connect(await callee.leg.answer(await caller.leg.offer()))
  return { caller, callee }
}

/**
 * Calls `each` slot by slot until it answers true or `limitSlots` have passed. Time is the packets': the next slot
 * comes when what was sent in this one has arrived, so that a busy machine changes nothing that is heard.
 */
export async function runSlots(pair: { caller: NotedLeg, callee: NotedLeg }, limitSlots: number, each: (slot: number) => boolean | void): Promise<void> {
  const { caller: { leg: caller }, callee: { leg: callee } } = pair
  const hasArrived = (): boolean => callee.stats().receivedFrames >= caller.stats().sentFrames && caller.stats().receivedFrames >= callee.stats().sentFrames
  for (let slot = 0; slot < limitSlots; slot++) {
    if (each(slot) === true) return
    if (callee.isFlowing || caller.isFlowing) {
      for (let turn = 0; turn < 2_000 && !hasArrived(); turn++) await nextTurn()
    } else {
      await pause(5)
    }
  }
}
