import test from 'ava'
import {
  historyOf,
  inboxOf,
  KINDS,
  newPeer,
  numbersOfBothKinds,
  reachablePeer,
  send,
  sendText,
  untilInbox,
  untilInHistory,
  untilStatus,
  untilTold,
  write,
  type BothNumbers,
} from '../helpers/message-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import { Receiver } from '../helpers/receiver.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let numbers: BothNumbers
let receiver: Receiver

test.before(async () => {
  receiver = await Receiver.open()
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
})

test.after.always(async () => {
  await receiver?.close()
})

/** The item of a sent message, from the list of what went out. */
async function itemOf(number: PairedNumber, id: string): Promise<any> {
  return (await historyOf(service, number, '&direction=OUTBOUND')).messages.find((item: any) => item.id === id)
}

const LOCATION = { latitude: -23.5614, longitude: -46.6559, name: 'Acme' }
const CARD = {
  name: { formatted: 'Ana Souza', first: 'Ana' },
  phones: [{ phone: '+55 11 99999-0002', type: 'WORK' }],
  emails: [{ email: 'ana@example.com' }],
}
const LIST = {
  text: 'When?',
  button: 'Times',
  sections: [
    {
      rows: [
        { id: 'am', title: 'Morning', description: '8 to 12' },
        { id: 'pm', title: 'Evening' },
      ],
    },
  ],
}

for (const kind of KINDS) {
  // [message-verbs.modes.1] [message-verbs.modes.2]
  test(`${kind}: a place and a card reach their peer, and reads show what was sent`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const place = await send(service, number, { destinationNumber: peer, location: LOCATION })
    const card = await send(service, number, { destinationNumber: peer, contacts: [CARD] })
    const [got, person] = await untilInbox(service, peer, number, 2)
    t.deepEqual([got.type, person.type], ['location', 'contacts'])
    t.like(kind === 'OFFICIAL' ? got.content : got.content.location, LOCATION)
    const [shown] = kind === 'OFFICIAL' ? person.content : person.content.contacts
    t.like(shown, { name: { formatted_name: 'Ana Souza', first_name: 'Ana' }, phones: CARD.phones })
    t.is((await untilStatus(service, number, place.id, ['READ'])).type, 'location')
    await untilStatus(service, number, card.id, ['READ'])
    t.like(await itemOf(number, place.id), { type: 'location', content: null, location: LOCATION, contacts: null })
    t.like(await itemOf(number, card.id), { type: 'contacts', contacts: [CARD], location: null })
  })

  // [message-verbs.modes.3]
  test(`${kind}: a list reaches its peer, as rows or as numbered text`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const sent = await send(service, number, { destinationNumber: peer, list: LIST })
    const [got] = await untilInbox(service, peer, number, 1)
    await untilStatus(service, number, sent.id, ['READ'])
    t.like(await itemOf(number, sent.id), {
      type: 'interactive',
      content: 'When?',
      interactive: { type: 'list', button: 'Times', sections: LIST.sections },
    })
    if (kind === 'OFFICIAL') {
      t.is(sent.notice, undefined)
      t.like(got.content, { type: 'list', action: { button: 'Times', sections: LIST.sections } })
      await service.control('POST', `/peers/${peer}/taps`, { to: number.digits, button: 'Evening' })
      await until('the choice came back', async () =>
        (await historyOf(service, number, `&peer=${peer}`)).messages.some(
          ({ interactive }: any) => interactive?.list_reply?.id === 'pm',
        ),
      )
    } else {
      t.is(sent.notice, 'LIST_SENT_AS_TEXT')
      t.is(got.content.text, 'When?\n\n1. Morning: 8 to 12\n2. Evening')
    }
  })

  // [message-verbs.modes.4]
  test(`${kind}: a reaction reaches the chat of its message, is taken back, and stands in the history`, async (t) => {
    const number = numbers[kind]
    const peer = newPeer()
    const external = await write(service, peer, number, { text: 'well?' })
    await untilInHistory(service, number, external)
    const liked = await send(service, number, { reaction: { messageId: external, emoji: '👍🏽' } })
    await untilStatus(service, number, liked.id, ['READ'])
    t.like(await itemOf(number, liked.id), {
      type: 'reaction',
      content: null,
      to: peer,
      reaction: { messageId: external, emoji: '👍🏽' },
    })
    const { body } = await service.api('GET', '/v1/conversations?pageSize=100', number.key)
    t.is(body.conversations.find(({ from }: any) => from === peer).lastMessagePreview, '👍🏽')
    const ours = await sendText(service, number, peer, 'a question', { correlationId: `question-${peer}` })
    const { externalMessageId } = await untilStatus(service, number, ours.id, ['READ'])
    const undone = await send(service, number, {
      destinationNumber: peer,
      reaction: { messageId: `question-${peer}`, emoji: '' },
    })
    await untilStatus(service, number, undone.id, ['READ'])
    const got = (await inboxOf(service, peer, number)).filter(({ type }) => type === 'reaction')
    t.deepEqual(
      got.map(({ content }) => (kind === 'OFFICIAL' ? [content.message_id, content.emoji] : content.reaction)),
      kind === 'OFFICIAL'
        ? [
            [external, '👍🏽'],
            [externalMessageId, ''],
          ]
        : [
            { messageId: external, emoji: '👍🏽', fromMe: false },
            { messageId: externalMessageId, emoji: '', fromMe: true },
          ],
    )
    const foreign = numbers[kind === 'OFFICIAL' ? 'UNOFFICIAL' : 'OFFICIAL']
    const { status } = await service.api('POST', '/v1/messages/send', foreign.key, {
      reaction: { messageId: external, emoji: '👍' },
    })
    t.is(status, 404, 'a message of another number')
  })
}

// [message-verbs.modes.5]
test('OFFICIAL: a user who hides the number is asked for it, and answers with a card', async (t) => {
  const number = numbers.OFFICIAL
  const peer = newPeer()
  const userId = `US.${peer}`
  await write(service, peer, number, { text: 'hi', hiddenAs: userId })
  const asked = await send(service, number, { destinationNumber: userId, contactRequest: { text: 'May we call?' } })
  await untilStatus(service, number, asked.id, ['READ'])
  const got = (await inboxOf(service, peer, number)).at(-1)
  const tapped = await service.control('POST', `/peers/${peer}/taps`, { to: number.digits, button: 0 })
  t.is(tapped.status, 201, tapped.text)
  t.like(await untilInHistory(service, number, tapped.body.externalMessageId), {
    type: 'contacts',
    contacts: [{ origin: 'contact_request', phones: [{ wa_id: peer }] }],
  })
  t.like(got.content, {
    type: 'request_contact_info',
    body: { text: 'May we call?' },
    action: { name: 'request_contact_info' },
  })
  t.like(await itemOf(number, asked.id), { type: 'interactive', content: 'May we call?' })
  const refused = await service.api('POST', '/v1/messages/send', number.key, {
    destinationNumber: peer,
    poll: { question: 'a', options: ['b', 'c'] },
  })
  t.deepEqual(
    [refused.status, refused.body.code, refused.body.details],
    [400, 'FEATURE_NOT_SUPPORTED', { capability: 'polls' }],
  )
})

// [message-verbs.modes.6] [message-verbs.modes.13] [events.data.11]
test('UNOFFICIAL: votes in a poll are told to webhooks, and make nothing unread', async (t) => {
  const number = numbers.UNOFFICIAL
  const peer = newPeer()
  const hook = await service.api('POST', '/v1/webhooks', number.key, {
    url: receiver.endpoint('/votes'),
    events: ['message.poll_vote'],
  })
  t.is(hook.status, 201, hook.text)
  const poll = { question: 'When?', options: ['Now', 'Later'], multiple: true }
  const sent = await send(service, number, { destinationNumber: peer, poll })
  const { externalMessageId } = await untilStatus(service, number, sent.id, ['READ'])
  t.like(await itemOf(number, sent.id), {
    type: 'interactive',
    content: 'When?',
    interactive: { type: 'poll', ...poll },
  })
  const vote = async (options: readonly string[]) =>
    (await service.control('POST', `/peers/${peer}/votes`, { messageId: externalMessageId, options })).status
  t.deepEqual([await vote(['Never']), await vote(['Later']), await vote([])], [409, 202, 202])
  const { data } = await untilTold(service, number, 'message.poll_vote', externalMessageId)
  t.like(data, {
    internalMessageId: sent.id,
    channelNumberId: number.id,
    from: `+${peer}`,
    options: ['Later'],
    groupId: null,
  })
  const arrivals = await receiver.until('/votes', 2)
  // Deliveries to an endpoint may overtake each other; the events themselves are in order.
  t.deepEqual(
    arrivals.map(({ body }) => JSON.parse(String(body)).data.options).toSorted((a, b) => a.length - b.length),
    [[], ['Later']],
  )
  t.deepEqual(
    (await storedEvents(service, number.key))
      .filter(({ event }) => event === 'message.poll_vote')
      .map(({ data: { options } }) => options),
    [['Later'], []],
  )
  t.is((await historyOf(service, number, `&peer=${peer}`)).total, 0)
  const { body } = await service.api('GET', '/v1/conversations?pageSize=100', number.key)
  t.is(body.conversations.find(({ from }: any) => from === peer).unreadCount, 0)
})
