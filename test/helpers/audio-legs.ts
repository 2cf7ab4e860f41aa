import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { createWebRtcLegs } from '../../media-host/legs/webrtc.ts'
import type { Leg, LegKind, OpenLeg } from '../../media-host/legs/leg.ts'
import { createLegs } from '../../media-host/legs/open-legs.ts'
import { LegGate, LEGS_PATH } from '../../media-host/realtime/leg-gate.ts'
import { openSocketServer } from '../../media-host/realtime/socket-server.ts'
import { loadOpus } from '../../media-host/audio/opus.ts'
import type { OpusCodec } from '../../media-host/audio/opus.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { FakeClock } from './fake-clock.ts'
import { silentLog } from './silent.ts'

/** What a leg reported. */
export interface LegNotes {
  readonly digits: { digit: string; durationMs: number }[]
  readonly lost: string[]
  flowing: number
}

export interface NotedLeg {
  readonly leg: Leg
  readonly notes: LegNotes
}

/** The part of a test's context that closes legs when the test ends, however it ends. */
export interface Teardown {
  teardown(close: () => void): void
}

/** Makes an opener of WebRTC legs on loopback that record their events. */
export function legOpener(opus: OpusCodec, t: Teardown): () => NotedLeg {
  return noting(createWebRtcLegs({ opus, log: silentLog, iceAddress: '127.0.0.1' }), t)
}

/**
 * Makes an opener of legs of a kind on loopback that record their events, with a socket server when the kind needs one.
 */
async function openerOf(kind: LegKind, t: Teardown, clock: Clock): Promise<() => NotedLeg> {
  const legs = createLegs({
    opus: await loadOpus(),
    clock,
    log: silentLog,
    iceAddress: '127.0.0.1',
    rtpPorts: null,
  })
  const gate = new LegGate({ clock, log: silentLog, publicUrl: () => `ws://127.0.0.1:${server.port}` })
  const server = await openSocketServer({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    sockets: [{ pattern: `${LEGS_PATH}*`, upgrade: (request) => gate.upgrade(request) }],
  })
  t.teardown(() => server.close())
  return noting(legs(gate)[kind], t)
}

function noting(open: OpenLeg, t: Teardown): () => NotedLeg {
  return () => {
    const notes: LegNotes = { digits: [], lost: [], flowing: 0 }
    const leg = open(
      {
        flowing: () => void notes.flowing++,
        digit: (digit, durationMs) => void notes.digits.push({ digit, durationMs }),
        lost: (reason) => void notes.lost.push(reason),
      },
      newId('call'),
    )
    t.teardown(() => leg.close())
    return { leg, notes }
  }
}

export interface LegPair {
  readonly caller: NotedLeg
  readonly callee: NotedLeg
  /** Advances the legs' clock by a slot, for what does not follow packets. */
  passSlot?(): void
}

/** Opens two legs that have exchanged descriptions; media may take some 100 ms more to flow. */
export async function legPair(t: Teardown, kind: LegKind = 'webrtc'): Promise<LegPair> {
  const clock = new FakeClock()
  const open = await openerOf(kind, t, clock)
  const caller = open()
  const callee = open()
  await caller.leg.connect(await callee.leg.answer(await caller.leg.offer()))
  return { caller, callee, passSlot: () => clock.advance(20) }
}

/**
 * Calls `each` slot by slot until it returns true or `limitSlots` have passed. The packets set the time: the next slot
 * begins when everything sent in this one has arrived, so that a busy machine changes nothing that is heard.
 */
export async function runSlots(
  pair: LegPair,
  limitSlots: number,
  each: (slot: number) => boolean | void,
): Promise<void> {
  const {
    caller: { leg: caller },
    callee: { leg: callee },
  } = pair
  const hasArrived = (): boolean =>
    callee.stats().receivedFrames >= caller.stats().sentFrames
    && caller.stats().receivedFrames >= callee.stats().sentFrames
  for (let slot = 0; slot < limitSlots; slot++) {
    pair.passSlot?.()
    if (each(slot) === true) return
    if (callee.isFlowing || caller.isFlowing) {
      for (let turn = 0; turn < 2_000 && !hasArrived(); turn++) await nextTurn()
    } else {
      await pause(5)
    }
  }
}
