import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { Caller } from '../../../src/domain/caller.ts'
import { newSecretId } from '../../../src/domain/ids.ts'
import type { CredentialKind } from '../../../src/http/credentials/kind.ts'
import { credentialKinds } from '../../../src/http/credentials/table.ts'
import { authenticated } from '../../../src/http/middlewares/authenticated.ts'
import { errorsAnswered } from '../../../src/http/middlewares/errors-answered.ts'
import { requestId } from '../../../src/http/middlewares/request-id.ts'
import { createCallerCache } from '../../../src/http/request/caller-cache.ts'
import type { HttpMiddleware } from '../../../src/http/request/context.ts'
import { route } from '../../../src/http/request/route.ts'
import { serveSteps } from '../../helpers/http-app.ts'
import { World } from '../../helpers/world.ts'
import { silentLog } from '../../helpers/silent.ts'

const WHO = route({
  method: 'get',
  path: '/who',
  name: 'who',
  group: 'Status',
  access: { by: ['key', 'grant'], of: 'either' },
  summary: 'Who calls',
  answer: { status: 200, description: 'The caller' },
  handle: async () => ({ status: 200, body: null }),
})

const matched: HttpMiddleware = (ctx, next) => {
  ctx.state.route = WHO
  return next()
}

/** Answers with the caller's id. */
const told: HttpMiddleware = (ctx) => {
  ctx.body = { id: ctx.state.caller?.id }
}

/** A ticket in a header of its own, valid for one caller; `proofs` counts the look-ups. */
class Tickets implements CredentialKind {
  readonly name = 'ticket'
  readonly asked = 'a ticket in x-ticket'
  readonly find: CredentialKind['find'] = (ctx) => ctx.get('x-ticket')
  readonly caller: Caller
  proofs = 0

  constructor({ tenantId }: World) {
    const limits = { requestsPerMinute: 10, sendsPerMinute: 10 }
    this.caller = {
      id: newSecretId('key'),
      by: 'key',
      tenantId,
      reach: { at: 'tenant' },
      permissions: new Set(['flows:read']),
      limits,
    }
  }

  async prove(sent: string): Promise<Caller | null> {
    this.proofs++
    return sent === 'good' ? this.caller : null
  }
}

async function serveTickets(t: ExecutionContext, isFirst = false) {
  const world = new World()
  const tickets = new Tickets(world)
  const deps = { ...world.deps(), callers: createCallerCache(world.deps()) }
  const kinds = isFirst ? [tickets, ...credentialKinds(deps)] : [...credentialKinds(deps), tickets]
  const client = await serveSteps(t, [
    requestId(),
    errorsAnswered(silentLog),
    matched,
    authenticated(kinds, deps),
    told,
  ])
  const who = (headers: Record<string, string>) => client.send('GET', '/who', { headers })
  return { world, tickets, who, callers: deps.callers }
}

test('a kind that is added to the table proves callers, and is asked for', async (t) => {
  const { tickets, who } = await serveTickets(t)
  t.is((await who({ 'x-ticket': 'good' })).body.id, tickets.caller.id)
  t.is((await who({ 'x-ticket': 'bad' })).status, 401)
  const none = await who({})
  t.is(none.status, 401)
  t.is(
    none.body.error,
    'Send a key in x-api-key or x-api-key-id or an access token as authorization: Bearer or a ticket in x-ticket',
  )
})

test('kinds are tried in the order of the table, and the first that is sent decides', async (t) => {
  const last = await serveTickets(t)
  const both = { 'x-ticket': 'good', 'x-api-key': last.world.numberKey.raw }
  t.is((await last.who(both)).body.id, last.world.numberKey.id)
  t.is((await last.who({ 'x-ticket': 'good', 'x-api-key': 'cms_wrong' })).status, 401)
  const first = await serveTickets(t, true)
  t.is(
    (await first.who({ 'x-ticket': 'good', 'x-api-key': first.world.numberKey.raw })).body.id,
    first.tickets.caller.id,
  )
})

test('a caller of any kind is remembered, and forgotten by its id', async (t) => {
  const { tickets, who, callers } = await serveTickets(t)
  for (let i = 0; i < 3; i++) await who({ 'x-ticket': 'good' })
  t.is(tickets.proofs, 1)
  await callers.revoke(tickets.caller.id)
  await who({ 'x-ticket': 'good' })
  t.is(tickets.proofs, 2)
})

test('a text that one kind of credential proved is not remembered as proof for another kind', async (t) => {
  const { world, who } = await serveTickets(t)
  t.is((await who({ 'x-api-key-id': world.numberKey.id })).status, 200)
  t.is((await who({ 'x-api-key': world.numberKey.id })).status, 401)
  t.is((await who({ 'x-ticket': world.numberKey.id })).status, 401)
})
