import test, { type ExecutionContext } from 'ava'
import { FLOW_JSON, flowOf } from '../helpers/flow-service.ts'
import { differenceOf, faultsOfFlows, flowsHere, flowsUpstream, FlowStorm } from '../helpers/flow-storm.ts'
import { freePort } from '../helpers/free-port.ts'
import { KILLS, killsOf, killThrough, killWhile } from '../helpers/kills.ts'
import { FAST } from '../helpers/message-service.ts'
import { connectOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import { seededRandom } from '../helpers/receiver-zoo.ts'
import { Service, type Answer } from '../helpers/service.ts'
import { sideBySide } from '../helpers/side-by-side.ts'
import { counted, LEDGER_MS, sized } from '../helpers/size.ts'
import { countsOf, untilNoFaults } from '../helpers/storm.ts'
import { failTemplates, taken, templateRequests } from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'

const ACCOUNTS = counted(20, 3)
const STEPS = sized(12, 12)
/** LEDGER_SEED repeats an earlier run. */
const SEED = Number(process.env['LEDGER_SEED'] ?? Math.floor(Math.random() * 1e9))
/** In ms: longer than any story. */
const NEVER_MS = 600_000
let service: Service

test.before(async (t) => {
  t.timeout(LEDGER_MS)
  service = await Service.start({ isSplit: true, env: { ...FAST, PORT: String(await freePort()) } })
  // The upstream posts callbacks in parallel; one at a time, it would fall behind.
  taken(await service.control('POST', '/official/webhooks', { parallel: true }), 200)
})

test.after.always(async () => {
  await service?.stop()
})

const story = sideBySide(
  test,
  killsOf(() => service, 'flows'),
)

/** A write that is in progress when the gateway is killed. */
interface Write {
  readonly what: string
  readonly op: string
  /** The upstream object whose path the request uses. */
  readonly upstreamId: string
  readonly request: readonly [method: string, path: string, body?: object]
  /** The row before the write and after it; null when there is no Flow. */
  readonly before: object | null
  readonly after: object | null
  /** The answer when the same request is repeated. A write that was not done yet is done by the repetition. */
  readonly again: readonly [status: number, code: string | undefined]
}

/** One write of each kind, each on a Flow of its own. */
async function writesOf(number: OfficialNumber): Promise<Write[]> {
  const [source, patched, given, published, ended, gone] = await Promise.all([
    flowOf(service, number, 'Source'),
    flowOf(service, number, 'Patched', false),
    bare(number, 'Given'),
    flowOf(service, number, 'Published', false),
    flowOf(service, number, 'Ended'),
    flowOf(service, number, 'Gone', false),
  ])
  const at = ({ id }: any, rest = ''): string => `/v1/flows/${id}${rest}`
  const draft = { officialStatus: 'DRAFT', jsonVersion: '7.1' }
  const made = {
    what: 'create',
    op: 'flow.create',
    upstreamId: number.accountId,
    again: [400, 'FLOW_NAME_INVALID'],
  } as const
  return [
    {
      ...made,
      request: ['POST', '/v1/flows', { name: 'Sour', categories: ['SURVEY'] }],
      before: { officialStatus: 'DRAFT' },
      after: { officialStatus: 'DRAFT', categories: ['SURVEY'] },
    },
    {
      ...made,
      what: 'clone',
      request: ['POST', '/v1/flows', { name: 'Source 2', cloneFromFlowId: source.id }],
      before: { officialStatus: 'DRAFT' },
      after: { ...draft, clonedFromFlowId: source.id },
    },
    {
      what: 'patch',
      op: 'flow.update',
      upstreamId: patched.officialFlowId,
      request: ['PATCH', at(patched), { name: 'Patched anew', categories: ['SURVEY'] }],
      before: { name: 'Patched', categories: ['OTHER'] },
      after: { ...draft, name: 'Patched anew', categories: ['SURVEY'] },
      again: [200, undefined],
    },
    {
      what: 'document',
      op: 'flow.asset',
      upstreamId: given.officialFlowId,
      request: ['POST', at(given, '/json'), { flowJson: FLOW_JSON }],
      before: { jsonVersion: '' },
      after: draft,
      again: [200, undefined],
    },
    {
      what: 'publish',
      op: 'flow.publish',
      upstreamId: published.officialFlowId,
      request: ['POST', at(published, '/publish'), { confirm: true }],
      before: draft,
      after: { officialStatus: 'PUBLISHED' },
      again: [409, 'FLOW_NOT_DRAFT'],
    },
    {
      what: 'deprecate',
      op: 'flow.deprecate',
      upstreamId: ended.officialFlowId,
      request: ['POST', at(ended, '/deprecate'), { supersededByFlowId: source.id }],
      before: { officialStatus: 'PUBLISHED' },
      after: { officialStatus: 'DEPRECATED', supersededByFlowId: source.id },
      again: [200, undefined],
    },
    {
      what: 'delete',
      op: 'flow.delete',
      upstreamId: gone.officialFlowId,
      request: ['DELETE', at(gone)],
      before: draft,
      after: null,
      again: [404, 'FLOW_NOT_FOUND'],
    },
  ]
}

async function bare(number: OfficialNumber, name: string): Promise<any> {
  return taken(await service.api('POST', '/v1/flows', number.key, { name }), 201)
}

/** The Flow that a write changes. */
async function shownOf(number: OfficialNumber, { request: [, path, body] }: Write): Promise<any> {
  const [, , , id] = path.split('/')
  const { flows } = taken(await service.api('GET', '/v1/flows?pageSize=100', number.key), 200)
  return flows.find((flow: any) => (id ? flow.id === id : flow.name === (body as any).name)) ?? null
}

/** Repeats the request until no other process works on the write. */
async function askAgain({ key }: OfficialNumber, { what, request: [method, path, body] }: Write): Promise<Answer> {
  return await until(`${what} is settled`, async () => {
    const answer = await service.api(method, path, key, body)
    return answer.status === 503 ? null : answer
  })
}

async function assertSame(t: ExecutionContext, number: OfficialNumber): Promise<void> {
  // A Flow that a lost request created is adopted in the background.
  await until(
    'here and upstream are the same',
    async () => differenceOf(await flowsHere(service, number), await flowsUpstream(service, number)).length === 0,
  )
  t.is((await flowsHere(service, number)).length, (await flowsUpstream(service, number)).length)
}

/** Holds each write back and kills the gateway while the writes wait. */
async function killWithin(
  reach: (point: string) => Promise<void>,
  number: OfficialNumber,
  writes: readonly Write[],
  fault: object,
): Promise<unknown> {
  const asked = async (): Promise<number[]> =>
    await Promise.all(
      writes.map(async ({ op, upstreamId }) => (await templateRequests(service, op, upstreamId)).length),
    )
  const before = await asked()
  for (const { op, upstreamId } of writes) await failTemplates(service, op, upstreamId, fault)
  const ofAccount = writes.filter(({ upstreamId }) => upstreamId === number.accountId).length
  const wanted = (at: number): number => (writes[at]?.upstreamId === number.accountId ? ofAccount : 1)
  return await killWhile(
    reach,
    () =>
      Promise.all(
        writes.map(({ request: [method, path, body] }) =>
          service.api(method, path, number.key, body).then(
            ({ text }) => text,
            () => 'killed',
          ),
        ),
      ),
    async () =>
      void (await until('all are held', async () =>
        (await asked()).every((count, at) => count >= (before[at] ?? 0) + wanted(at)),
      )),
  )
}

story(
  'kill -9 before the upstream acted: a creation and a clone are done once later; all other writes had no effect and can be repeated',
  async (t, reach) => {
    const number = await connectOfficial(service)
    const writes = await writesOf(number)
    t.deepEqual(
      await killWithin(reach, number, writes, { delayMs: NEVER_MS }),
      writes.map(() => 'killed'),
    )
    for (const write of writes) {
      const {
        what,
        before,
        after,
        again: [status, code],
      } = write
      const shown = await shownOf(number, write)
      t.like(shown, before ?? {}, what)
      if (what === 'create' || what === 'clone')
        await until(`${what} is brought up`, async () => (await shownOf(number, write)).officialFlowId !== null)
      const answer = await askAgain(number, write)
      t.deepEqual(
        [answer.status, answer.body.code],
        what === 'create' || what === 'clone' ? [status, code] : [200, undefined],
        `${what}: ${answer.text}`,
      )
      const done = await shownOf(number, write)
      if (after === null) t.is(done, null, what)
      else t.like(done, after, what)
    }
    await assertSame(t, number)
  },
)

story('kill -9 after the upstream acted: each write is found done and is not repeated', async (t, reach) => {
  const number = await connectOfficial(service)
  const writes = await writesOf(number)
  t.deepEqual(
    await killWithin(reach, number, writes, { answerDelayMs: NEVER_MS }),
    writes.map(() => 'killed'),
  )
  for (const write of writes) {
    const {
      what,
      after,
      again: [status, code],
    } = write
    const isSo = (shown: any): boolean =>
      shown === null
        ? after === null
        : after !== null
          && Object.entries(after).every(([key, value]) => JSON.stringify(shown[key]) === JSON.stringify(value))
    await until(`${what} is found`, async () => isSo(await shownOf(number, write)))
    const answer = await askAgain(number, write)
    t.deepEqual([answer.status, answer.body.code], [status, code], `${what}: ${answer.text}`)
  }
  await assertSame(t, number)
})

/** The upstream may apply a slow request after it answered. Only a listing shows that. */
async function listedFaults({ number }: FlowStorm): Promise<string[]> {
  taken(await service.api('POST', '/v1/flows/sync', number.key, {}), 200)
  return differenceOf(await flowsHere(service, number), await flowsUpstream(service, number))
}

/**
 * Flows that do not accept their next write, or whose document differs from the upstream's. None should be in doubt.
 */
async function stuckFaults({ number }: FlowStorm): Promise<string[]> {
  const upstream = await flowsUpstream(service, number)
  const rows = await flowsHere(service, number)
  const faults = await Promise.all(
    rows.map(async ({ id, externalId, name, state }) => {
      const {
        body: { flowJson },
      } = await service.api('GET', `/v1/flows/${id}/json`, number.key)
      const write =
        state === 'DRAFT'
          ? await service.api('PATCH', `/v1/flows/${id}`, number.key, { name })
          : await service.api('POST', `/v1/flows/${id}/deprecate`, number.key)
      return [
        ...(flowJson === upstream.find((one) => one.externalId === externalId)?.flowJson
          ? []
          : [`the document of ${name} is read otherwise`]),
        ...(write.status === 200 ? [] : [`${name}: ${write.text}`]),
      ]
    }),
  )
  return faults.flat()
}

story(
  `${ACCOUNTS * STEPS} writes while the upstream loses answers, fails and hangs, and the gateway is killed ${KILLS.length} times: each Flow exists once upstream and once here, as it was answered`,
  async (t, reach) => {
    t.timeout(LEDGER_MS)
    t.log(`seed ${SEED}`)
    const random = seededRandom(SEED)
    const storms: FlowStorm[] = []
    for (let at = 0; at < ACCOUNTS; at++) storms.push(new FlowStorm(service, await connectOfficial(service), random))
    const running = Promise.all(storms.map((storm) => storm.run(STEPS)))
    running.catch(() => {})
    await killThrough(reach, ACCOUNTS * STEPS, () => storms.reduce((sum, { done }) => sum + done, 0))
    await running
    t.log(`answers: ${countsOf(storms)}`)
    // Removes the failures that look-ups did not use up.
    await service.control('DELETE', '/faults')
    await untilNoFaults('all is as it was promised', storms, async (storm) => {
      await storm.dropEndless(await flowsHere(service, storm.number))
      return faultsOfFlows(storm, await flowsHere(service, storm.number), await flowsUpstream(service, storm.number))
    })
    await untilNoFaults('here and upstream are the same', storms, listedFaults)
    await untilNoFaults('every Flow takes its next write', storms, stuckFaults)
    await untilNoFaults('here and upstream are the same again', storms, listedFaults)
    t.pass('what was promised stands, here and upstream')
    await reach('end')
  },
)
