import test, { registerCompletionHandler } from 'ava'
import { readConfig } from '../../process/config.ts'
import { createLog } from '../../process/log.ts'
import { startEngine } from '../../start.ts'
import { TOKEN } from '../helpers/engine-process.ts'
import { linkNumber } from '../helpers/linked-number.ts'
import { temporaryFolder } from '../helpers/open-store.ts'
import { networkFor } from '../network/started.ts'

registerCompletionHandler(() => process.exit())

const OURS = '5511999993001'
const THEIRS = '5511888883001'

test('a receipt that the engine was killed with before its status was kept comes again: it is acknowledged once the status is on the disk', async (t) => {
  const network = await networkFor(t)
  const engine = await startEngine(
    readConfig({
      ENGINE_PORT: '0',
      ENGINE_TOKEN: TOKEN,
      ENGINE_DATA_DIR: temporaryFolder(t),
      ENGINE_SOCKET_URL: network.socketUrl,
    }),
    createLog('silent', () => {}),
  )
  t.teardown(() => engine.close())
  const { client } = await linkNumber(t, network, engine.port, 'num_1', OURS)
  const session = await engine.sessions.of('num_1')
  const { result } = await client.ask('message.send', {
    messageId: 'msg_1',
    to: THEIRS,
    content: { type: 'text', text: 'hello' },
  })
  const message = await network.phone(THEIRS).find(({ id }) => id === result.externalMessageId)
  const [device] = network.devices(OURS)
  await device?.mailbox.whenGone()

  const held = Promise.withResolvers<void>()
  void session.inTurn(() => held.promise)
  network.phone(THEIRS).read(message)
  // The answer arrives only after the engine took in everything that came before the question.
  t.true((await client.ask('number.check', { numbers: [THEIRS] })).ok)
  t.deepEqual(
    device?.mailbox.waiting().map(({ tag, attrs }) => [tag, attrs['id'], attrs['type']]),
    [['receipt', message.id, 'read']],
  )
  held.resolve()
  await device?.mailbox.whenGone()
  t.like(
    (await session.store.events.after(0, 1_000)).findLast(({ ev }) => ev === 'message.status'),
    { externalMessageId: message.id, status: 'READ' },
  )
})
