/**
 * Compares the realtime socket on uWebSockets.js with the same on `ws`, each in a process of its own, in turns: with
 * clients that send 20 ms of audio every 20 ms and receive it back, and with idle clients. Prints CPU and memory per
 * socket, and the round-trip time of a frame.
 *
 *   node bench/sockets/bench.ts [seconds a turn] [rounds]
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Use } from './server.ts'

const [secondsText = '6', roundsText = '3'] = process.argv.slice(2)
const SECONDS = Number(secondsText)
const ROUNDS = Number(roundsText)
const TALKING = [50, 75]
const IDLE = 500
const FRAME_MS = 20
/** Audio of 20 ms at 16 kHz. */
const FRAME = Buffer.alloc(640)
const LIBRARIES = ['ws', 'uws'] as const
type Library = (typeof LIBRARIES)[number]

interface Figures {
  readonly cpuUs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly idleBytes: number
}

async function useOf(child: ChildProcess): Promise<Use> {
  child.send('use')
  const [use] = await once(child, 'message')
  return use as Use
}

async function connected(url: string, count: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  for (let i = 0; i < count; i++) {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    await once(socket, 'open')
    sockets.push(socket)
  }
  return sockets
}

/** Sends frames on all sockets, evenly spread over each 20 ms; resolves to the round-trip time of each frame in ms. */
async function speak(sockets: readonly WebSocket[]): Promise<number[]> {
  const away: number[] = []
  const sentAtMs = sockets.map((): number[] => [])
  sockets.forEach((socket, index) =>
    socket.on('message', () => {
      const atMs = sentAtMs[index]?.shift()
      if (atMs !== undefined) away.push(performance.now() - atMs)
    }),
  )
  const startMs = performance.now()
  const frames = ((SECONDS * 1_000) / FRAME_MS) * sockets.length
  for (let sent = 0; sent < frames;) {
    const due = Math.min(frames, Math.floor(((performance.now() - startMs) / FRAME_MS) * sockets.length))
    for (; sent < due; sent++) {
      const index = sent % sockets.length
      sentAtMs[index]?.push(performance.now())
      sockets[index]?.send(FRAME)
    }
    await pause(1)
  }
  await pause(500)
  for (const socket of sockets) socket.removeAllListeners('message')
  if (away.length !== frames) throw new Error(`${frames - away.length} frames did not come back`)
  return away.toSorted((a, b) => a - b)
}

async function turn(library: Library, talking: number): Promise<Figures> {
  const child = fork(new URL('server.ts', import.meta.url), [library], {
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
  })
  try {
    const [{ port }] = await once(child, 'message')
    const url = `ws://127.0.0.1:${port}/echo`
    // The first sockets allocate what all share, so memory is counted after them.
    const first = await connected(url, 5)
    const empty = await useOf(child)
    const idle = await connected(url, IDLE)
    const full = await useOf(child)
    const talkers = await connected(url, talking)
    await speak(first)
    const before = await useOf(child)
    const away = await speak(talkers)
    const after = await useOf(child)
    for (const socket of [...first, ...talkers, ...idle]) socket.terminate()
    return {
      cpuUs: ((after.cpuMs - before.cpuMs) * 1_000) / away.length,
      p50Ms: away[Math.floor(away.length * 0.5)] ?? NaN,
      p99Ms: away[Math.floor(away.length * 0.99)] ?? NaN,
      idleBytes: (full.rssBytes - empty.rssBytes) / IDLE,
    }
  } finally {
    child.kill()
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}

for (const talking of TALKING) {
  const found: Record<Library, Figures[]> = { ws: [], uws: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const library of round % 2 === 0 ? LIBRARIES : LIBRARIES.toReversed())
      found[library].push(await turn(library, talking))
  }
  const of = (library: Library, figure: keyof Figures) => median(found[library].map((figures) => figures[figure]))
  const row = (name: string, figure: keyof Figures, show: (value: number) => string) =>
    console.log(
      `  ${name}: ws ${show(of('ws', figure))}, uWebSockets.js ${show(of('uws', figure))}, ratio ${(of('uws', figure) / of('ws', figure)).toFixed(2)}`,
    )
  console.log(`${talking} sockets that speak and ${IDLE} idle ones, ${SECONDS} s, median of ${ROUNDS}:`)
  row('CPU of a frame in and out', 'cpuUs', (us) => `${us.toFixed(1)} us`)
  row('CPU of a socket', 'cpuUs', (us) => `${((us * 1_000) / FRAME_MS / 10_000).toFixed(3)} % of a core`)
  row('memory of an idle socket', 'idleBytes', (bytes) => `${(bytes / 1_024).toFixed(1)} KB`)
  row('a frame there and back, p50', 'p50Ms', (ms) => `${ms.toFixed(2)} ms`)
  row('a frame there and back, p99', 'p99Ms', (ms) => `${ms.toFixed(2)} ms`)
}
process.exit(0)
