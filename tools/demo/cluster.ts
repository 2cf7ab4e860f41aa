/**
 * `npm run cluster`: starts three gateways behind a balancer, two media hosts and a sandbox on this machine, with the
 * PostgreSQL of DATABASE_URL and the Redis of REDIS_URL (without them cluster-needs.ts finds those of this machine). A
 * bot talks in a call, the gateway that owns it is killed, and the call goes on. The cluster runs until Ctrl-C; with
 * `-- --once` it ends after the call, with 0 when every step succeeded, else 1. PORT (3000, or any free one when that
 * is taken) is the balancer's, MEDIA_PORT (any free one) that of the first media host. Secrets, node names and files
 * are kept in CLUSTER_DIR (./cluster-data).
 */
import { Balancer } from './balancer.ts'
import { clusterNeeds } from './cluster-needs.ts'
import { ClusterPrograms, clusterSecrets } from './cluster-programs.ts'
import { tellClusterStory } from './cluster-story.ts'
import { Report } from './report.ts'
import { Rest } from './rest.ts'

const GATEWAYS = 3
const MEDIA_HOSTS = 2
/** The default of PORT ([configuration.variables.1]). */
const USUAL_PORT = 3000

async function startAll(report: Report, programs: ClusterPrograms, balancer: Balancer): Promise<void> {
  await report.step('start a sandbox and two media hosts', async () => {
    await programs.startOthers(MEDIA_HOSTS)
    return [
      undefined,
      `sandbox :${programs.sandboxPort}, realtime ${programs.mediaHosts.map((host) => `:${host.port('mediaPort')}`).join(' ')}`,
    ] as const
  })
  await report.step('start three gateways behind a balancer', async () => {
    // The first gateway creates the tables, so it starts alone.
    await programs.startGateway(1)
    await Promise.all(Array.from({ length: GATEWAYS - 1 }, (_, index) => programs.startGateway(index + 2)))
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

async function show(env: NodeJS.ProcessEnv): Promise<void> {
  const report = new Report()
  const folder = env['CLUSTER_DIR'] || './cluster-data'
  const secrets = await clusterSecrets(folder, env)
  const balancer = await Balancer.listenOn({ given: env['PORT'], usual: USUAL_PORT, host: env['HOST'] || '127.0.0.1' })
  const base = `http://localhost:${balancer.port}`
  const programs = new ClusterPrograms(folder, secrets, base, env)
  try {
    await startAll(report, programs, balancer)
    console.log(card(base, programs, secrets.tenantKey))
    const killed = await tellClusterStory(
      {
        programs,
        base,
        tenant: new Rest(base, secrets.tenantKey),
        control: new Rest(`http://127.0.0.1:${programs.sandboxPort}`),
      },
      report,
    )
    report.print()
    if (process.argv.includes('--once')) return
    await programs.startGateway(Number(killed.name.split(' ')[1]))
    balancer.use(programs.nodes())
    console.log(
      `${card(base, programs, secrets.tenantKey)}\n  ${killed.name} runs again. Try it yourself: kill -9 any of them. Ctrl-C ends all.`,
    )
    await untilStopped()
  } catch (error) {
    process.exitCode = 1
    report.print()
    console.error(error)
  } finally {
    balancer.close()
    await programs.stop()
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
