import { once } from 'node:events'
import { createSocket, type Socket } from 'node:dgram'
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { legOpener, type LegPair } from '../../helpers/audio-legs.ts'
import { PATIENCE_MS } from '../../helpers/until.ts'

const CANDIDATE = /^(a=candidate:\S+ \d+ udp \d+) 127\.0\.0\.1 (\d+) (typ host.*)$/m
/** The message type of a success response to a binding request (RFC 5389 section 6). */
const BINDING_ANSWER = 0x0101
const TICK_MS = 20

/**
 * The network between the two legs: how late it delivers answers to checks, in ms of the test's clock, and whether it
 * delivers anything.
 */
interface Way {
  answersLateMs: number
  isCut: boolean
}

/** A port that forwards datagrams to another one, and answers to the last sender. */
async function relay(t: ExecutionContext, port: number, way: Way): Promise<number> {
  const [front, back] = [createSocket('udp4'), createSocket('udp4')]
  let sender: { port: number } | null = null
  let isClosed = false
  const pass = (socket: Socket, datagram: Buffer, to: number): void => {
    const send = (): void => void (!isClosed && socket.send(datagram, to, '127.0.0.1'))
    if (way.isCut) return
    if (way.answersLateMs > 0 && datagram.readUInt16BE(0) === BINDING_ANSWER) setTimeout(send, way.answersLateMs)
    else send()
  }
  front.on('message', (datagram, from) => {
    sender = from
    pass(back, datagram, port)
  })
  back.on('message', (datagram) => sender && pass(front, datagram, sender.port))
  t.teardown(() => void (isClosed = true))
  for (const socket of [front, back]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    t.teardown(() => socket.close())
  }
  return front.address().port
}

/** Lets the legs' time pass in turns of the event loop, so that a datagram of one turn arrives in the next. */
async function pass(ms: number, isOver: () => boolean = () => false): Promise<void> {
  for (let passedMs = 0; passedMs < ms && !isOver(); passedMs += TICK_MS) {
    mock.timers.tick(TICK_MS)
    await nextTurn()
    await nextTurn()
  }
}

/**
 * Lets the legs' time pass at real speed, because a handshake waits for other threads, which turns of this one do not
 * speed up.
 */
async function passAsItDoes(isOver: () => boolean): Promise<void> {
  const start = Date.now()
  for (let at = start; !isOver() && at - start < PATIENCE_MS;) {
    await nextTurn()
    const now = Date.now()
    if (now > at) mock.timers.tick(Math.min(now - at, TICK_MS))
    at = now
  }
}

/** Two legs that hear each other through a network, each under the network's address. */
async function connected(t: ExecutionContext, way: Way): Promise<LegPair> {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const open = legOpener(await loadOpus(), t)
  const [caller, callee] = [open(), open()]
  const through = async (sdp: string): Promise<string> => {
    const port = await relay(t, Number(CANDIDATE.exec(sdp)?.[2]), way)
    return sdp.replace(CANDIDATE, `$1 127.0.0.1 ${port} $3`)
  }
  await caller.leg.connect(await through(await callee.leg.answer(await through(await caller.leg.offer()))))
  await passAsItDoes(() => {
    for (const { leg } of [caller, callee]) leg.send({ kind: 'silence' })
    return caller.leg.isFlowing && callee.leg.isFlowing
  })
  t.true(caller.leg.isFlowing && callee.leg.isFlowing)
  return { caller, callee }
}

function lostOf({ caller, callee }: LegPair): string[] {
  return [...caller.notes.lost, ...callee.notes.lost]
}

test.serial('a leg whose checks are answered late, as by a busy process, goes on', async (t) => {
  const way = { answersLateMs: 0, isCut: false }
  const pair = await connected(t, way)
  way.answersLateMs = 2_500
  await pass(90_000)
  t.deepEqual(lostOf(pair), [])
})

test.serial('a leg of a process that was stopped for a minute asks its peer before it gives up', async (t) => {
  const pair = await connected(t, { answersLateMs: 0, isCut: false })
  mock.timers.tick(60_000)
  await pass(60_000)
  t.deepEqual(lostOf(pair), [])
})

test.serial('a leg whose peer is gone is lost after half a minute', async (t) => {
  const way = { answersLateMs: 0, isCut: false }
  const pair = await connected(t, way)
  way.isCut = true
  await pass(20_000)
  t.deepEqual(lostOf(pair), [])
  await pass(20_000)
  t.deepEqual(lostOf(pair), ['failed', 'failed'])
})

test.serial('a leg whose peer went while its own process was stopped is lost once it has asked', async (t) => {
  const way = { answersLateMs: 0, isCut: false }
  const pair = await connected(t, way)
  way.isCut = true
  mock.timers.tick(60_000)
  await pass(20_000)
  t.deepEqual(lostOf(pair), [])
  await pass(40_000)
  t.deepEqual(lostOf(pair), ['failed', 'failed'])
})
