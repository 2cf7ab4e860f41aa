/**
 * `npm run cluster`: starts three gateways behind a balancer, two media hosts and a sandbox on this machine, with the
 * PostgreSQL of DATABASE_URL and the Redis of REDIS_URL (without them cluster-needs.ts finds those of this machine). A
 * bot talks in a call, the gateway that owns it is killed, and the call goes on. The cluster runs until Ctrl-C; with
 * `-- --once` it ends after the call, with 0 when every step succeeded, else 1. PORT (3000, or any free one when that
 * is taken) is the balancer's, MEDIA_PORT (any free one) that of the first media host. Secrets, node names and files
 * are kept in CLUSTER_DIR (./cluster-data).
 *
 * With `-- --engines 3` numbers are on so many engines of QR-paired numbers over the offline network of their tests
 * instead of the sandbox; the engine that holds a number is killed, and another one opens it without a scan.
 */
import { parseArgs } from 'node:util'
import { Balancer } from './balancer.ts'
import { startClusterEngines, tellEnginesStory } from './cluster-engines.ts'
import { clusterNeeds } from './cluster-needs.ts'
import { ClusterPrograms, clusterSecrets, type ClusterSecrets } from './cluster-programs.ts'
import { tellClusterStory } from './cluster-story.ts'
import { Report } from './report.ts'
import { Rest } from './rest.ts'

const { values: options } = parseArgs({
  options: { once: { type: 'boolean' }, engines: { type: 'string' } },
})

const GATEWAYS = 3
const MEDIA_HOSTS = 2
/** The default of PORT ([configuration.variables.1]). */
const USUAL_PORT = 3000
/** What gateways are told to find engines by the register. A token of the operator's would win over the derived one. */
const ON_ENGINES = { DEVICE_BRIDGE_URL: 'register', DEVICE_BRIDGE_TOKEN: '' }

/** How many engines `--engines` asks for; null without it. Throws when that is not 2 to 9. */
function enginesAsked(values: { readonly engines?: string | undefined }): number | null {
  if (values.engines === undefined) return null
  if (!/^[2-9]$/.test(values.engines))
    throw new Error('--engines takes 2 to 9: one is killed, so another must be there')
  return Number(values.engines)
}

async function startAll(
  report: Report,
  programs: ClusterPrograms,
  balancer: Balancer,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  await report.step('start a sandbox and two media hosts', async () => {
    await programs.startOthers(MEDIA_HOSTS)
    return [
      undefined,
      `sandbox :${programs.sandboxPort}, realtime ${programs.mediaHosts.map((host) => `:${host.port('mediaPort')}`).join(' ')}`,
    ] as const
  })
  await report.step('start three gateways behind a balancer', async () => {
    // The first gateway creates the tables, so it starts alone.
    await programs.startGateway(1, more)
    await Promise.all(Array.from({ length: GATEWAYS - 1 }, (_, index) => programs.startGateway(index + 2, more)))
    balancer.use(programs.nodes())
    return [
      undefined,
      `gateways ${programs
        .nodes()
        .map(({ port }) => `:${port}`)
        .join(' ')}, balancer :${balancer.port}`,
    ] as const
  })
}

function card(base: string, programs: ClusterPrograms, tenantKey: string): string {
  const rows = [
    ['REST', `${base}/v1`],
    ['Docs', `${base}/docs`],
    ['Sandbox', `http://127.0.0.1:${programs.sandboxPort}/control`],
    ...programs.nodes().map(({ name, port }) => [name, `http://127.0.0.1:${port}/health/ready`] as const),
    ['Tenant key', tenantKey],
  ] as const
  return `\n${rows.map(([name, value]) => `  ${name.padEnd(12)}${value}`).join('\n')}\n`
}

async function untilStopped(): Promise<void> {
  await new Promise<void>((resolve) => {
    const idle = setInterval(() => {}, 60_000)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        clearInterval(idle)
        resolve()
      })
    }
  })
}

async function main(): Promise<void> {
  const needs = await clusterNeeds(process.env)
  try {
    await show({ ...process.env, DATABASE_URL: needs.databaseUrl, REDIS_URL: needs.redisUrl })
  } finally {
    await needs.stop()
  }
}

/** What both stories are told with. */
interface Stage {
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly secrets: ClusterSecrets
  readonly base: string
  readonly programs: ClusterPrograms
  readonly balancer: Balancer
  readonly report: Report
}

async function show(env: NodeJS.ProcessEnv): Promise<void> {
  const count = enginesAsked(options)
  const report = new Report()
  const folder = env['CLUSTER_DIR'] || './cluster-data'
  const secrets = await clusterSecrets(folder, env)
  const balancer = await Balancer.listenOn({ given: env['PORT'], usual: USUAL_PORT, host: env['HOST'] || '127.0.0.1' })
  const base = `http://localhost:${balancer.port}`
  const programs = new ClusterPrograms(folder, secrets, base, env)
  const stage: Stage = { env, folder, secrets, base, programs, balancer, report }
  try {
    await startAll(report, programs, balancer, count === null ? {} : ON_ENGINES)
    console.log(card(base, programs, secrets.tenantKey))
    await (count === null ? showCall(stage) : showEngines(stage, count))
  } catch (error) {
    process.exitCode = 1
    report.print()
    console.error(error)
  } finally {
    balancer.close()
    await programs.stop()
  }
}

/** Kills the gateway of a call. */
async function showCall({ programs, base, secrets, balancer, report }: Stage): Promise<void> {
  const tenant = new Rest(base, secrets.tenantKey)
  const control = new Rest(`http://127.0.0.1:${programs.sandboxPort}`)
  const killed = await tellClusterStory({ programs, base, tenant, control }, report)
  report.print()
  if (options.once) return
  await programs.startGateway(Number(killed.name.split(' ')[1]))
  balancer.use(programs.nodes())
  await stay({ programs, base, secrets }, `${killed.name} runs again.`)
}

/** Kills the engine of a number. */
async function showEngines({ env, folder, secrets, base, programs, report }: Stage, count: number): Promise<void> {
  const settings = {
    folder,
    databaseUrl: env['DATABASE_URL'] ?? '',
    redisUrl: env['REDIS_URL'] ?? '',
    internalSecret: secrets.internalSecret,
    key: secrets.encryptionKey,
  }
  const engines = await report.step('start the offline network and the engines', async () => {
    const started = await startClusterEngines(settings, count)
    return [started, `${started.running} engines`] as const
  })
  try {
    await tellEnginesStory({ engines, base, tenant: new Rest(base, secrets.tenantKey) }, report)
    report.print()
    if (!options.once) await stay({ programs, base, secrets }, `${engines.running} engines run.`)
  } finally {
    await engines.stop()
  }
}

/** Leaves the cluster to whoever looks at it. */
async function stay(
  { programs, base, secrets }: Pick<Stage, 'programs' | 'base' | 'secrets'>,
  what: string,
): Promise<void> {
  console.log(
    `${card(base, programs, secrets.tenantKey)}\n  ${what} Try it yourself: kill -9 any of them. Ctrl-C ends all.`,
  )
  await untilStopped()
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
