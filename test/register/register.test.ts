import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import test from 'ava'
import { Redis } from 'ioredis'
import { PRODUCT_VERSION } from '../../src/domain/version.ts'
import { ENGINES } from '../../src/register/engines.ts'
import { LocalRegister } from '../../src/register/local.ts'
import { MEDIA_HOSTS } from '../../src/register/media-hosts.ts'
import { openRedisRegister } from '../../src/register/redis.ts'
import { SignedEntries } from '../../src/register/signed-entry.ts'
import { systemClock } from '../../src/process/clock.ts'
import { mediaHostEntry, mediaRegisterSuite } from '../contracts/register.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { TEST_REDIS_URL } from '../helpers/test-servers.ts'

mediaRegisterSuite(test, 'local register', async () => {
  const clock = new FakeClock()
  const register = new LocalRegister(MEDIA_HOSTS, clock)
  return { here: register, there: register, wait: async (ms) => clock.advance(ms) }
})

test('an entry is read by who has the secret it was written under, and by nobody else', (t) => {
  const nowMs = Date.UTC(2026, 0, 1)
  const [ours, theirs] = [
    new SignedEntries(MEDIA_HOSTS, 'the secret of an installation'),
    new SignedEntries(MEDIA_HOSTS, 'the secret of another one'),
  ]
  const entry = mediaHostEntry()
  const text = ours.write(entry, nowMs)
  t.deepEqual(ours.read('host-a', text, nowMs), { kind: 'entry', entry })
  t.deepEqual(theirs.read('host-a', text, nowMs), { kind: 'foreign' })
  t.not(ours.name, theirs.name)
  t.deepEqual(ours.read('host-a', text.replace('10.0.0.1', '10.6.6.6'), nowMs), { kind: 'foreign' })
  t.deepEqual(ours.read('host-a', text.slice(text.indexOf('.')), nowMs), { kind: 'foreign' })
})

test('an entry put under another host, or long ago, or too long is not believed', (t) => {
  const nowMs = Date.UTC(2026, 0, 1)
  const entries = new SignedEntries(MEDIA_HOSTS, 'the secret of an installation')
  const text = entries.write(mediaHostEntry(), nowMs)
  t.is(entries.read('host-b', text, nowMs).kind, 'unreadable')
  t.is(entries.read('host-a', text, nowMs + 300_000).kind, 'entry')
  t.is(entries.read('host-a', text, nowMs + 300_001).kind, 'unreadable')
  t.is(entries.read('host-a', text, nowMs - 300_001).kind, 'unreadable')
  t.is(
    entries.read('host-a', entries.write(mediaHostEntry({ publicUrl: 'x'.repeat(5_000) }), nowMs), nowMs).kind,
    'unreadable',
  )
  t.is(
    entries.read('host-a', entries.write(mediaHostEntry({ controlUrl: 'http://10.0.0.1' }), nowMs), nowMs).kind,
    'unreadable',
  )
  t.is(entries.read('host-a', 'no entry at all', nowMs).kind, 'unreadable')
})

// [engine-fleet.register.1]
test('an entry of an engine is told from one of a media host, and is believed only with an address to dial', (t) => {
  const [secret, nowMs] = ['the secret of an installation', Date.UTC(2026, 0, 1)]
  const entries = new SignedEntries(ENGINES, secret)
  const entry = {
    engineId: 'engine-a',
    url: 'ws://10.0.0.9:3005',
    version: '1.0.0',
    sessions: 12,
    capacity: 2_000,
    draining: false,
  }
  const text = entries.write(entry, nowMs)
  t.deepEqual(entries.read('engine-a', text, nowMs), { kind: 'entry', entry })
  t.deepEqual(new SignedEntries(MEDIA_HOSTS, secret).read('engine-a', text, nowMs), { kind: 'foreign' })
  t.is(entries.read('engine-a', entries.write({ ...entry, url: 'http://10.0.0.9' }, nowMs), nowMs).kind, 'unreadable')
  t.is(entries.read('engine-a', entries.write({ ...entry, capacity: 0 }, nowMs), nowMs).kind, 'unreadable')
})

test('the version that media hosts tell is that of the package', (t) => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  t.is(PRODUCT_VERSION, version)
})

test('a register that is away rejects, and does not keep a start waiting', async (t) => {
  const register = await openRedisRegister(MEDIA_HOSTS, {
    url: 'redis://127.0.0.1:9',
    internalSecret: 'a secret of a test',
    clock: systemClock,
    log: silentLog,
  })
  t.teardown(() => register.close())
  await t.throwsAsync(register.put(mediaHostEntry()))
  await t.throwsAsync(register.list())
})

function keysOf({ prefix, internalSecret }: { readonly prefix: string; readonly internalSecret: string }): string {
  return `${prefix}{media-hosts:${new SignedEntries(MEDIA_HOSTS, internalSecret).name}}`
}

const url = TEST_REDIS_URL
if (url === null) {
  test.skip('the register of media hosts keeps its contract on Redis (TEST_REDIS_URL is not set)', () => {})
} else {
  mediaRegisterSuite(test, 'Redis register', async (t) => {
    const options = {
      url,
      prefix: `test:${randomUUID()}:`,
      internalSecret: randomUUID(),
      clock: systemClock,
      log: silentLog,
    }
    const [here, there] = [await openRedisRegister(MEDIA_HOSTS, options), await openRedisRegister(MEDIA_HOSTS, options)]
    const behind = new Redis(url)
    t.teardown(async () => {
      behind.disconnect()
      await here.close()
      await there.close()
    })
    const until = `${keysOf(options)}:until`
    return {
      here,
      there,
      // The server's clock cannot be moved, so this moves the entries' expiry instead.
      async wait(ms) {
        for (const host of await behind.zrange(until, '0', '-1')) await behind.zincrby(until, String(-ms), host)
      },
    }
  })

  test('entries that a stranger writes into the register are ignored', async (t) => {
    const prefix = `test:${randomUUID()}:`
    const secret = randomUUID()
    const register = await openRedisRegister(MEDIA_HOSTS, {
      url,
      prefix,
      internalSecret: secret,
      clock: systemClock,
      log: silentLog,
    })
    const stranger = new Redis(url)
    t.teardown(async () => {
      stranger.disconnect()
      await register.close()
    })
    await register.put(mediaHostEntry())
    const keys = keysOf({ prefix, internalSecret: secret })
    await stranger.zadd(`${keys}:until`, Date.now() + 60_000, 'host-evil')
    await stranger.hset(
      `${keys}:entries`,
      'host-evil',
      new SignedEntries(MEDIA_HOSTS, 'not the secret').write(
        mediaHostEntry({ hostId: 'host-evil', controlUrl: 'ws://10.6.6.6:1' }),
        Date.now(),
      ),
    )
    t.deepEqual(
      (await register.list()).map(({ hostId }) => hostId),
      ['host-a'],
    )
  })
}
