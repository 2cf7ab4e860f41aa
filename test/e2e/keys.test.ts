import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { request } from 'undici'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { joinService } from '../helpers/shared-service.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

let service: Service
let number: PairedNumber
let other: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
  other = await service.pairNumber()
})

test('a number key of another number gets 404 CALL_NOT_FOUND on every call route', async (t) => {
  const placed = await service.placeCall(number, '5511990000001')
  const routes: [string, string, object?][] = [
    ['GET', ''],
    ['POST', '/accept'],
    ['POST', '/reject'],
    ['POST', '/terminate'],
    ['POST', '/play', { mediaUrl: 'http://127.0.0.1/x.mp3' }],
    ['POST', '/realtime-session'],
  ]
  for (const [method, path, body] of routes) {
    for (const id of [placed.id, placed.externalCallId]) {
      const answer = await service.api(method, `/v1/calls/${id}${path}`, other.key, body)
      t.deepEqual([answer.status, answer.body.code], [404, 'CALL_NOT_FOUND'], `${method} ${path}`)
    }
  }
  t.deepEqual((await service.api('GET', '/v1/calls', other.key)).body.calls, [])
  await service.endCall(number, placed.id)
})

// [rest.errors.18]
test('a tenant key on a call route gets 403 TENANT_SCOPE_NOT_ALLOWED, a number key on a tenant route NUMBER_SCOPE_NOT_ALLOWED', async (t) => {
  const calls = await service.api('GET', '/v1/calls', service.tenantKey)
  t.deepEqual([calls.status, calls.body.code], [403, 'TENANT_SCOPE_NOT_ALLOWED'])
  const numbers = await service.api('GET', '/v1/numbers', number.key)
  t.deepEqual([numbers.status, numbers.body.code], [403, 'NUMBER_SCOPE_NOT_ALLOWED'])
})

test('a rotated key is refused at once', async (t) => {
  const fresh = await service.pairNumber()
  t.is((await service.api('GET', '/v1/status', fresh.key)).status, 200)
  const rotated = await service.api('POST', '/v1/api-keys', service.tenantKey, { channelNumberId: fresh.id })
  t.is(rotated.status, 200 + Number(rotated.status === 201))
  t.is((await service.api('GET', '/v1/status', fresh.key)).status, 401)
  t.is((await service.api('GET', '/v1/status', rotated.body.key)).status, 200)
  const own = await service.api('POST', '/v1/api-keys/regenerate', rotated.body.key)
  t.is(own.status, 201)
  t.is((await service.api('GET', '/v1/status', rotated.body.key)).status, 401)
  t.is((await service.api('GET', '/v1/status', own.body.key)).status, 200)
})

test('a realtime token dies with the key that minted it, however the key is replaced, and open sessions go on', async (t) => {
  const fresh = await service.pairNumber()
  const { id } = await service.placeCall(fresh, '5511990000001')
  let key = fresh.key
  const mint = async (): Promise<string> =>
    (await service.api('POST', `/v1/calls/${id}/realtime-session`, key, { mode: 'listen' })).body.wsUrl
  const open = await SessionClient.connect(await mint())
  const isDead = async (wsUrl: string) => {
    const { status, body } = await SessionClient.attempt(wsUrl)
    return status === 401 && JSON.parse(body).code === 'INVALID_TOKEN'
  }
  const ways: Record<string, () => Promise<{ body: { key: string } }>> = {
    rotate: () => service.api('POST', '/v1/api-keys', service.tenantKey, { channelNumberId: fresh.id }),
    regenerate: () => service.api('POST', '/v1/api-keys/regenerate', key),
  }
  for (const [way, replace] of Object.entries(ways)) {
    const before = await mint()
    key = (await replace()).body.key
    // This key is minted over the same link after the host was told, so the host must accept it.
    const after = await mint()
    t.true(await isDead(before), way)
    t.is((await SessionClient.attempt(after)).status, 101, way)
  }
  await open.until('start')
  t.is(open.closed, null)
  await service.api('POST', `/v1/calls/${id}/terminate`, key)
  await open.untilClosed()
})

function runTenant(dataDir: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [...NODE_ARGUMENTS, 'src/tenant.ts', ...args, '--json'], {
    timeout: PATIENCE_MS,
    env: { ...process.env, DATABASE_URL: undefined, DATA_DIR: dataDir },
  })
}

// [configuration.start.2] [configuration.variables.5]
test('npm run tenant says which database it opened and whether it is new, beside what it answers', async (t) => {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const dataDir = join(directory.path, 'data')
  const made = await runTenant(dataDir, 'create', '--name', 'First')
  t.is(made.stderr, `database: embedded, ${dataDir}/pglite (new)\n`)
  const listed = await runTenant(dataDir, 'list')
  t.is(listed.stderr, `database: embedded, ${dataDir}/pglite\n`)
  t.deepEqual(
    JSON.parse(listed.stdout).map(({ tenantId }: { tenantId: string }) => tenantId),
    [JSON.parse(made.stdout).tenantId],
  )
})

// [configuration.start.2]
test('npm run tenant creates, lists and rotates tenants beside the running gateway', async (t) => {
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await runTenant(service.dataDir, ...args)
    t.is(stderr, `database: of the gateway that runs in ${service.dataDir}\n`)
    return JSON.parse(stdout)
  }
  const made = await run('create', '--name', 'Rotating')
  t.like(
    (await run('list')).find((tenant: { tenantId: string }) => tenant.tenantId === made.tenantId),
    { name: 'Rotating', numbers: 0 },
  )
  t.is((await service.api('GET', '/v1/numbers', made.key)).status, 200)
  const rotated = await run('rotate', '--tenant', made.tenantId)
  t.is((await service.api('GET', '/v1/numbers', made.key)).status, 401)
  t.is((await service.api('GET', '/v1/numbers', rotated.key)).status, 200)
})

test('a lost answer of regenerate is given to the old key once more, and nothing else', async (t) => {
  const { tenantId, key } = (await askToCreateTenant(service.dataDir, 'Unlucky')) ?? {}
  const regenerate = (as = '') =>
    service.api('POST', '/v1/api-keys/regenerate', as, undefined, { 'idempotency-key': 'lost' })
  const lost = await regenerate(key)
  t.is(lost.status, 201, tenantId)
  const again = await regenerate(key)
  t.deepEqual([again.status, again.body, again.headers.get('idempotency-replayed')], [201, lost.body, 'true'])
  t.is((await service.api('GET', '/v1/numbers', key ?? '')).status, 401)
  t.is((await service.api('GET', '/v1/numbers', lost.body.key)).status, 200)
})

test('NUL characters, lone surrogates and 10,000-deep JSON get 400, never 500', async (t) => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000)
  const bodies = [
    '{"to":"5511\\u0000990000001"}',
    '{"to":"5511990000001","bizOpaqueCallbackData":"a\\u0000b"}',
    '{"to":"5511990000001","bizOpaqueCallbackData":"\\ud800"}',
    `{"to":${deep}}`,
    deep,
    '{"to":',
    'null',
    '[]',
    '"x"',
  ]
  for (const body of bodies) {
    const answer = await request(`${service.base}/v1/calls`, {
      method: 'POST',
      headers: { 'x-api-key': number.key, 'content-type': 'application/json' },
      body,
    })
    t.is(answer.statusCode, 400, body.slice(0, 60))
    await answer.body.dump()
  }
  for (const path of ['/v1/calls/a%00b', '/v1/calls/%ED%A0%80', '/v1/calls?limit=%00', '/v1/calls?before=%00']) {
    const answer = await service.api('GET', path, number.key)
    t.true([400, 404].includes(answer.status), `${path} answered ${answer.status}`)
  }
})

test('an idempotency key places one call however often it is sent', async (t) => {
  const send = () =>
    service.api('POST', '/v1/calls', number.key, { to: '5511990000003' }, { 'idempotency-key': 'once' })
  const first = await send()
  const second = await send()
  t.is(first.status, 201)
  t.is(second.status, 201)
  t.is(second.headers.get('idempotency-replayed'), 'true')
  t.is(second.body.id, first.body.id)
  const other = await service.api(
    'POST',
    '/v1/calls',
    number.key,
    { to: '5511990000001' },
    { 'idempotency-key': 'once' },
  )
  t.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
  await service.endCall(number, first.body.id)
})

test('a wrong environment lists every fault and ends with 1', async (t) => {
  const { Program } = await import('../helpers/service.ts')
  const program = new Program('src/main.ts', {
    PORT: 'x',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'postgres://localhost/none',
  })
  await t.throwsAsync(program.listening)
  t.is(program.child.exitCode, 1)
  for (const name of ['PORT', 'LOG_LEVEL']) t.true(program.output.join('').includes(name))
})
