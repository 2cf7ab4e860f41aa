/**
 * Starts an embedded installation (gateway, media host, sandbox) as `npm start` does, on a new data directory and again
 * on the same one: the time and the processor time to ready, and what all its processes hold once they rest.
 *
 *   node bench/rest/bench.ts [rounds]
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuMsOf, GATEWAY_FLAGS, median, statOf } from '../programs.ts'

const ROUNDS = Number(process.argv[2] ?? 3)
/** Ports that are the installation's alone. */
const PORTS = { PORT: '3400', MEDIA_PORT: '3401', SANDBOX_PORT: '3402', MEDIA_CONTROL_PORT: '3411' }
/** Memory is read once nothing has been asked of the installation for so long, in ms. */
const REST_MS = 10_000
const LOOK_MS = 20

interface Started {
  readonly seconds: number
  readonly cpuSeconds: number
  /** MiB of each process, the largest first. */
  readonly memory: readonly number[]
}

/** A process with the one that started it; nothing when it is gone. */
function parentIn(pid: number): { readonly pid: number; readonly parent: number }[] {
  try {
    return [{ pid, parent: Number(statOf(pid)[1]) }]
  } catch {
    return []
  }
}

/** The processes that a process started, and itself. */
function familyOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => parentIn(Number(name)))
  const children = (of: number): number[] =>
    parents.filter(({ parent }) => parent === of).flatMap((child) => [child.pid, ...children(child.pid)])
  return [pid, ...children(pid)]
}

/** MiB of a process; what several processes share counts for each in part (proc(5): smaps_rollup, Pss). */
function mebibytesOf(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1_024
}

async function untilReady(gateway: ChildProcess): Promise<void> {
  while (gateway.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${PORTS.PORT}/health/ready`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await pause(LOOK_MS)
  }
  throw new Error(`the gateway ended with ${gateway.exitCode}`)
}

async function start(dataDir: string): Promise<Started> {
  const startMs = performance.now()
  const gateway = spawn(process.execPath, [...GATEWAY_FLAGS, 'src/main.ts'], {
    cwd: new URL('../..', import.meta.url),
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      ...PORTS,
      SHUTDOWN_DELAY_SECONDS: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await untilReady(gateway)
    const seconds = (performance.now() - startMs) / 1_000
    const family = familyOf(gateway.pid ?? 0)
    const cpuSeconds = family.reduce((sum, pid) => sum + cpuMsOf(pid), 0) / 1_000
    await pause(REST_MS)
    return { seconds, cpuSeconds, memory: family.map(mebibytesOf).toSorted((a, b) => b - a) }
  } finally {
    const ended = once(gateway, 'exit')
    gateway.kill('SIGTERM')
    await ended
  }
}

function shown(name: string, { seconds, cpuSeconds, memory }: Started): string {
  const sum = memory.reduce((all, one) => all + one, 0)
  return `${name}: ready after ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of CPU); at rest ${sum.toFixed(0)} MiB (${memory.map((one) => one.toFixed(0)).join(', ')})`
}

console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}`)
const times: { first: number[]; later: number[] } = { first: [], later: [] }
for (let round = 0; round < ROUNDS; round++) {
  const dataDir = await mkdtemp(join(tmpdir(), 'cms-rest-'))
  const first = await start(dataDir)
  const later = await start(dataDir)
  console.log(shown('new data directory', first))
  console.log(shown('later start', later))
  times.first.push(first.seconds)
  times.later.push(later.seconds)
  await rm(dataDir, { recursive: true })
}
console.log(
  `medians: ready after ${median(times.first).toFixed(1)} s, later ${median(times.later).toFixed(1)} s (target 4 s; 600 MiB)`,
)
