import { createRequire } from 'node:module'
import { cpuMs, median, type Server } from './programs.ts'

interface Load {
  readonly non2xx: number
  readonly requests: { readonly total: number; readonly average: number }
  readonly latency: { readonly p50: number; readonly p99: number }
}

/** The request that is repeated. `bodies` are sent in turn. */
export interface Ask {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodies?: readonly string[]
}

interface CannonOptions {
  readonly url: string
  readonly connections: number
  readonly duration: number
  readonly headers: Readonly<Record<string, string>>
  readonly requests?: readonly { readonly method: 'POST'; readonly path: string; readonly body: string }[]
}

/** autocannon has no types of its own. */
const autocannon = createRequire(import.meta.url)('autocannon') as (options: CannonOptions) => Promise<Load>

const CONNECTIONS = 32

export interface Turn {
  readonly perSecond: number
  /** CPU time of the server's process per request. */
  readonly cpuUs: number
  readonly p50: number
  readonly p99: number
}

/** Sends as many requests as the server answers in `seconds`. Throws unless all answers are 2xx. */
export async function load(server: Server, { path, headers, bodies }: Ask, seconds: number): Promise<Turn> {
  const before = cpuMs(server)
  const loaded = await autocannon({
    url: `http://127.0.0.1:${server.port}${path}`,
    connections: CONNECTIONS,
    duration: seconds,
    headers,
    ...(bodies ? { requests: bodies.map((body) => ({ method: 'POST', path, body }) as const) } : {}),
  })
  if (loaded.non2xx > 0) throw new Error(`${loaded.non2xx} answers were not 2xx`)
  return {
    perSecond: loaded.requests.average,
    cpuUs: ((cpuMs(server) - before) * 1000) / loaded.requests.total,
    p50: loaded.latency.p50,
    p99: loaded.latency.p99,
  }
}

/** Prints the medians of both sides and their ratios. */
export function report(
  what: string,
  ours: readonly Turn[],
  theirs: readonly Turn[],
  target: string,
  cpuTarget: string | null = null,
): void {
  for (const [label, turns] of [
    ['gateway', ours],
    ['bare', theirs],
  ] as const) {
    const of = (pick: (turn: Turn) => number) => median(turns.map(pick))
    console.log(
      `${label.padEnd(8)} ${what}: ${of((t) => t.perSecond).toFixed(0)}/s, ${of((t) => t.cpuUs).toFixed(0)} us CPU, p50 ${of((t) => t.p50)} ms, p99 ${of((t) => t.p99)} ms`,
    )
  }
  const ratio = (pick: (turn: Turn) => number) => (median(ours.map(pick)) / median(theirs.map(pick))).toFixed(2)
  console.log(`ratio of requests a second: ${ratio((t) => t.perSecond)} (target ${target})`)
  if (cpuTarget !== null) console.log(`ratio of CPU a request: ${ratio((t) => t.cpuUs)} (target at most ${cpuTarget})`)
}
