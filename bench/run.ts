/**
 * `npm run bench`: runs every benchmark one after another, each in a process of its own. `npm run bench -- http` runs
 * one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'

const BENCHES: Readonly<Record<string, readonly string[]>> = {
  actors: ['--expose-gc', 'actors.ts'],
  batch: ['batch/bench.ts'],
  cluster: ['cluster/bench.ts'],
  cost: ['cost/bench.ts'],
  dashboard: ['dashboard/bench.ts'],
  engine: ['engine.ts'],
  'engine-idle': ['../engines/baileys/bench/idle.ts'],
  fleet: ['fleet/bench.ts'],
  files: ['files/bench.ts'],
  flows: ['flows/bench.ts'],
  growth: ['growth/bench.ts'],
  'growth-others': ['growth/others.ts'],
  http: ['http/bench.ts'],
  identities: ['identities/bench.ts'],
  leads: ['leads/bench.ts'],
  inbound: ['inbound/bench.ts'],
  media: ['media/bench.ts'],
  networks: ['media/networks.ts'],
  neighbour: ['neighbour/bench.ts'],
  pages: ['pages/bench.ts'],
  playback: ['playback/bench.ts'],
  rest: ['rest/bench.ts'],
  rows: ['rows.ts'],
  send: ['send/bench.ts'],
  sockets: ['sockets/bench.ts'],
  tables: ['tables.ts'],
  takeover: ['takeover/bench.ts'],
  templates: ['templates/bench.ts'],
  tools: ['tools/bench.ts'],
  traces: ['traces/bench.ts'],
  voice: ['voice/bench.ts'],
  webhooks: ['webhooks/bench.ts'],
}

const wanted = process.argv.slice(2)
const names = Object.keys(BENCHES).filter((name) => wanted.length === 0 || wanted.includes(name))
console.log(`${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`)
for (const name of names) {
  console.log(`\n== ${name}`)
  const [flags, file] = [BENCHES[name]?.slice(0, -1) ?? [], BENCHES[name]?.at(-1) ?? '']
  const child = spawn(
    process.execPath,
    [...flags, '--disable-warning=ExperimentalWarning', new URL(file, import.meta.url).pathname],
    { stdio: 'inherit' },
  )
  const [code] = await once(child, 'exit')
  if (code !== 0) process.exitCode = 1
}
