import type { TestFn } from 'ava'
import { LOGIN_FAILURES } from '../../src/domain/user.ts'
import { browserOf, clientAt, logIn, PASSWORD, person } from './people.ts'
import type { Service } from './service.ts'

/** The gateway on which people are changed, and the address of the node that they use: the same or another one. */
export interface PeoplePlace {
  readonly service: Service
  readonly asked: string
}

/** Tests that changes of people take effect at once, wherever they are signed in. */
export function peopleLifeSuite(test: TestFn, name: string, place: () => PeoplePlace): void {
  test(`${name}: what is changed of a person acts at once on its sessions, a password opens one anywhere, and an OWNER is left`, async (t) => {
    const { service, asked } = place()
    const [here, there] = [clientAt(service.base), clientAt(asked)]
    const key = service.tenantKey
    const by = { tenantKey: { raw: key } }
    const [owner, ann] = [await person(here, by, 'OWNER'), await person(here, by, 'ADMIN')]
    const seen = (path: string) => there.send('GET', path, { headers: { cookie: ann.cookie } })
    t.is((await seen('/api/v1/users')).status, 200)
    t.is((await here.send('PATCH', `/v1/users/${ann.id}`, { key, body: { role: 'ANALYST' } })).status, 200)
    t.is((await seen('/api/v1/users')).body.code, 'PERMISSION_DENIED')
    t.is((await seen('/api/session')).body.user.role, 'ANALYST')
    const second = browserOf(there, await logIn(there, ann.email))
    t.deepEqual(
      (
        await second.send('POST', '/api/session/password', {
          body: { current: PASSWORD, password: 'the next password' },
        })
      ).body,
      { changed: true },
    )
    t.is((await here.send('GET', '/api/session', { headers: { cookie: ann.cookie } })).status, 401)
    t.is((await here.send('GET', '/api/session', { headers: { cookie: second.cookie } })).status, 200)
    t.is((await here.send('PATCH', `/v1/users/${ann.id}`, { key, body: { status: 'DISABLED' } })).status, 200)
    t.is((await second.send('GET', '/api/session')).status, 401)
    t.is((await logIn(there, ann.email, 'the next password')).body.code, 'INVALID_CREDENTIALS')
    const others = (await here.send('GET', '/v1/users', { key })).body.filter(
      ({ id, role, status }: any) => id !== owner.id && role === 'OWNER' && status === 'ACTIVE',
    )
    if (others.length === 0)
      t.is(
        (await there.send('PATCH', `/v1/users/${owner.id}`, { key, body: { role: 'AGENT' } })).body.code,
        'LAST_OWNER',
      )
  })
}

/** Tests that failed logins are counted together, whichever node they come to. */
export function countedTogetherSuite(test: TestFn, name: string, place: () => PeoplePlace): void {
  test(`${name}: failed logins of both count together`, async (t) => {
    const { service, asked } = place()
    const nodes = [clientAt(service.base), clientAt(asked)] as const
    const ann = await person(nodes[0], { tenantKey: { raw: service.tenantKey } }, 'AGENT')
    for (let i = 0; i < LOGIN_FAILURES.ofAddress; i++)
      t.is(
        (await logIn(nodes[i % 2 === 0 ? 0 : 1], ann.email, 'a password of nobody')).body.code,
        'INVALID_CREDENTIALS',
      )
    for (const node of nodes) t.is((await logIn(node, ann.email)).status, 429)
  })
}
