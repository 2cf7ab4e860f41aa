import { userInfo } from 'node:os'
import test from 'ava'
import { rulesOf } from '../actors/sending/rules.ts'
import { ConfigError, readConfig, readMediaHostConfig } from '../src/config.ts'
import type { OfficialFacts } from '../src/domain/official.ts'
import { generateApiKey } from '../src/domain/api-key.ts'

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

// [configuration.variables.1] [configuration.variables.4] [configuration.variables.17]
test('an empty environment is complete: embedded database, sandbox on', (t) => {
  const config = readConfig({})
  t.true(config.isSandboxOn)
  t.is(config.databaseUrl, null)
  t.is(config.port, 3000)
  t.deepEqual(config.media.egressAllow, ['127.0.0.0/8', '::1'])
})

// [configuration.start.1] [configuration.variables.19]
test('a wrong environment lists every fault, each naming its variable', (t) => {
  const faults = faultsOf({
    PORT: 'x',
    DATABASE_URL: 'mysql://a',
    ENCRYPTION_KEY: 'short',
    SANDBOX: 'maybe',
    LOG_LEVEL: 'loud',
  })
  for (const name of ['PORT', 'DATABASE_URL', 'ENCRYPTION_KEY', 'SANDBOX', 'LOG_LEVEL']) {
    t.true(
      faults.some((fault) => fault.startsWith(`${name}:`)),
      name,
    )
  }
})

test('ENCRYPTION_KEY is one key of 32 bytes or a list of such keys, and each is checked', (t) => {
  const [key, other] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')]
  for (const keys of [key, `${key},${other}`, `${key}, ${other}`])
    t.is(readConfig({ ENCRYPTION_KEY: keys }).encryptionKey, keys)
  for (const keys of [`${key},`, `${key},short`, `${key}${other}`, ','])
    t.regex(faultsOf({ ENCRYPTION_KEY: keys }).join(), /^ENCRYPTION_KEY:/, keys)
})

// [configuration.variables.4]
test('a database without a user is that of PGUSER, else of whoever starts the program', (t) => {
  const needed = { INTERNAL_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') }
  const urlOf = (env: Record<string, string>) => readConfig({ ...needed, ...env }).databaseUrl
  t.is(urlOf({ DATABASE_URL: 'postgres://localhost/x', PGUSER: 'ann@home' }), 'postgres://ann%40home@localhost/x')
  t.is(urlOf({ DATABASE_URL: 'postgres://localhost/x' }), `postgres://${userInfo().username}@localhost/x`)
  t.is(urlOf({ DATABASE_URL: 'postgres://bob:secret@localhost/x', PGUSER: 'ann' }), 'postgres://bob:secret@localhost/x')
})

test('missing variables are listed together with wrong ones', (t) => {
  const faults = faultsOf({ DATABASE_URL: 'postgres://localhost/x', PORT: 'x' })
  t.deepEqual(
    faults.map((fault) => fault.split(':')[0]),
    ['PORT', 'INTERNAL_SECRET', 'ENCRYPTION_KEY'],
  )
})

// [configuration.variables.16]
test('a tenant key that would be refused as a typo is a fault', (t) => {
  const key = generateApiKey()
  t.is(readConfig({ BOOTSTRAP_TENANT_KEY: key }).bootstrapTenantKey, key)
  t.regex(
    faultsOf({ BOOTSTRAP_TENANT_KEY: key.slice(0, -1) + (key.endsWith('0') ? '1' : '0') }).join(),
    /^BOOTSTRAP_TENANT_KEY:/,
  )
})

// [configuration.variables.17]
test('EGRESS_ALLOW takes addresses, CIDRs and host names', (t) => {
  const entries = ['10.1.2.3', '10.0.0.0/8', '::1', 'fd00::/8', 'localhost', 'hooks.internal', 'my_service']
  t.deepEqual(readConfig({ EGRESS_ALLOW: entries.join(', ') }).egressAllow, entries)
  for (const entry of ['10.0.0.0/33', '10.0.0/8', '300.1.1.1', 'http://a', 'a/b', 'fd00::/129']) {
    t.regex(faultsOf({ EGRESS_ALLOW: entry }).join(), /^EGRESS_ALLOW:/, entry)
  }
})

// [configuration.variables.26]
test('MCP_ALLOWED_ORIGINS takes origins as browsers write them, and *', (t) => {
  t.deepEqual(readConfig({}).mcpAllowedOrigins, [])
  t.deepEqual(
    readConfig({ MCP_ALLOWED_ORIGINS: 'https://agent.example, http://localhost:6274,chrome-extension://abc' })
      .mcpAllowedOrigins,
    ['https://agent.example', 'http://localhost:6274', 'chrome-extension://abc'],
  )
  t.deepEqual(readConfig({ MCP_ALLOWED_ORIGINS: '*' }).mcpAllowedOrigins, ['*'])
  for (const entry of [
    'agent.example',
    'https://agent.example/',
    'https://Agent.example',
    'https://a@agent.example',
    'null',
    'https://*.example/x',
  ])
    t.regex(faultsOf({ MCP_ALLOWED_ORIGINS: entry }).join(), /^MCP_ALLOWED_ORIGINS:/, entry)
})

// [configuration.variables.18]
test('TRUSTED_PROXIES takes addresses and CIDRs, and none by default', (t) => {
  t.deepEqual(readConfig({}).trustedProxies, [])
  t.deepEqual(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1,fd00::/8,192.0.2.7' }).trustedProxies, [
    '10.0.0.0/8',
    '::1',
    'fd00::/8',
    '192.0.2.7',
  ])
  for (const entry of ['10.0.0.0/33', '10.0.0/8', 'localhost', 'true', '*', 'fd00::/129', '10.0.0.0/8/8'])
    t.regex(faultsOf({ TRUSTED_PROXIES: entry }).join(), /^TRUSTED_PROXIES:/, entry)
})

// [configuration.variables.10] [configuration.variables.11]
test('DATABASE_URL requires both secrets', (t) => {
  t.deepEqual(
    faultsOf({ DATABASE_URL: 'postgres://localhost/x' }).map((fault) => fault.split(':')[0]),
    ['INTERNAL_SECRET', 'ENCRYPTION_KEY'],
  )
})

// [configuration.variables.29] [configuration.variables.31]
test('a node is named by NODE_ID, and its leases last 6 s, or 15 s where nobody else can take them', (t) => {
  const secrets = { INTERNAL_SECRET: 'a-long-enough-secret', ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') }
  t.like(readConfig({}), { nodeId: null, leaseTtlMs: 15_000, drainMs: 30_000 })
  t.like(
    readConfig({ DATABASE_URL: 'postgres://localhost/x', NODE_ID: 'gateway-0.eu', DRAIN_SECONDS: '5', ...secrets }),
    { nodeId: 'gateway-0.eu', leaseTtlMs: 6_000, drainMs: 5_000 },
  )
  t.is(readConfig({ LEASE_TTL_MS: '9000' }).leaseTtlMs, 9_000)
  t.deepEqual(
    faultsOf({ NODE_ID: 'a b', LEASE_TTL_MS: '10', DRAIN_SECONDS: '-1' }).map((fault) => fault.split(':')[0]),
    ['NODE_ID', 'LEASE_TTL_MS', 'DRAIN_SECONDS'],
  )
})

test('a gateway that is told to end goes on accepting for 5 s, or as long as is asked, and at most half of what it has', (t) => {
  const delayOf = (env: Record<string, string>) => readConfig(env).shutdownDelayMs
  t.deepEqual(
    [
      delayOf({}),
      delayOf({ SHUTDOWN_DELAY_SECONDS: '0' }),
      delayOf({ SHUTDOWN_DELAY_SECONDS: '12' }),
      delayOf({ DRAIN_SECONDS: '6' }),
    ],
    [5_000, 0, 12_000, 3_000],
  )
})

// [configuration.variables.34]
test('DATABASE_READ_URL is of use beside DATABASE_URL alone', (t) => {
  const readUrl = 'postgres://replica/x'
  t.regex(faultsOf({ DATABASE_READ_URL: readUrl }).join(), /^DATABASE_READ_URL:/)
  t.is(
    readConfig({
      DATABASE_READ_URL: readUrl,
      DATABASE_URL: 'postgres://localhost/x',
      INTERNAL_SECRET: 'a-long-enough-secret',
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    }).databaseReadUrl,
    `postgres://${userInfo().username}@replica/x`,
  )
  t.notThrows(() => readMediaHostConfig({ DATABASE_READ_URL: readUrl, INTERNAL_SECRET: 'a-long-enough-secret' }))
})

// [configuration.variables.12] [configuration.variables.15] [configuration.variables.17]
test('the sandbox is off once a database or an upstream is set, unless asked for', (t) => {
  const secrets = { INTERNAL_SECRET: 'a-long-enough-secret', ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') }
  t.false(readConfig({ DATABASE_URL: 'postgres://localhost/x', ...secrets }).isSandboxOn)
  t.false(readConfig({ DEVICE_BRIDGE_URL: 'ws://localhost:9' }).isSandboxOn)
  t.true(readConfig({ DATABASE_URL: 'postgres://localhost/x', SANDBOX: 'on', ...secrets }).isSandboxOn)
  t.deepEqual(readConfig({ SANDBOX: 'off' }).media.egressAllow, [])
})

// [configuration.variables.15] [engine-fleet.register.6]
test('engines are those of one address, or those that are registered, which needs a Redis', (t) => {
  const redis = { REDIS_URL: 'redis://localhost' }
  t.is(readConfig({ DEVICE_BRIDGE_URL: 'ws://localhost:9/' }).deviceBridge, 'ws://localhost:9')
  t.is(readConfig({ ...redis, DEVICE_BRIDGE_URL: 'register' }).deviceBridge, 'register')
  t.false(readConfig({ ...redis, DEVICE_BRIDGE_URL: 'register' }).isSandboxOn)
  t.regex(faultsOf({ DEVICE_BRIDGE_URL: 'register' }).join(), /^DEVICE_BRIDGE_URL: register needs REDIS_URL/)
  t.regex(faultsOf({ DEVICE_BRIDGE_URL: 'http://x' }).join(), /^DEVICE_BRIDGE_URL: must be a URL starting with ws/)
})

test('an empty variable counts as unset', (t) => {
  t.is(readConfig({ DATABASE_URL: '', PORT: '' }).port, 3000)
})

test('a media host refuses to start without the internal secret', (t) => {
  t.throws(() => readMediaHostConfig({}), { instanceOf: ConfigError, message: /INTERNAL_SECRET/ })
})

test('a number sends at the pace that the environment sets, or else at the default pace of its kind', (t) => {
  const { sending } = readConfig({ OFFICIAL_SENDS_PER_SECOND: '16', UNOFFICIAL_RECIPIENT_SECONDS: '3' })
  const [official, unofficial] = (['OFFICIAL', 'UNOFFICIAL'] as const).map((provider) => rulesOf({ provider }, sending))
  t.like(official, {
    number: { atOnce: 2, everyMs: 62.5 },
    pair: { atOnce: 45, everyMs: 6_000 },
    isDeduplicated: false,
  })
  t.like(unofficial, { number: { atOnce: 3, everyMs: 50 }, pair: { atOnce: 1, everyMs: 3_000 }, isDeduplicated: true })
})

// [message-verbs.pace.5]
test('the pace of sending is what upstream names on OFFICIAL, one a second for a recipient on UNOFFICIAL, and 0 is no limit', (t) => {
  const { sending } = readConfig({})
  const named = (perSecond: number | null) =>
    rulesOf({ provider: 'OFFICIAL', official: { perSecond } as OfficialFacts }, sending).number
  t.deepEqual(
    [1_000, 20, null].map((perSecond) => 1_000 / named(perSecond).everyMs),
    [1_000, 20, 80],
  )
  t.deepEqual(sending.paces.UNOFFICIAL.pair, { atOnce: 1, everyMs: 1_000 })
  t.is(sending.reconcileMs, 20_000)
  t.is(readConfig({ UNOFFICIAL_RECIPIENT_SECONDS: '0' }).sending.paces.UNOFFICIAL.pair.everyMs, 0)
  t.deepEqual(readConfig({ OFFICIAL_SENDS_PER_SECOND: '0' }).sending.paces.OFFICIAL.number, { atOnce: 0, everyMs: 0 })
  t.throws(() => readConfig({ UNOFFICIAL_SENDS_PER_SECOND: 'fast' }), {
    instanceOf: ConfigError,
    message: /UNOFFICIAL_SENDS_PER_SECOND/,
  })
})

// [configuration.variables.27] [configuration.variables.28]
test('leads and the names of their ads are asked for again as the contract says, or as the environment does', (t) => {
  const { leads, ads } = readConfig({})
  t.deepEqual(
    leads.retryMs,
    [5, 30, 120, 600, 3_600, 21_600, 43_200].map((seconds) => seconds * 1_000),
  )
  t.deepEqual(
    ads.retryMs,
    [5, 60, 600, 3_600, 21_600, 86_400].map((seconds) => seconds * 1_000),
  )
  t.deepEqual(readConfig({ LEAD_RETRY_SECONDS: '0.5, 2' }).leads.retryMs, [500, 2_000])
  t.throws(() => readConfig({ LEAD_RETRY_SECONDS: '5,soon' }), {
    instanceOf: ConfigError,
    message: /LEAD_RETRY_SECONDS/,
  })
})

const SHARED = {
  DATABASE_URL: 'postgres://localhost/x',
  REDIS_URL: 'redis://localhost',
  INTERNAL_SECRET: 'a secret of a test',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
}

// [media-hosts.register.2] [configuration.variables.9]
test('media hosts are those registered where nodes share database and Redis and no sandbox runs, else a child; MEDIA_HOSTS says otherwise', (t) => {
  t.is(readConfig({}).mediaHosts, 'child')
  t.is(readConfig({ REDIS_URL: 'redis://localhost' }).mediaHosts, 'child')
  t.is(readConfig(SHARED).mediaHosts, 'register')
  t.is(readConfig({ ...SHARED, SANDBOX: 'on' }).mediaHosts, 'child')
  t.is(readConfig({ ...SHARED, MEDIA_HOSTS: 'child' }).mediaHosts, 'child')
  t.is(readConfig({ REDIS_URL: 'redis://localhost', MEDIA_HOSTS: 'register' }).mediaHosts, 'register')
  t.deepEqual(readConfig({ ...SHARED, MEDIA_HOSTS: 'ws://a:3011, wss://b/control' }).mediaHosts, [
    'ws://a:3011/control',
    'wss://b/control',
  ])
  t.regex(faultsOf({ MEDIA_HOSTS: 'register' }).join(), /^MEDIA_HOSTS: register needs REDIS_URL/)
  t.regex(faultsOf({ MEDIA_HOSTS: 'http://a' }).join(), /^MEDIA_HOSTS/)
})

// [configuration.variables.31] [configuration.variables.32]
test('several workers need addresses that tell them apart', (t) => {
  const config = readMediaHostConfig({
    ...SHARED,
    MEDIA_WORKERS: 'auto',
    MEDIA_PUBLIC_URL: 'wss://media.example:{port}/',
    MEDIA_ADVERTISE_CONTROL: 'ws://10.0.0.1:{port}',
    DRAIN_SECONDS: '30',
  })
  t.like(config, {
    workers: 'auto',
    publicUrl: 'wss://media.example:{port}',
    advertiseControl: 'ws://10.0.0.1:{port}',
    drainMs: 30_000,
    redisUrl: 'redis://localhost',
  })
  t.like(readMediaHostConfig(SHARED), { workers: 1, drainMs: 600_000, advertiseControl: null })
  t.regex(
    faultsOf({ MEDIA_WORKERS: '2', MEDIA_PUBLIC_URL: 'wss://media.example' }).join(),
    /^MEDIA_PUBLIC_URL: must hold \{port\} or \{worker\}/,
  )
  t.regex(
    faultsOf({ MEDIA_WORKERS: '2', MEDIA_ADVERTISE_CONTROL: 'ws://10.0.0.1:3011' }).join(),
    /^MEDIA_ADVERTISE_CONTROL:/,
  )
  for (const wrong of ['0', '1.5', 'all']) t.regex(faultsOf({ MEDIA_WORKERS: wrong }).join(), /^MEDIA_WORKERS:/)
  t.regex(faultsOf({ MEDIA_PUBLIC_URL: 'https://media.example' }).join(), /^MEDIA_PUBLIC_URL:/)
})

// [operation.traces.1]
test('spans go to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, with its headers, all of them by default', (t) => {
  t.is(readConfig({}).traces, null)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/' }
  t.deepEqual(readConfig(env).traces, { endpoint: 'https://collector.example/otlp', headers: {}, share: 1 })
  const more = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20key, x-team=a=b', OTEL_TRACES_SAMPLER_ARG: '0.1' }
  t.like(readConfig({ ...env, ...more }).traces, {
    headers: { authorization: 'Bearer key', 'x-team': 'a=b' },
    share: 0.1,
  })
  for (const wrong of ['key', 'na me=x', '=x', 'a=%zz', 'a=%0a'])
    t.regex(faultsOf({ ...env, OTEL_EXPORTER_OTLP_HEADERS: wrong }).join(), /^OTEL_EXPORTER_OTLP_HEADERS:/)
  for (const wrong of ['-1', '1.1', 'all'])
    t.regex(faultsOf({ ...env, OTEL_TRACES_SAMPLER_ARG: wrong }).join(), /^OTEL_TRACES_SAMPLER_ARG:/)
})

// [operation.files.1] [operation.files.2]
test('files are in the bucket that FILES_URL names, with the credentials beside it', (t) => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  t.is(readConfig({}).files, null)
  t.deepEqual(readConfig({ FILES_URL: 's3://files', ...keys }).files, {
    url: 'https://files.s3.us-east-1.amazonaws.com',
    prefix: '',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    sessionToken: null,
    isLinked: false,
  })
  const own = 's3://files/cms/one/?endpoint=http://10.0.0.1:9000/&region=eu-1'
  t.like(readConfig({ FILES_URL: own, ...keys, AWS_SESSION_TOKEN: 'token' }).files, {
    url: 'http://10.0.0.1:9000/files',
    prefix: 'cms/one/',
    region: 'eu-1',
    sessionToken: 'token',
  })
  // [operation.files.4]
  t.true(readConfig({ FILES_URL: 's3://files', ...keys, FILES_REDIRECT: 'on' }).files?.isLinked)
  t.deepEqual(faultsOf({ FILES_REDIRECT: 'on' }), ['FILES_REDIRECT: is of use only together with FILES_URL'])
  t.deepEqual(faultsOf({ FILES_URL: 's3://files' }), [
    'AWS_ACCESS_KEY_ID: is required together with FILES_URL',
    'AWS_SECRET_ACCESS_KEY: is required together with FILES_URL',
  ])
  for (const wrong of ['files', 'https://files', 's3://a', 's3://files?zone=1', 's3://files?endpoint=nowhere'])
    t.regex(faultsOf({ FILES_URL: wrong, ...keys }).join(), /^FILES_URL: must be s3:/)
})
