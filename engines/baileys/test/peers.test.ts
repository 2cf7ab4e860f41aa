import test from 'ava'
import { link, sharedScope, type Linked } from './helpers/linked.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'
import type { Network } from './network/network.ts'

const { scope, end } = sharedScope()
let network: Network
let ana: Linked

test.before('a number is linked', async () => {
  network = await networkFor(scope)
  const engine = await startEngineProcess(scope, network, temporaryFolder(scope))
  ana = await link(scope, network, engine.port, '5511900000003')
})

test.after.always('all is closed', end)

async function sent(messageId: string, to: string): Promise<any> {
  const answer = await ana.client.ask('message.send', { messageId, to, content: { type: 'text', text: messageId } })
  return answer.result
}

// [engines.peers.1] [engines.peers.5] [identities.joining.2]
test('a writer with a hidden number is answered by the id, and named once the network tells the number', async (t) => {
  const bia = network.phone('5511900000301')
  bia.hide({ numberKnown: false })
  const { lid } = bia.account
  const first = await ana.told('message.received', await bia.text(ana.number, 'who am I'))
  t.deepEqual([first['from'], first['peer']], [lid, undefined])
  const answer = await sent('to the id', lid)
  t.deepEqual(Object.keys(answer), ['externalMessageId'])
  t.is((await bia.find(({ text }) => text === 'to the id')).id, answer.externalMessageId)
  bia.tellNumber(ana.number)
  const named = await ana.client.find(({ ev }) => ev === 'session.peer')
  t.deepEqual([named['phone'], named['lid']], [bia.number, lid])
  const second = await ana.told('message.received', await bia.text(ana.number, 'it is me'))
  t.deepEqual([second['from'], second['peer']], [bia.number, { phone: bia.number, lid }])
  t.like(await sent('by id', lid), { number: bia.number, lid })
  t.like(await sent('by number', bia.number), { number: bia.number, lid })
  t.deepEqual((await ana.client.ask('number.check', { numbers: [bia.number] })).result, [
    { input: bia.number, exists: true, number: bia.number, name: null, lid },
  ])
})

// [engines.peers.2]
test('a message that has number and id of its writer names both, and so does one from the own phone', async (t) => {
  const cid = network.phone('5511900000302')
  cid.hide({ numberKnown: true })
  const peer = { phone: cid.number, lid: cid.account.lid }
  const told = await ana.told('message.received', await cid.text(ana.number, 'hidden'))
  t.deepEqual([told['from'], told['peer']], [cid.number, peer])
  const own = await ana.told('message.sent_elsewhere', await ana.phone.text(cid.number, 'from my pocket'))
  t.deepEqual([own['to'], own['peer']], [cid.number, peer])
})
