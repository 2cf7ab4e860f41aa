/**
 * Tests the load balancer of docker-compose.yml: its configuration runs in a HAProxy on this machine, in front of a
 * gateway that trusts it as in the composition.
 */
import test, { type ExecutionContext } from 'ava'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { freePort } from '../helpers/free-port.ts'
import { Service } from '../helpers/service.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { until } from '../helpers/until.ts'

const CONFIGURATION = new URL('../../deploy/haproxy.cfg', import.meta.url)
/** The program that HAPROXY_PATH names, or an installed one; empty when there is none. */
const HAPROXY =
  process.env['HAPROXY_PATH'] || ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((path) => existsSync(path)) || ''
if (HAPROXY === '')
  process.stderr.write(
    '\n  NO HAPROXY: the tests of the balancer are skipped. Install HAProxy, or name one by HAPROXY_PATH\n\n',
  )
const withHaproxy = HAPROXY === '' ? test.skip : test
/** The address from which the balancer connects to gateways. All of 127.0.0.0/8 belongs to this machine. */
const BALANCER = '127.31.250.2'
/** An address may fail to authenticate this often in a minute before it is refused ([rest.rate-limits.4]). */
const FAILURES = 20

/** The configuration as it is in the repository, except for addresses that exist only in containers. */
function onThisMachine({ port, gateway }: { readonly port: number; readonly gateway: number }): string {
  const replaced = readFileSync(CONFIGURATION, 'utf8')
    .replace('bind :3000', `bind 127.0.0.1:${port}`)
    .replaceAll(/(server gateway-\d) gateway-\d:3000/g, `$1 127.0.0.1:${gateway} source ${BALANCER}`)
  if (replaced.match(/ source /g)?.length !== 2)
    throw new Error('the gateways of the configuration are written otherwise')
  return replaced
}

/** Starts HAProxy in front of the service; returns its port. */
async function startBalancer(t: ExecutionContext, service: Service): Promise<number> {
  const port = await freePort()
  const folder = await temporaryDirectory()
  t.teardown(() => folder.remove())
  const path = join(folder.path, 'haproxy.cfg')
  await writeFile(path, onThisMachine({ port, gateway: Number(service.ports['port']) }))
  const balancer = spawn(HAPROXY, ['-f', path], { stdio: ['ignore', 'ignore', 'pipe'] })
  t.teardown(() => balancer.kill())
  const said = text(balancer.stderr)
  const isUp = () =>
    statusOf({ port, path: '/health/ready' }).then(
      (status) => status === 200,
      () => false,
    )
  await until('the balancer has a gateway', async () => balancer.exitCode !== null || (await isUp()))
  if (balancer.exitCode !== null) throw new Error(`HAProxy ended: ${await said}`)
  return port
}

interface Asked {
  readonly port: number
  readonly path?: string
  /** The local address from which the request is sent. */
  readonly from?: string
  readonly headers?: Record<string, string>
}

async function statusOf({ port, path = '/v1/numbers', from = '127.0.0.1', headers = {} }: Asked): Promise<number> {
  return await new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, headers, localAddress: from, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
    asking.once('error', reject).end()
  })
}

/** Guesses keys from one address. Each request claims another client address. */
async function guess(port: number, from: string, times: number): Promise<number[]> {
  return await Promise.all(
    Array.from({ length: times }, (_, n) =>
      statusOf({
        port,
        from,
        headers: { 'x-api-key': generateApiKey(), 'x-forwarded-for': `203.0.113.${n}, 10.0.0.5` },
      }),
    ),
  )
}

withHaproxy('HAProxy accepts the configuration of the repository', (t) => {
  t.notThrows(() => execFileSync(HAPROXY, ['-c', '-q', '-f', CONFIGURATION.pathname], { stdio: 'pipe' }))
})

withHaproxy(
  'a client behind the balancer counts by its own address, whatever it says of itself, and sees no metrics',
  async (t) => {
    const service = await Service.start({ env: { TRUSTED_PROXIES: BALANCER } })
    t.teardown(() => service.stop())
    const gateway = Number(service.ports['port'])
    const port = await startBalancer(t, service)
    const first = await guess(port, '127.0.1.7', FAILURES)
    t.deepEqual(
      first,
      Array.from({ length: FAILURES }, () => 401),
    )
    await until('a stranger who guesses on is limited', async () =>
      (await guess(port, '127.0.1.7', FAILURES)).includes(429),
    )
    t.deepEqual(await guess(port, '127.0.1.8', FAILURES), first, 'another client of the same balancer')
    t.is(await statusOf({ port, from: '127.0.1.7', headers: { 'x-api-key': service.tenantKey } }), 200, 'who has a key')
    await until('a stranger past the balancer is limited', async () =>
      (await guess(gateway, '127.0.1.9', FAILURES)).includes(429),
    )
    t.deepEqual(
      [await statusOf({ port, path: '/metrics' }), await statusOf({ port: gateway, path: '/metrics' })],
      [403, 200],
    )
  },
)
