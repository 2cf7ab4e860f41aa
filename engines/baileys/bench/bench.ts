/**
 * The engine beside the offline network: memory of an idle linked session, CPU of a message in and one out, how long an
 * inbound message takes to the bridge. The network runs in this process, the engine in its own: only the engine is
 * counted.
 *
 *   node engines/baileys/bench/bench.ts [sessions, default 300] [pairs, default 1000]
 */
import { readFileSync } from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngineProcess } from '../test/helpers/engine-process.ts'
import { linkNumber, type LinkedNumber } from '../test/helpers/linked-number.ts'
import { openNetwork } from '../test/network/network.ts'
import { silenceConsole } from '../test/network/silent-logger.ts'

const SESSIONS = Number(process.argv[2] ?? 300)
const PAIRS = Number(process.argv[3] ?? 1_000)
/** How many sessions link at once, and how many numbers exchange messages at once. */
const LANES = 10
/** proc(5): the kernel's ticks and pages. */
const TICKS_PER_SECOND = 100
const PAGE_BYTES = 4_096
const MIB = 2 ** 20

function residentMib(pid: number): number {
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / MIB
}

function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const teardowns: (() => unknown)[] = []
const scope = { teardown: (undo: () => unknown) => void teardowns.push(undo) } as Parameters<
  typeof startEngineProcess
>[0]
const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'))
silenceConsole()
const network = await openNetwork()
const engine = await startEngineProcess(scope, network, folder)
const base = residentMib(engine.pid)
const linked: LinkedNumber[] = []

async function linkAll(): Promise<void> {
  const cpu = cpuMs(engine.pid)
  for (let first = 0; first < SESSIONS; first += LANES) {
    const batch = Array.from({ length: Math.min(LANES, SESSIONS - first) }, (_, index) => first + index)
    linked.push(
      ...(await Promise.all(
        batch.map((index) => linkNumber(scope, network, engine.port, `num_${index}`, `55119${90_000_000 + index}`)),
      )),
    )
  }
  for (const { client } of linked) client.ackAll()
  say(`link: ${((cpuMs(engine.pid) - cpu) / SESSIONS).toFixed(0)} ms of CPU a number`)
}

/** Measures an idle session. It waits until memory is steady, because what linking left is collected gradually. */
async function idle(): Promise<void> {
  let lowest = residentMib(engine.pid)
  const cpu = cpuMs(engine.pid)
  const seconds = 20
  for (let second = 0; second < seconds; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    lowest = Math.min(lowest, residentMib(engine.pid))
  }
  say(
    `idle: ${lowest.toFixed(0)} MiB for ${SESSIONS} sessions, ${((lowest - base) / SESSIONS).toFixed(2)} MiB each (most 1.5); ${((cpuMs(engine.pid) - cpu) / seconds / SESSIONS).toFixed(2)} ms of CPU a second each`,
  )
}

async function pair({ client, number }: LinkedNumber, lane: number, index: number): Promise<number> {
  const sender = network.phone(`5511888881${String(lane).padStart(3, '1')}`)
  const text = `${lane} ${index}`
  const sentAt = performance.now()
  await sender.text(number, text)
  await client.find(({ content }) => content?.text === text)
  const tookMs = performance.now() - sentAt
  const answer = await client.ask('message.send', {
    messageId: `msg_${lane}_${index}`,
    to: sender.number,
    content: { type: 'text', text },
  })
  if (!answer.ok) throw new Error(`send: ${answer.error?.code}`)
  client.events.length = 0
  return tookMs
}

async function pairs(): Promise<void> {
  const lanes = linked.slice(0, LANES)
  await Promise.all(lanes.map((of, lane) => pair(of, lane, -1)))
  const cpu = cpuMs(engine.pid)
  await Promise.all(
    lanes.map(async (of, lane) => {
      for (let index = 0; index < PAIRS / LANES; index++) await pair(of, lane, index)
    }),
  )
  const each = (cpuMs(engine.pid) - cpu) / PAIRS
  say(
    `pairs: ${each.toFixed(1)} ms of CPU for a message in and one out, ${(1_000 / each).toFixed(0)} a second on one core (least 150)`,
  )
}

/** Measures one message at a time, so that none waits for another. */
async function latency(): Promise<void> {
  const [of] = linked
  if (!of) return
  const took: number[] = []
  for (let index = 0; index < 200; index++) took.push(await pair(of, 500, index))
  took.sort((one, other) => one - other)
  say(
    `inbound: p50 ${(took[100] ?? 0).toFixed(1)} ms, p99 ${(took[197] ?? 0).toFixed(1)} ms from a phone to the bridge, its own encryption included (p50 most 30)`,
  )
}

try {
  say(`base: ${base.toFixed(0)} MiB`)
  await linkAll()
  await idle()
  await pairs()
  await latency()
} finally {
  for (const undo of teardowns.toReversed()) await undo()
  rmSync(folder, { recursive: true, force: true })
  process.exit()
}
