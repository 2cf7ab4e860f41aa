import test from 'ava'
import type { ExecutionContext } from 'ava'
import { Cluster } from '../helpers/cluster.ts'
import type { ClusterMediaHost, ClusterNode } from '../helpers/cluster.ts'
import { call } from '../helpers/service.ts'
import type { Answer, PairedNumber } from '../helpers/service.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

/** This peer answers after a second. */
const ANSWERING_PEER = '5511990000001'
/** The peers that a surviving gateway calls: two ring forever, one answers after a second. */
const PEERS = ['5511990000003', '5511980000003', ANSWERING_PEER]
/** The peer that the dying gateway calls; it answers after a second. */
const UNHEARD_PEER = '5511980000001'
/** In ms, longer than any story: a request held for so long is released when nobody waits for it any more. */
const NEVER_MS = 600_000

const isRunnable = TEST_DATABASE_URL !== null && process.env['TEST_REDIS_URL'] !== undefined
const story = isRunnable ? test.serial : test.serial.skip

let cluster: Cluster

test.before(async () => {
  if (isRunnable) cluster = await Cluster.start({ gateways: 2, mediaHosts: 1 })
})

test.after.always(async () => {
  await cluster?.stop()
})

interface Place {
  readonly number: PairedNumber
  readonly owner: ClusterNode
  readonly stranger: ClusterNode
}

async function settle(): Promise<Place> {
  const [first] = cluster.running as [ClusterNode]
  const number = await first.service.pairNumber()
  const owner = await until('a gateway holds the number', () => cluster.ownerOf(number.id))
  return { number, owner, stranger: await cluster.strangerTo(number.id) }
}

interface CallRow {
  readonly id: string
  readonly status: string
  readonly peer_number: string
  readonly external_call_id: string | null
}

function rowsOf({ id }: PairedNumber): Promise<CallRow[]> {
  return cluster.rows<CallRow>(
    `select id, status, peer_number, external_call_id from calls where number_id = '${id}' order by created_at`,
  )
}

/** What the engine was asked for this number, oldest first. */
async function asked(
  { number, stranger: { service } }: Place,
  op: string,
): Promise<{ to?: string; callRef?: string }[]> {
  const { body } = await service.control('GET', `/requests?path=/devices/sessions/${number.id}&op=${op}`)
  return body.requests.map(({ fields }: { fields: object }) => fields)
}

/** The calls that the engine placed for this number. */
async function made({
  number,
  stranger: { service },
}: Place): Promise<{ to: string; state: string; answeredAt: string | null }[]> {
  return (await service.control('GET', `/calls?numberId=${number.id}`)).body.calls
}

async function callsAt({ controlPort }: ClusterMediaHost): Promise<number> {
  return (await call('GET', `http://127.0.0.1:${controlPort}/health`)).body.calls
}

/** The fate of the offers, in any order: the engine does not receive one, and places three without an answer. */
const HELD = [{ delayMs: NEVER_MS }, { answerDelayMs: NEVER_MS, times: 3 }]

/** Asks for a call; null when the gateway dies before it answers. */
function ask({ number }: Place, { service }: ClusterNode, to: string): Promise<Answer | null> {
  return service.api('POST', '/v1/calls', number.key, { to }, { 'idempotency-key': `caught ${to}` }).catch(() => null)
}

/** Asserts that no call is live, each has one event, and no phone rings or talks. */
async function assertOver(t: ExecutionContext, place: Place, ids: readonly string[]): Promise<void> {
  const {
    number,
    stranger: { service },
  } = place
  for (const id of ids)
    t.like(await service.untilCall(number, id, ['FAILED']), { errorCode: 'NODE_LOST', durationSeconds: null })
  await until('nothing rings or talks upstream', async () =>
    (await made(place)).every(({ state }) => state === 'ENDED'),
  )
  const [host] = cluster.mediaHosts as [ClusterMediaHost]
  await until('the media host holds none of them', async () => (await callsAt(host)) === 0)
  const events = (await service.events(number)).filter(({ event }) => event.startsWith('call.'))
  t.deepEqual(
    events.map(({ event, data }) => [event, data.id, data.status]).toSorted(),
    ids.map((id) => ['call.ended', id, 'FAILED']).toSorted(),
  )
}

/** Asserts that the next owner places and ends calls as usual. */
async function assertWorks(t: ExecutionContext, { number, stranger: { service } }: Place): Promise<void> {
  const placed = await service.placeCall(number, ANSWERING_PEER)
  await service.untilCall(number, placed.id, ['ACCEPTED'])
  t.is((await service.api('POST', `/v1/calls/${placed.id}/terminate`, number.key)).body.status, 'COMPLETED')
}

// [nodes.calls.7]
story(
  "kill -9 between storing a call and its provider's answer: the call ends FAILED NODE_LOST once, the engine's call is hung up, and nothing is offered twice",
  async (t) => {
    const place = await settle()
    const { number, owner, stranger } = place
    for (const hold of HELD)
      await stranger.service.control('POST', '/faults', {
        match: { op: 'call.offer', path: `/devices/sessions/${number.id}` },
        ...hold,
      })
    // The gateway waits 10 s for its engine, so all asks run at the same time.
    const asks = PEERS.map((to) => ({ to, answer: ask(place, stranger, to) }))
    const unheard = ask(place, owner, UNHEARD_PEER)
    await until(
      'the engine has every offer',
      async () => (await asked(place, 'call.offer')).length === PEERS.length + 1,
    )
    const rows = await rowsOf(number)
    await owner.kill('SIGKILL')
    t.deepEqual(
      rows.map(({ status, external_call_id: externalCallId }) => [status, externalCallId]),
      [...PEERS, UNHEARD_PEER].map(() => ['INITIATED', null]),
    )
    t.deepEqual(
      (await asked(place, 'call.offer')).map(({ callRef }) => callRef).toSorted(),
      rows.map(({ id }) => id).toSorted(),
      'the engine knows them by our ids',
    )

    await assertOver(
      t,
      place,
      rows.map(({ id }) => id),
    )
    t.is(await unheard, null)
    for (const { to, answer } of asks) {
      t.like(await answer, { status: 504, body: { code: 'TIMEOUT' } })
      const repeated = await until('the repeat is not in progress any more', async () => {
        const again = await ask(place, stranger, to)
        return again?.status === 409 ? null : again
      })
      t.is(repeated.status, 504, 'what may have run is not run again')
    }
    const calls = await made(place)
    t.is(calls.length, PEERS.length)
    t.is(new Set(calls.map(({ to }) => to)).size, calls.length, 'no peer was called twice')
    t.true(
      calls.some(({ answeredAt }) => answeredAt !== null),
      'one was answered before anybody knew its id',
    )
    t.is((await asked(place, 'call.offer')).length, PEERS.length + 1)
    await assertWorks(t, place)
    await stranger.service.control('DELETE', '/faults')
    await cluster.restartNode(owner)
  },
)

// [nodes.calls.7]
story(
  'kill -9 while the media host was asked for the leg: the call ends FAILED NODE_LOST, its provider never hears of it, and no leg is left',
  async (t) => {
    const place = await settle()
    const { number, owner, stranger } = place
    const [host] = cluster.mediaHosts as [ClusterMediaHost]
    host.program.child.kill('SIGSTOP')
    const answer = stranger.service.api('POST', '/v1/calls', number.key, { to: ANSWERING_PEER })
    const row = await until('the row of the call is stored', async () => (await rowsOf(number)).at(0))
    await owner.kill('SIGKILL')
    t.like(await stranger.service.untilCall(number, row.id, ['FAILED']), { errorCode: 'NODE_LOST' })
    host.program.child.kill('SIGCONT')
    await assertOver(t, place, [row.id])
    t.like(await answer, { status: 504, body: { code: 'TIMEOUT' } })
    t.deepEqual(await asked(place, 'call.offer'), [])
    await assertWorks(t, place)
    await cluster.restartNode(owner)
  },
)
