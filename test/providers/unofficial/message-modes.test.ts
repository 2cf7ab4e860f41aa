import test from 'ava'
import type { BridgeContent } from '../../../src/domain/device-bridge.ts'
import type { SendableContent } from '../../../src/ports/provider.ts'
import { message } from '../../helpers/sendables.ts'
import { until } from '../../helpers/until.ts'
import { probe } from '../session-probe.ts'

const LIST = {
  text: 'Choose',
  button: 'Open',
  sections: [
    {
      rows: [
        { id: 'a', title: 'One', description: 'first' },
        { id: 'b', title: 'Two' },
      ],
    },
  ],
}
const POLL = { question: 'When?', options: ['Now', 'Later'], multiple: true }

const CONTENTS: readonly (readonly [name: string, content: SendableContent, sent: BridgeContent])[] = [
  [
    'a place',
    { mode: 'location', location: { latitude: 1, longitude: -2, name: 'Acme' } },
    { type: 'location', location: { latitude: 1, longitude: -2, name: 'Acme' } },
  ],
  [
    'cards',
    { mode: 'contacts', contacts: [{ name: { formatted: 'Ana', last: 'Lima' }, phones: [{ phone: '190' }] }] },
    {
      type: 'contacts',
      contacts: [{ name: { formatted_name: 'Ana', last_name: 'Lima' }, phones: [{ phone: '190' }] }],
    },
  ],
  [
    'a reaction that is taken back',
    { mode: 'reaction', reaction: { messageId: 'm1', emoji: '' } },
    { type: 'reaction', reaction: { messageId: 'm1', emoji: '' } },
  ],
  ['a list', { mode: 'list', list: LIST }, { type: 'text', text: 'Choose\n\n1. One: first\n2. Two', list: LIST }],
  ['a poll', { mode: 'poll', poll: POLL }, { type: 'poll', poll: POLL }],
]

// [bridge.content.2]
for (const [name, content, sent] of CONTENTS) {
  test(`the engine is told ${name}`, async (t) => {
    const { session, number, engine } = await probe(t)
    engine.onRequest = ({ op }) => (op === 'message.send' ? { result: { externalMessageId: 'm9' } } : undefined)
    t.like(await session.sendMessage(message(content)), { kind: 'sent' })
    t.deepEqual(number.opsOf('message.send')[0]?.['content'], JSON.parse(JSON.stringify(sent)))
  })
}

// [engines.bridge.9]
test('an engine that says it has no polls is not asked to send one; a list it gets as its words', async (t) => {
  const { session, number, engine, told } = await probe(t)
  engine.onRequest = ({ op }) =>
    op === 'session.start'
      ? { result: { capabilities: ['text'] } }
      : op === 'message.send'
        ? { result: { externalMessageId: 'm9' } }
        : undefined
  await until('up', () => told.some(({ type }) => type === 'linkUp'))
  t.like(await session.sendMessage(message({ mode: 'poll', poll: POLL })), { kind: 'refused' })
  t.like(await session.sendMessage(message({ mode: 'list', list: LIST })), { kind: 'sent' })
  t.deepEqual(
    number.opsOf('message.send').map(({ content }) => (content as BridgeContent).type),
    ['text'],
  )
})

test('only the official platform asks for a number that is hidden', async (t) => {
  const { session, number } = await probe(t)
  t.like(await session.sendMessage(message({ mode: 'contactRequest', contactRequest: { text: 'x' } })), {
    kind: 'refused',
  })
  t.deepEqual(number.opsOf('message.send'), [])
})
