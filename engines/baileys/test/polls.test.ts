import { randomBytes } from 'node:crypto'
import test from 'ava'
import { connectBridge } from './helpers/bridge-client.ts'
import { startEngineProcess, type EngineProcess } from './helpers/engine-process.ts'
import { link, sharedScope, type Linked } from './helpers/linked.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'
import type { Network } from './network/network.ts'

const { scope, end } = sharedScope()
let network: Network
let ana: Linked
let folder: string
let engine: EngineProcess

test.before('a number is linked', async () => {
  network = await networkFor(scope)
  folder = temporaryFolder(scope)
  engine = await startEngineProcess(scope, network, folder)
  ana = await link(scope, network, engine.port, '5511900000302')
})

test.after.always('all is closed', end)

const POLL = { question: 'When?', options: ['Now', 'Later', 'Never'], multiple: true }

async function sendPoll(to: string, poll: object = POLL): Promise<{ readonly messageId: string; readonly id: string }> {
  const messageId = `msg_${randomBytes(8).toString('hex')}`
  const { result, error } = await ana.client.ask('message.send', { messageId, to, content: { type: 'poll', poll } })
  if (!result) throw new Error(JSON.stringify(error))
  return { messageId, id: result.externalMessageId }
}

// [engines.bridge.10] [message-verbs.modes.6]
test.serial('a poll arrives as one, and each vote is told with all that the voter has chosen', async (t) => {
  const bia = network.phone('5511900000402')
  const { messageId, id } = await sendPoll(bia.number)
  const got = await bia.find((message) => message.id === id)
  t.like(got.message.pollCreationMessage, { name: 'When?', selectableOptionsCount: 0 })
  for (const options of [['Never', 'Now'], ['Later'], []]) {
    await bia.vote(got, options)
    const told = await ana.told('message.poll_vote', id, (event) => (event['options'] as []).length === options.length)
    t.like(told, {
      messageId,
      from: bia.number,
      options: POLL.options.filter((option) => options.includes(option)),
    })
    t.true(Math.abs(Number(told['timestamp']) - Date.now()) < 600_000)
  }
})

test.serial(
  'one option is asked for unless the poll says otherwise; votes of hidden people and in groups are read',
  async (t) => {
    const [cleo, dora] = [network.phone('5511900000403'), network.phone('5511900000404')]
    const { id } = await sendPoll(cleo.number, { question: 'Well?', options: ['Yes', 'No'] })
    const got = await cleo.find((message) => message.id === id)
    t.like(got.message.pollCreationMessageV3, { name: 'Well?', selectableOptionsCount: 1 })
    cleo.hide({ numberKnown: true })
    await cleo.vote(got, ['Yes'])
    t.like(await ana.told('message.poll_vote', id), { from: cleo.number, options: ['Yes'] })
    const group = network.createGroup(dora, 'Friends', [ana.phone])
    const inGroup = await sendPoll(group.id)
    await dora.vote(await dora.find((message) => message.id === inGroup.id), ['Later'])
    t.like(await ana.told('message.poll_vote', inGroup.id), {
      from: dora.number,
      group: { id: group.id, name: 'Friends' },
      options: ['Later'],
    })
  },
)

test.serial('votes in polls of others, and those that cannot be opened, are told to nobody', async (t) => {
  const eva = network.phone('5511900000405')
  const { id } = await sendPoll(eva.number)
  const got = await eva.find((message) => message.id === id)
  const foreign = structuredClone({ ...got, message: { messageContextInfo: { messageSecret: randomBytes(32) } } })
  await eva.vote(foreign as never, ['Now'])
  await eva.vote({ ...got, id: '3EB0F0E1GN' }, ['Now'])
  const last = await eva.text(ana.number, 'that was all')
  await ana.told('message.received', last)
  await eva.vote(got, ['Later'])
  t.like(await ana.told('message.poll_vote', id), { options: ['Later'] })
})

test.serial('a vote is read by an engine that was killed since it sent the poll', async (t) => {
  const fay = network.phone('5511900000406')
  const { messageId, id } = await sendPoll(fay.number)
  const got = await fay.find((message) => message.id === id)
  await engine.kill()
  await fay.vote(got, ['Now'])
  engine = await startEngineProcess(scope, network, folder)
  const known = ana.client.events.findLast(({ ev }) => ev === 'session.credentials')
  const client = await connectBridge(scope, engine.port, `number-${ana.number}`)
  await client.start({ number: ana.number, credentials: known?.['credentials'] })
  client.ackAll()
  const told = await client.find(({ ev, externalMessageId }) => ev === 'message.poll_vote' && externalMessageId === id)
  t.like(told, { messageId, options: ['Now'] })
})
