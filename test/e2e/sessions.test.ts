import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { OWN_PAGE } from '../helpers/dashboard.ts'
import { call, type Service } from '../helpers/service.ts'
import { peopleLifeSuite } from '../helpers/people-life.ts'
import { joinService } from '../helpers/shared-service.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await joinService()
})

/** Signs in as a page does; resolves to the headers that the browser sends from then on. */
async function signIn(body: { tenantKey?: string; loginToken?: string }): Promise<Record<string, string>> {
  const reply = await call('POST', `${service.base}/api/session`, { body, headers: OWN_PAGE })
  if (reply.status !== 200) throw new Error(`signing in was answered ${reply.status}: ${reply.text}`)
  return {
    ...OWN_PAGE,
    cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '',
    'x-csrf-token': reply.body.csrfToken,
  }
}

// [sessions.login.2]
test('a tenant signs in with its key in two browsers, ends the other one, and with a new key has to sign in again', async (t) => {
  const made = await askToCreateTenant(service.dataDir, 'Signing in')
  if (!made) return t.fail('no gateway runs')
  const { tenantId, key: tenantKey } = made
  const ask = (method: string, path: string, headers: Record<string, string>) =>
    call(method, service.base + path, { headers })
  const [desk, phone] = [await signIn({ tenantKey }), await signIn({ tenantKey })]
  t.like((await ask('GET', '/api/session', desk)).body, { tenant: { id: tenantId, name: 'Signing in' } })
  const { sessions } = (await ask('GET', '/api/sessions', desk)).body
  t.deepEqual(
    sessions.map(({ isCurrent }: any) => isCurrent),
    [false, true],
  )
  t.deepEqual((await ask('DELETE', `/api/sessions/${sessions[0].id}`, desk)).body, { ended: true })
  t.is((await ask('GET', '/api/session', phone)).status, 401)
  t.like(await ask('DELETE', '/api/session', { ...desk, 'sec-fetch-site': 'cross-site' }), {
    status: 403,
    body: { code: 'CSRF_REJECTED' },
  })
  const rotated = await service.api('POST', '/v1/api-keys/regenerate', tenantKey)
  t.is((await ask('GET', '/api/session', desk)).status, 401)
  const again = await signIn({ tenantKey: rotated.body.key })
  t.deepEqual((await ask('DELETE', '/api/session', again)).body, { ended: true })
  t.is((await ask('GET', '/api/session', again)).status, 401)
})

// [sessions.login-links.2] [configuration.variables.2]
test('npm run login shows a link of the running gateway, which signs one browser in', async (t) => {
  const { tenantId } = (await askToCreateTenant(service.dataDir, 'Invited')) ?? {}
  const env = { ...process.env, DATABASE_URL: undefined, DATA_DIR: service.dataDir, NODE_NO_WARNINGS: '1' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['src/login.ts', '--tenant', tenantId ?? ''], {
    env,
    timeout: PATIENCE_MS,
  })
  t.is(stderr, `database: of the gateway that runs in ${service.dataDir}\n`)
  const [, loginToken = ''] = /^http:\/\/localhost:\d+\/login#(lt_[\w-]{43})\n/.exec(stdout) ?? []
  const headers = await signIn({ loginToken })
  t.is((await call('GET', `${service.base}/api/session`, { headers })).body.tenant.id, tenantId)
  await t.throwsAsync(signIn({ loginToken }), { message: /was answered 401/ })
})

peopleLifeSuite(test, 'one node', () => ({ service, asked: service.base }))
