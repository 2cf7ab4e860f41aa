import { mock } from 'node:test'
import test from 'ava'
import type { FetchOutcome } from '../../src/net/guarded-fetch.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { OAuthClient } from '../helpers/oauth-client.ts'
import { Rig } from './rig.ts'

const database = sharedDatabase(test, openTestDatabase)
const ID = 'https://app.example/client.json'
const REDIRECT_URI = 'https://app.example/cb'
const DOCUMENT = {
  client_id: ID,
  client_name: 'App',
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'none',
}
const START_MS = Date.UTC(2026, 5, 1)

/** What the host of a document says of how long it may be kept, and how long it is, in seconds. */
const KEPT: readonly (readonly [title: string, headers: Record<string, string>, seconds: number])[] = [
  ['an hour, which is within the bounds', { 'cache-control': 'max-age=3600' }, 3_600],
  ['an hour, by a date', { expires: new Date(START_MS + 3_600_000).toUTCString() }, 3_600],
  ['5 minutes when it says nothing', {}, 300],
  ['5 minutes when it says less', { 'cache-control': 'max-age=1' }, 300],
  ['5 minutes when its date is over', { expires: new Date(0).toUTCString() }, 300],
  ['24 hours when it says more', { 'cache-control': 'max-age=31536000' }, 86_400],
]

/** Counts the fetches of a document that is served with these headers. */
async function opened(headers: Record<string, string>) {
  const asked: string[] = []
  const rig = await Rig.open(database(), {
    async request({ url }): Promise<FetchOutcome> {
      asked.push(url)
      const parts = [{ kind: 'bytes', bytes: Buffer.from(JSON.stringify(DOCUMENT)) } as const]
      const body = { read: async () => parts.shift() ?? ({ kind: 'end' } as const), cancel() {} }
      return { ok: true, response: { status: 200, headers: { 'content-type': 'application/json', ...headers }, body } }
    },
  })
  return { asked, rig, client: new OAuthClient(rig.ask, ID, REDIRECT_URI) }
}

for (const [title, headers, seconds] of KEPT) {
  // [oauth.clients.3]
  test.serial(`a document is kept as its host says, for ${title}`, async (t) => {
    const { asked, rig, client } = await opened(headers)
    // The library that keeps documents reads the time of the process, so the tests of this file go one by one.
    mock.timers.enable({ apis: ['Date'], now: START_MS })
    t.teardown(() => mock.timers.reset())
    const passed = (ms: number): void => {
      mock.timers.setTime(Date.now() + ms)
      rig.clock.advance(ms)
    }
    t.is((await client.authorize()).status, 303)
    passed(seconds * 1_000 - 1)
    t.is((await client.authorize()).status, 303)
    t.is(asked.length, 1, 'kept until then')
    passed(1)
    t.is((await client.authorize()).status, 303)
    t.is(asked.length, 2, 'fetched anew afterwards')
  })
}
