import test from 'ava'
import { decide, type Decider, type Decision } from '../../../src/commands/oauth/decide.ts'
import type { Interaction } from '../../../src/domain/oauth.ts'
import type { OAuthInteractionStore } from '../../../src/ports/stores/oauth-store.ts'

const QUESTION = { id: 'int_1', browserSecret: 'browser' }
const OWNER: Decider = { tenantId: 'ten_1', userId: 'usr_1', role: 'OWNER' }
const INTERACTION: Interaction = {
  client: { id: 'oac_1', name: 'App', redirectHost: 'a.example', isLoopback: false } as never,
  redirectUri: 'https://a.example/cb',
  state: 'st ate',
  scopes: ['chat:read', 'numbers:manage'],
  resource: 'mcp',
  codeChallenge: 'x',
  expiresAt: new Date(0),
}

/** Consents of one request, with what was asked of their store. */
function consentsOf(asked: Partial<Interaction> | null, decided: 'allowed' | 'foreign number' | 'unknown' = 'allowed') {
  const told: unknown[][] = []
  const interaction = asked && { ...INTERACTION, ...asked }
  const tell =
    <T>(name: string, answer: T) =>
    async (...given: readonly unknown[]): Promise<T> => {
      told.push([name, ...given])
      return answer
    }
  const outcome =
    decided === 'allowed' && interaction
      ? { kind: decided, grantId: 'grt_1', code: 'c0de', interaction }
      : { kind: decided }
  const oauthInteractions = {
    find: tell('find', interaction),
    deny: tell('deny', interaction),
    allow: tell('allow', outcome),
  } as unknown as OAuthInteractionStore
  return {
    told,
    decide: (decision: Decision, decider: Decider = OWNER) =>
      decide({ oauthInteractions, baseUrl: 'https://gateway.example' }, QUESTION, decider, decision),
  }
}

const [FIND, DENY] = [
  ['find', 'int_1', 'browser'],
  ['deny', 'int_1', 'browser'],
]
const ALLOW = (allowed: object) => ['allow', 'int_1', 'browser', { tenantId: 'ten_1', userId: 'usr_1', ...allowed }]
const ISS = 'iss=https%3A%2F%2Fgateway.example'

// [oauth.consent.5]
test('a client that is let in gets its code at its address, for all that it asked', async (t) => {
  const { told, decide: decided } = consentsOf({})
  t.deepEqual(await decided({ decision: 'allow' }), {
    ok: true,
    value: { redirectTo: `https://a.example/cb?code=c0de&state=st+ate&${ISS}`, outcome: 'allowed' },
  })
  t.deepEqual(told, [FIND, ALLOW({ scopes: ['chat:read', 'numbers:manage'], numberIds: null })])
})

test('the answer joins the query of an address that has one, without a state that none asked for', async (t) => {
  const { decide: decided } = consentsOf({ redirectUri: 'https://a.example/cb?x=1', state: null })
  const [allowed, denied] = [await decided({ decision: 'allow' }), await decided({ decision: 'deny' })]
  t.is(allowed.ok && allowed.value.redirectTo, `https://a.example/cb?x=1&code=c0de&${ISS}`)
  t.is(denied.ok && denied.value.redirectTo, `https://a.example/cb?x=1&error=access_denied&${ISS}`)
})

test('a client that is not let in is told so, whatever else the decision says', async (t) => {
  const { told, decide: decided } = consentsOf({})
  t.deepEqual(await decided({ decision: 'deny', scopes: ['account:manage'] }, { ...OWNER, role: 'ANALYST' }), {
    ok: true,
    value: { redirectTo: `https://a.example/cb?error=access_denied&state=st+ate&${ISS}`, outcome: 'denied' },
  })
  t.deepEqual(told, [DENY])
})

// [oauth.consent.8]
test('scopes that the role lacks are left out, and a client that would have none left is not let in', async (t) => {
  const agent: Decider = { ...OWNER, role: 'AGENT' }
  const some = consentsOf({})
  t.like(await some.decide({ decision: 'allow', numberIds: ['num_2', 'num_1', 'num_2'] }, agent), {
    ok: true,
    value: { outcome: 'allowed' },
  })
  t.deepEqual(some.told, [FIND, ALLOW({ scopes: ['chat:read'], numberIds: ['num_2', 'num_1'] })])
  const none = consentsOf({ scopes: ['numbers:manage'] })
  t.like(await none.decide({ decision: 'allow', numberIds: ['num_1'] }, agent), {
    ok: true,
    value: { outcome: 'denied' },
  })
  t.deepEqual(none.told, [FIND, DENY])
})

test('a part of the scopes that were asked for can be allowed, and no others', async (t) => {
  const part = consentsOf({})
  await part.decide({ decision: 'allow', scopes: ['chat:read'] })
  t.deepEqual(part.told[1], ALLOW({ scopes: ['chat:read'], numberIds: null }))
  const surplus = consentsOf({})
  const refused = await surplus.decide({ decision: 'allow', scopes: ['chat:read', 'chat:send', 'calls:read'] })
  t.deepEqual(refused.ok || refused.error, {
    code: 'VALIDATION',
    message: 'Invalid body: scopes: the client did not ask for all of these',
    details: ['chat:send', 'calls:read'].map((scope) => ({ path: 'scopes', message: `${scope} was not asked for` })),
  } as never)
  t.deepEqual(surplus.told, [FIND])
})

// [oauth.consent.6]
test('only owners and administrators let a client in for all numbers', async (t) => {
  for (const role of ['OWNER', 'ADMIN'] as const)
    t.true((await consentsOf({}).decide({ decision: 'allow', numberIds: null }, { ...OWNER, role })).ok, role)
  for (const role of ['AGENT', 'ANALYST'] as const) {
    const { told, decide: decided } = consentsOf({})
    const refused = await decided({ decision: 'allow' }, { ...OWNER, role })
    t.like(refused.ok || refused.error, {
      code: 'PERMISSION_DENIED',
      message: 'Your role may let a client in for chosen numbers only: name them',
    })
    t.deepEqual(told, [FIND])
  }
})

test('a request that is unknown by now, and a number of others, are told', async (t) => {
  const unknown = {
    code: 'INTERACTION_NOT_FOUND',
    message:
      'This request is unknown, was decided, is older than 10 minutes, or began in another browser: start again in the app',
  }
  for (const decision of ['allow', 'deny'] as const) {
    const refused = await consentsOf(null).decide({ decision })
    t.like(refused.ok || refused.error, unknown, decision)
  }
  const late = await consentsOf({}, 'unknown').decide({ decision: 'allow' })
  t.like(late.ok || late.error, unknown)
  const foreign = await consentsOf({}, 'foreign number').decide({ decision: 'allow', numberIds: ['num_9'] })
  t.like(foreign.ok || foreign.error, { code: 'NUMBER_NOT_FOUND', message: 'A number is not one of this account' })
})
