/**
 * What a linked session at rest costs the engine: memory that is in use after full collections, and the resident memory
 * with it. The offline network runs in this process, the engine in its own.
 *
 *   node engines/baileys/bench/idle.ts [numbers of sessions, default 100 300 600]
 *
 * With MEMORY_SNAPSHOT=<file> the engine also writes a heap snapshot at each number.
 */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openNetwork } from '../test/network/network.ts'
import { silenceConsole } from '../test/network/silent-logger.ts'
import { createTeardowns, linkUntil, startOnSqlite } from './stores.ts'

const given = process.argv.slice(2).map(Number)
const COUNTS = given.length > 0 ? given : [100, 300, 600]
/** our choice: ms after the last link until its timers and buffers are gone. */
const REST_MS = 15_000
const KIB = 1_024
const MIB = 2 ** 20

/** The engine's memory after full collections, in bytes. */
async function memoryAt(probe: string): Promise<NodeJS.MemoryUsage> {
  let answer = ''
  for await (const chunk of connect(probe)) answer += String(chunk)
  return JSON.parse(answer) as NodeJS.MemoryUsage
}

function shown(now: NodeJS.MemoryUsage, before: NodeJS.MemoryUsage, sessions: number): string {
  const each = (part: keyof NodeJS.MemoryUsage): string => ((now[part] - before[part]) / sessions / KIB).toFixed(0)
  return `${each('heapUsed')} KiB of heap and ${each('external')} KiB beside it (of which ${each('arrayBuffers')} KiB in buffers), ${each('rss')} KiB resident`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const teardowns = createTeardowns()
silenceConsole()
try {
  const network = await openNetwork()
  const probe = join(tmpdir(), `engine-memory-${randomBytes(4).toString('hex')}`)
  const { MEMORY_SNAPSHOT } = process.env
  const measured = await startOnSqlite(teardowns, network, {
    NODE_OPTIONS: `--import=${new URL('memory-probe.ts', import.meta.url).href}`,
    MEMORY_PROBE: probe,
    ...(MEMORY_SNAPSHOT ? { MEMORY_SNAPSHOT } : {}),
  })
  const base = await memoryAt(probe)
  say(`no session: heap ${(base.heapUsed / MIB).toFixed(1)} MiB, resident ${(base.rss / MIB).toFixed(0)} MiB`)
  let last = { sessions: 0, memory: base }
  for (const sessions of COUNTS) {
    await linkUntil(teardowns, network, measured, sessions)
    await pause(REST_MS)
    const memory = await memoryAt(probe)
    say(`${sessions} sessions, resident ${(memory.rss / MIB).toFixed(0)} MiB: each ${shown(memory, base, sessions)}`)
    if (last.sessions > 0)
      say(`  each after the first ${last.sessions}: ${shown(memory, last.memory, sessions - last.sessions)}`)
    last = { sessions, memory }
  }
} finally {
  await teardowns.run()
  process.exit()
}
