import { randomInt } from 'node:crypto'
import type { ExecutionContext, TestFn } from 'ava'
import { bearer, HOST_ORIGIN } from './embeds.ts'
import { EventReader } from './event-reader.ts'
import { call, type Answer, type Service } from './service.ts'
import { until } from './until.ts'

const PATH = '/api/public/embed'

/** The service where sessions are created and ended, and the address of the node that the embeds ask. */
export interface EmbedNodes {
  readonly service: Service
  readonly asked: string
}

interface NewNumber {
  readonly id: string
  readonly key: string
}

/** Creates a number without a paired phone, which is enough for sessions. */
async function newNumber({ service }: EmbedNodes): Promise<NewNumber> {
  const { status, body, text } = await service.api('POST', '/v1/numbers', service.tenantKey, {
    name: 'Desk',
    number: `55119${randomInt(10 ** 7, 10 ** 8)}`,
  })
  if (status !== 201) throw new Error(`number not created: ${text}`)
  return { id: body.id, key: body.apiKey.key }
}

async function mint(
  { service }: EmbedNodes,
  key: string,
  numbers: readonly NewNumber[],
): Promise<{ readonly id: string; readonly token: string }> {
  const body = { surface: 'chat', allowedOrigins: [HOST_ORIGIN], channelNumberIds: numbers.map(({ id }) => id) }
  const minted = await service.api('POST', '/v1/embed/sessions', key, body)
  if (minted.status !== 201) throw new Error(`nothing was minted: ${minted.text}`)
  return minted.body
}

function ask(base: string, token: string, method = 'GET', path = '/session'): Promise<Answer> {
  return call(method, `${base}${PATH}${path}`, bearer(token, HOST_ORIGIN))
}

/** Ways to end the session of a number, by name. */
const ENDS: Record<string, (nodes: EmbedNodes, number: NewNumber, id: string) => Promise<Answer>> = {
  'the rotation of the key that minted it': ({ service }, { id }) =>
    service.api('POST', '/v1/api-keys', service.tenantKey, { channelNumberId: id }),
  'its end by the key that minted it': ({ service }, { key }, id) =>
    service.api('DELETE', `/v1/embed/sessions/${id}`, key),
  'the removal of its number': ({ service }, { id }) => service.api('DELETE', `/v1/numbers/${id}`, service.tenantKey),
}

async function isOver(t: ExecutionContext, reader: EventReader): Promise<void> {
  t.deepEqual((await reader.next('expired')).data, { reason: 'REVOKED' })
  await until('the stream is over', () => reader.isOver)
}

/** Tests of sessions over a running service, whichever node ends them. */
export function embedLifeSuite(test: TestFn, name: string, nodesOf: () => EmbedNodes): void {
  for (const [what, end] of Object.entries(ENDS)) {
    // [embeds.refresh.4]
    test(`${name}: ${what} ends a session: its stream says so and ends, its requests are refused`, async (t) => {
      const nodes = nodesOf()
      const number = await newNumber(nodes)
      const { id, token } = await mint(nodes, number.key, [])
      const reader = await EventReader.open(t, `${nodes.asked}${PATH}/stream`, bearer(token, HOST_ORIGIN).headers)
      await reader.next('hello')
      t.is((await ask(nodes.asked, token)).status, 200)
      const ended = await end(nodes, number, id)
      t.true(ended.status < 300, ended.text)
      await isOver(t, reader)
      for (const [method, path] of [
        ['GET', '/session'],
        ['POST', '/refresh'],
        ['GET', '/conversations'],
        ['GET', '/stream'],
      ] as const) {
        t.like(await ask(nodes.asked, token, method, path), { status: 401, body: { code: 'TOKEN_REVOKED' } }, path)
      }
    })
  }

  test(`${name}: a session of two numbers outlives one of them, and not both`, async (t) => {
    const nodes = nodesOf()
    const [one, two] = [await newNumber(nodes), await newNumber(nodes)]
    const { token } = await mint(nodes, nodes.service.tenantKey, [one, two])
    const reader = await EventReader.open(t, `${nodes.asked}${PATH}/stream`, bearer(token, HOST_ORIGIN).headers)
    await reader.next('hello')
    await nodes.service.api('DELETE', `/v1/numbers/${one.id}`, nodes.service.tenantKey)
    t.deepEqual(
      (await ask(nodes.asked, token)).body.numbers.map(({ id }: NewNumber) => id),
      [two.id],
    )
    await nodes.service.api('DELETE', `/v1/numbers/${two.id}`, nodes.service.tenantKey)
    await isOver(t, reader)
    t.is((await ask(nodes.asked, token)).body.code, 'TOKEN_REVOKED')
  })

  test(`${name}: tokens of refreshes at once all work, the old one goes on working, and the stream lives on with more time`, async (t) => {
    const nodes = nodesOf()
    const { token } = await mint(nodes, (await newNumber(nodes)).key, [])
    const reader = await EventReader.open(t, `${nodes.asked}${PATH}/stream`, bearer(token, HOST_ORIGIN).headers)
    await reader.next('hello')
    const bases = [nodes.asked, nodes.service.base]
    const fresh = await Promise.all([...bases, ...bases, ...bases].map((base) => ask(base, token, 'POST', '/refresh')))
    t.deepEqual(
      fresh.map(({ status }) => status),
      fresh.map(() => 200),
    )
    t.is(new Set(fresh.map(({ body }) => body.token)).size, fresh.length)
    for (const working of [token, ...fresh.map(({ body }) => body.token)]) {
      for (const base of bases) t.is((await ask(base, working)).status, 200)
    }
    const last = fresh.map(({ body }) => Date.parse(body.expiresAt)).reduce((one, other) => Math.max(one, other))
    await reader.next('session', ({ expiresAt }) => Date.parse(expiresAt) === last)
    t.false(reader.isOver)
  })
}
