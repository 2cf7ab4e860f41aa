import type { TestFn } from 'ava'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import type { NodeId, NumberId } from '../../src/domain/ids.ts'
import type { Asks, NodeAsk } from '../../src/ports/asks.ts'
import { until } from '../helpers/until.ts'

/** Makes the asks of a node of one installation, by its name; a name without a node gets no answer. */
export type MakeAsks = (nodeId: NodeId) => Promise<Asks>

/** An ask for a number that no other test asks for. */
export function anyAsk(patch: Partial<NodeAsk> = {}): NodeAsk {
  return {
    id: newId('ask'),
    fence: { numberId: newId('num') as NumberId, token: 1 },
    withinMs: 20_000,
    body: { text: 'a' },
    ...patch,
  }
}

/** What all Asks do. */
export function askSuite(test: TestFn, name: string, makeAsks: MakeAsks): void {
  // [nodes.asks.4]
  test(`${name}: a node that is not there is known to be absent at once`, async (t) => {
    const here = await makeAsks(newId('node'))
    t.deepEqual(await here.ask(newId('node'), anyAsk()), { kind: 'absent' })
  })
}

/** What Asks do that connect several nodes. */
export function jointAskSuite(test: TestFn, name: string, makeAsks: MakeAsks): void {
  async function pair(): Promise<{ here: Asks; there: Asks; thereId: NodeId }> {
    const thereId = newId('node')
    return { here: await makeAsks(newId('node')), there: await makeAsks(thereId), thereId }
  }

  // [nodes.asks.2]
  test(`${name}: an ask reaches the named node, and its answer reaches the asker, including refusals and their details`, async (t) => {
    const { here, there, thereId } = await pair()
    const refused = refuse('CALL_INVALID_STATE', 'The call is over', [{ path: 'é"\n', nothing: null }], 3)
    const heard: NodeAsk[] = []
    there.serve(async (ask) => {
      heard.push(ask)
      return heard.length === 1 ? succeed({ list: [1, 'two', null], text: '\u{1f600}' }) : fail(refused)
    })
    const ask = anyAsk({ body: { deep: [{ sdp: 'v=0\r\n' }] } })
    t.deepEqual(await here.ask(thereId, ask), {
      kind: 'answered',
      outcome: succeed({ list: [1, 'two', null], text: '\u{1f600}' }),
    })
    t.deepEqual(await here.ask(thereId, anyAsk()), { kind: 'answered', outcome: fail(refused) })
    t.deepEqual(heard[0], ask)
  })

  test(`${name}: a node that does not hold the number, or does not serve yet, says so`, async (t) => {
    const { here, there, thereId } = await pair()
    t.deepEqual(await here.ask(thereId, anyAsk()), { kind: 'elsewhere' })
    there.serve(async () => null)
    t.deepEqual(await here.ask(thereId, anyAsk()), { kind: 'elsewhere' })
  })

  test(`${name}: asks at once are answered each by its own answer, in whatever order they come`, async (t) => {
    const { here, there, thereId } = await pair()
    const waiting: (() => void)[] = []
    there.serve(
      (ask) =>
        new Promise((resolve) => {
          waiting.push(() => resolve(succeed(ask.body)))
          if (waiting.length === 50) for (const answer of waiting.toReversed()) answer()
        }),
    )
    const asked = await Promise.all(Array.from({ length: 50 }, (_, at) => here.ask(thereId, anyAsk({ body: at }))))
    t.deepEqual(
      asked,
      Array.from({ length: 50 }, (_, at) => ({ kind: 'answered' as const, outcome: succeed(at) })),
    )
  })

  // [nodes.asks.3]
  test(`${name}: an ask that is told twice runs once, and is answered twice`, async (t) => {
    const { here, there, thereId } = await pair()
    let runs = 0
    there.serve(async () => succeed(++runs))
    const ask = anyAsk()
    const expected = { kind: 'answered', outcome: succeed(1) } as const
    t.deepEqual(await here.ask(thereId, ask), expected)
    t.deepEqual(await here.ask(thereId, ask), expected)
    t.is(runs, 1)
  })

  test(`${name}: an answer that does not come in time is lost, and the ask was not run again`, async (t) => {
    const { here, there, thereId } = await pair()
    let runs = 0
    there.serve(() => {
      runs++
      return new Promise(() => {})
    })
    t.deepEqual(await here.ask(thereId, anyAsk({ withinMs: 50 })), { kind: 'lost' })
    await until('it ran', () => runs > 0)
    t.is(runs, 1)
  })

  test(`${name}: an ask that is too large is refused and does not run; an answer that is too large does not hang the ask`, async (t) => {
    const { here, there, thereId } = await pair()
    let runs = 0
    there.serve(async () => {
      runs++
      return succeed('x'.repeat(5_000_000))
    })
    const asked = await here.ask(thereId, anyAsk({ body: 'x'.repeat(5_000_000) }))
    t.like(asked, { kind: 'answered', outcome: { ok: false, error: { code: 'PAYLOAD_TOO_LARGE' } } })
    t.is(runs, 0)
    t.like(await here.ask(thereId, anyAsk()), { kind: 'answered', outcome: { ok: false, error: { code: 'INTERNAL' } } })
  })

  test(`${name}: a body of the largest size passes`, async (t) => {
    const { here, there, thereId } = await pair()
    there.serve(async (ask) => succeed((ask.body as string).length))
    t.deepEqual(await here.ask(thereId, anyAsk({ body: '"'.repeat(1_000_000) })), {
      kind: 'answered',
      outcome: succeed(1_000_000),
    })
  })
}
