import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import ipaddr from 'ipaddr.js'
import { parse } from 'yaml'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COMPOSE = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')
const CONFIG = ['src/config.ts', 'src/config/variables.ts', 'engines/baileys/process/config.ts']
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n')
/** Variables that the service does not read: those of other images and of the cluster demo. */
const OTHERS = new Set([
  'POSTGRES_USER',
  'POSTGRES_DB',
  'POSTGRES_PASSWORD',
  'CLUSTER_DIR',
  'MINIO_ROOT_USER',
  'MINIO_ROOT_PASSWORD',
  'GF_SECURITY_ADMIN_PASSWORD',
])

/** The blocks below `services:`, which are indented by two spaces, by name. */
function servicesOf(text: string): Map<string, string> {
  const [, services = ''] = /^services:\n([\s\S]*?)^\S/m.exec(text) ?? []
  return new Map(services.split(/^(?= {2}[\w-]+:$)/m).map((part) => [/^ {2}([\w-]+):/.exec(part)?.[1] ?? '', part]))
}

test('the composition gives no variable that the service does not know', (t) => {
  const given = [...COMPOSE.matchAll(/^ +([A-Z][A-Z_]+): /gm)]
    .map(([, name = '']) => name)
    .filter((name) => !OTHERS.has(name))
  t.true(given.length > 12)
  t.deepEqual(
    given.filter((name) => !CONFIG.includes(`  ${name}: `) && !CONFIG.includes(`'${name}'`)),
    [],
  )
})

test('the balancer knows every gateway, media hosts announce sockets and RTP ports of their own, and what is mounted is there', (t) => {
  const services = servicesOf(COMPOSE)
  const gateways = [...services.keys()].filter((name) => name.startsWith('gateway'))
  t.deepEqual(gateways, ['gateway-1', 'gateway-2'])
  const balancer = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8')
  // A ready gateway answers within 2 s, even while its database is away.
  t.regex(balancer, /^ +timeout check 3s$/m)
  t.deepEqual(
    [...balancer.matchAll(/^ +server (\S+) (\S+)$/gm)].map(([, name, address]) => [name, address]),
    gateways.map((name) => [name, `${name}:3000`]),
  )
  const hosts = [...services].filter(([name]) => name.startsWith('media-host')).map(([, text]) => text)
  t.is(hosts.length, 2)
  for (const own of [/MEDIA_PUBLIC_URL: (.+)/, /RTP_PORTS: (.+)/, /"([\d-]+):[\d-]+\/udp"/, /:-(\d+)\}:3001"/]) {
    const values = hosts.map((text) => own.exec(text)?.[1])
    t.is(new Set(values).size, 2, String(values))
    t.false(values.includes(undefined))
  }
  for (const text of hosts) t.is(/RTP_PORTS: (.+)/.exec(text)?.[1], /"([\d-]+):[\d-]+\/udp"/.exec(text)?.[1])
  for (const [, path = ''] of COMPOSE.matchAll(/"(\.\/[^:"]+):/g)) t.true(existsSync(join(ROOT, path)), path)
  for (const [, volume = ''] of COMPOSE.matchAll(/"([\w-]+):\/data/g))
    t.regex(COMPOSE, new RegExp(`^  ${volume}:$`, 'm'))
})

test('gateways trust the balancer alone, at an address that no other container gets, and what a client says of itself is replaced there (security case 11)', (t) => {
  const settingOf = (line: RegExp) => /\$\{\w+:-([\d./]+)\}/.exec(line.exec(COMPOSE)?.[0] ?? '')?.[1] ?? ''
  const address = ipaddr.parse(settingOf(/^ +ipv4_address: .*/m))
  t.is(settingOf(/^ +TRUSTED_PROXIES: .*/m), address.toString())
  t.true(address.match(ipaddr.parseCIDR(settingOf(/- subnet: .*/))))
  t.false(address.match(ipaddr.parseCIDR(settingOf(/ip_range: .*/))))
  const balancer = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8').replaceAll(/#.*/g, '')
  t.regex(balancer, /^frontend rest\n[\s\S]*?^ +http-request set-header x-forwarded-for %\[src\]$/m)
  t.notRegex(balancer, /forwardfor/)
})

test('a container has more time to stop than its program waits', (t) => {
  t.regex(COMPOSE, /x-gateway:[\s\S]*?stop_grace_period: 40s/)
  t.regex(COMPOSE, /x-media-host:[\s\S]*?stop_grace_period: 620s/)
  t.regex(COMPOSE, /x-engine:[\s\S]*?stop_grace_period: 60s/)
  t.regex(CONFIG, /MEDIA_DRAIN_SECONDS = 600/)
})

interface Service {
  readonly command?: readonly string[]
  readonly profiles?: readonly string[]
  readonly image: string
  readonly volumes?: readonly string[]
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly cap_drop?: readonly string[]
}

const { services: SERVICES, volumes: VOLUMES } = parse(COMPOSE, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: object
}

test('[operation.packages.1] profiles add engines, monitoring, an S3 server and a sandbox, whose files and volumes are there', (t) => {
  const ofProfile = (profile: string) =>
    Object.keys(SERVICES).filter((name) => SERVICES[name]?.profiles?.includes(profile))
  t.deepEqual(ofProfile('engine'), ['engine-1', 'engine-2'])
  t.deepEqual(ofProfile('monitoring'), ['prometheus', 'grafana'])
  t.deepEqual(ofProfile('s3'), ['s3'])
  t.deepEqual(ofProfile('sandbox'), ['sandbox'])
  for (const { command, volumes = [] } of Object.values(SERVICES)) {
    if (command?.[0] === 'node') t.true(existsSync(join(ROOT, command.at(-1) ?? '')), String(command))
    for (const [from = ''] of volumes.map((volume) => volume.split(':')))
      t.true(from.startsWith('./') ? existsSync(join(ROOT, from)) : from in VOLUMES, from)
  }
})

test('[operation.packages.2] gateways, media hosts and engines run on a read-only root file system without privileges', (t) => {
  const own = Object.entries(SERVICES).filter(([name]) => /^(?:gateway|media-host|engine)-\d$/.test(name))
  t.is(own.length, 6)
  for (const [name, service] of own)
    t.like(service, { read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'], image: 'channel-messaging-service' }, name)
})

test('Prometheus reads every process of the composition, by the rules and the port of each', (t) => {
  const { scrape_configs: jobs, rule_files: rules } = parse(
    readFileSync(join(ROOT, 'deploy/monitoring/prometheus.yml'), 'utf8'),
  ) as {
    readonly rule_files: readonly string[]
    readonly scrape_configs: readonly {
      readonly job_name: string
      readonly static_configs: readonly { readonly targets: readonly string[] }[]
    }[]
  }
  t.deepEqual(
    jobs.flatMap(({ static_configs: [first] }) => first?.targets.map((target) => target.split(':')[0])),
    Object.keys(SERVICES).filter((name) => /^(?:gateway|media-host|engine)-\d$/.test(name)),
  )
  t.deepEqual(
    jobs.map(({ job_name: job }) => job),
    ['gateway', 'media-host', 'engine'],
  )
  for (const rule of rules) t.true(existsSync(join(ROOT, 'deploy/monitoring', rule)), rule)
})
