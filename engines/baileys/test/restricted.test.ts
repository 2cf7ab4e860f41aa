import { randomBytes } from 'node:crypto'
import test from 'ava'
import { startEngineProcess } from './helpers/engine-process.ts'
import { link } from './helpers/linked.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'

// [message-verbs.pace.3] [engines.bridge.6]
test('a number whose messages the network refuses while other chats go on is told to be restricted', async (t) => {
  const network = await networkFor(t)
  const engine = await startEngineProcess(t, network, temporaryFolder(t))
  const { client, number, told } = await link(t, network, engine.port, '5511900000601')
  const send = async (to: string): Promise<string> => {
    const messageId = `msg_${randomBytes(8).toString('hex')}`
    const { result } = await client.ask('message.send', { messageId, to, content: { type: 'text', text: 'hello' } })
    if (!result) throw new Error(`${to} was not sent to`)
    return result.externalMessageId
  }
  const known = network.phone('5511900000701')
  await told('message.status', await send(known.number))
  network.faults.refuseSends.set(number, '463')
  for (const peer of ['5511900000702', '5511900000703', '5511900000704'].map((digits) => network.phone(digits)))
    await told('message.status', await send(peer.number), ({ status }) => status === 'FAILED')
  t.like(await client.find(({ ev }) => ev === 'session.health'), { level: 'restricted', code: 'sends_refused' })
})
