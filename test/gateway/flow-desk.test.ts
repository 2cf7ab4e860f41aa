import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { FLOW_KEY_GRACE_MS } from '../../src/domain/limits.ts'
import { listenForAdmin } from '../../src/gateway/admin-socket.ts'
import { askedFlowDesk, flowDesk, flowDeskCommands } from '../../src/gateway/flow-desk.ts'
import { tenantDesk } from '../../src/gateway/tenant-desk.ts'
import type { UpstreamWrite } from '../../src/ports/official/write.ts'
import { madeFlow, upstreamId } from '../contracts/flow-world.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { openStoredWorld } from '../helpers/stored-world.ts'

const URL = 'https://flows.shop.io/ask'
const LOST: UpstreamWrite<never> = { kind: 'unknown', refusal: refuse('OFFICIAL_ERROR', 'no answer came') }

function no(upstreamCode: number): UpstreamWrite<never> {
  return { kind: 'refused', no: { upstreamCode, upstreamSubcode: null, upstreamMessage: `no ${upstreamCode}` } }
}

const database = sharedDatabase(test, openTestDatabase)

async function open() {
  const world = await openStoredWorld(database())
  const { number } = await world.addOfficial(world.tenantId)
  const accountId = number.official?.accountId ?? ''
  const owner = { tenantId: world.tenantId, accountId }
  const flow = await madeFlow(world, owner, { officialFlowId: upstreamId() })
  const { upstream } = world
  const desk = flowDesk(world.deps().flowEndpointCommands)
  return {
    world,
    number,
    accountId,
    owner,
    flow,
    desk,
    upstream,
    asked: (op: string) => upstream.asked.filter((one) => one.op === op).map(({ args }) => args),
  }
}

async function overSocket(t: ExecutionContext) {
  const opened = await open()
  const { world, desk } = opened
  const dataDir = await mkdtemp(join(tmpdir(), 'cms-flows-'))
  const asked = askedFlowDesk(dataDir)
  t.is(await asked.showKey(opened.number.id), null, 'nobody listens')
  const tenants = tenantDesk({
    tenants: world.stores.tenants,
    keys: world.stores.keys,
    revokeCallers: async () => {},
  })
  const socket = await listenForAdmin(dataDir, tenants, flowDeskCommands(desk))
  t.teardown(async () => {
    socket.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { ...opened, asked }
}

// [flows.data-exchange.3]
test('a key pair is made, shown and replaced over the socket, and its private half leaves the store to nobody', async (t) => {
  const { world, number, accountId, flow, asked, upstream } = await overSocket(t)
  await t.throwsAsync(asked.showKey(number.id), { message: /no key pair/ })
  const made = await asked.createKey(number.id)
  t.like(made, { accountId, numbers: [{ numberId: number.id, status: 'UPLOADED' }] })
  upstream.script = {
    'encryption.publicKey': () =>
      succeed({ publicKey: made?.publicKey.replaceAll('\n', '\r\n') ?? '', status: 'VALID' }),
  }
  t.deepEqual(await asked.showKey(number.id), made, "line ends are upstream's to choose")
  const replaced = await asked.createKey(number.id)
  t.not(replaced?.publicKey, made?.publicKey)
  t.like(await asked.showKey(number.id), { publicKey: replaced?.publicKey, numbers: [{ status: 'OTHER_KEY' }] })
  t.deepEqual(
    (await world.stores.flowKeys.readable(flow.owner, FLOW_KEY_GRACE_MS)).map(({ publicKey }) => publicKey),
    [replaced?.publicKey, made?.publicKey],
  )
  t.false(JSON.stringify([made, replaced, upstream.asked]).includes('PRIVATE'))
})

// [flows.data-exchange.2]
test("each number of the account is told of a key apart: one that upstream refuses stands in no other's way, and a lost answer is read", async (t) => {
  const { world, number, accountId, desk, upstream } = await open()
  world.clock.advance(1)
  const { number: other } = await world.addOfficial(world.tenantId, accountId)
  await world.addOfficial(world.tenantId)
  let held = ''
  upstream.script = {
    'encryption.setPublicKey': (_credentials, publicKey) => {
      held = publicKey
      return upstream.asked.length === 1 ? no(100) : LOST
    },
    'encryption.publicKey': () => succeed({ publicKey: held, status: null }),
  }
  t.deepEqual((await desk.createKey(number.id)).numbers, [
    { numberId: number.id, status: 'FAILED', reason: 'no 100' },
    { numberId: other.id, status: 'UPLOADED' },
  ])
  upstream.script = { 'encryption.setPublicKey': () => LOST, 'encryption.publicKey': () => succeed(null) }
  t.like((await desk.createKey(number.id)).numbers[1], { status: 'FAILED', reason: 'no answer came' })
  t.deepEqual(
    (await desk.showKey(number.id)).numbers.map(({ status }) => status),
    ['MISSING', 'MISSING'],
  )
  upstream.script = { 'encryption.publicKey': () => fail(refuse('OFFICIAL_ERROR', 'away')) }
  t.like((await desk.showKey(number.id)).numbers[0], { status: 'FAILED', reason: 'away' })
})

// [flows.data-exchange.5]
test('an endpoint is set with a secret of its own, upstream given our address and whose app signs, and cleared on both sides', async (t) => {
  const { world, number, flow, asked } = await overSocket(t)
  const endpointUri = `http://localhost:3000/flows/exchange/${flow.id}`
  const set = await asked.setEndpoint(flow.id, 'HTTPS://Flows.Shop.io:443/ask')
  t.like(set, { flowId: flow.id, endpointUri })
  t.regex(set?.secret ?? '', /^whsec_[\w+/]{43}=$/)
  t.deepEqual(await world.stores.flowEndpoints.find(flow.id), {
    owner: flow.owner,
    url: URL,
    secret: set?.secret ?? '',
  })
  t.deepEqual(world.upstream.asked.at(-1)?.args.slice(1), [
    flow.officialFlowId,
    { endpointUri, applicationId: number.official?.appId },
  ])
  t.deepEqual(await asked.clearEndpoint(flow.id), { flowId: flow.id, upstream: 'CLEARED' })
  t.is(await world.stores.flowEndpoints.find(flow.id), null)
  t.deepEqual(world.upstream.asked.at(-1)?.args.slice(1), [flow.officialFlowId, { endpointUri: '' }])
})

test('an endpoint that upstream does not take leaves what was there; a Flow that left DRAFT with one can be passed on elsewhere', async (t) => {
  const { world, flow, desk, upstream } = await open()
  for (const write of [
    no(100),
    no(139_001),
    LOST,
    { kind: 'unsent', refusal: refuse('OFFICIAL_THROTTLED', 'later') } as const,
  ]) {
    upstream.script = { 'flows.update': () => write }
    await t.throwsAsync(desk.setEndpoint(flow.id, URL), { message: /^(no 100|no 139001|no answer came|later)$/ })
    t.is(await world.stores.flowEndpoints.find(flow.id), null)
  }
  upstream.script = {}
  const { secret } = await desk.setEndpoint(flow.id, URL)
  upstream.script = { 'flows.update': () => no(100) }
  await t.throwsAsync(desk.setEndpoint(flow.id, `${URL}/2`))
  t.like(await world.stores.flowEndpoints.find(flow.id), { url: URL, secret })
  upstream.script = { 'flows.update': () => no(139_001) }
  const moved = await desk.setEndpoint(flow.id, `${URL}/2`)
  t.like(await world.stores.flowEndpoints.find(flow.id), { url: `${URL}/2`, secret: moved.secret })
  t.deepEqual(await desk.clearEndpoint(flow.id), { flowId: flow.id, upstream: 'KEPT', reason: 'no 139001' })
  t.is(await world.stores.flowEndpoints.find(flow.id), null, 'nothing is passed on, whatever upstream says')
})

test('a number or Flow that is missing, not OFFICIAL or not upstream, and an address that is not public, are refused in words without asking the upstream', async (t) => {
  const { world, owner, flow, desk, upstream } = await open()
  const draft = await madeFlow(world, owner)
  world.urlFaults.set('http://10.0.0.1/', 'forbidden').set('nowhere', 'invalid')
  const refused: [Promise<unknown>, RegExp][] = [
    [desk.createKey('num_01kb0000000000000000000000'), /There is no number/],
    [desk.createKey('x'), /no id of a number/],
    [desk.createKey(world.number.id), /OFFICIAL/],
    [desk.showKey(world.number.id), /OFFICIAL/],
    [desk.setEndpoint('flow_01kb0000000000000000000000', URL), /No such Flow/],
    [desk.setEndpoint('x', URL), /no id of a Flow/],
    [desk.clearEndpoint('flow_01kb0000000000000000000000'), /No such Flow/],
    [desk.setEndpoint(flow.id, 'http://10.0.0.1/'), /not a public one/],
    [desk.setEndpoint(flow.id, 'nowhere'), /http or https/],
    [desk.setEndpoint(draft.id, URL), /has not reached/],
  ]
  for (const [asked, message] of refused) await t.throwsAsync(asked, { message })
  t.deepEqual(upstream.asked, [])
})
