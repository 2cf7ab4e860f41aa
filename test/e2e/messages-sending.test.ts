import test from 'ava'
import { png } from '../files/make-media.ts'
import { startFileHost } from '../helpers/file-host.ts'
import {
  inboxOf,
  KINDS,
  newPeer,
  numbersOfBothKinds,
  reachablePeer,
  send,
  sendRequests,
  sendText,
  untilEvents,
  untilInbox,
  untilStatus,
  untilTold,
  write,
  type BothNumbers,
} from '../helpers/message-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let numbers: BothNumbers

test.before(async () => {
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
})

// [rest.ids.1]
for (const kind of KINDS) {
  test(`${kind}: a text reaches its peer as it was accepted, and every step is told once with the upstream id`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const text = 'Olá, 世界 👋\nsecond line & <b>'
    const accepted = await sendText(service, number, `+${peer}`, text, { correlationId: `order-${peer}` })
    t.deepEqual(Object.keys(accepted).toSorted(), ['correlationId', 'createdAt', 'id', 'sourceNumber', 'status'])
    t.like(accepted, { correlationId: `order-${peer}`, status: 'QUEUED', sourceNumber: number.digits })
    t.regex(accepted.id, /^msg_[0-9a-z]{26}$/)

    const [item] = await untilInbox(service, peer, number, 1)
    t.like(item, { type: 'text', text, to: peer })
    const message = await untilStatus(service, number, accepted.id, ['READ'])
    t.like(message, {
      id: accepted.id,
      direction: 'OUTBOUND',
      correlationId: `order-${peer}`,
      destinationNumber: peer,
      type: 'text',
      template: null,
      externalMessageId: item.externalMessageId,
      failedAt: null,
      errorCode: null,
      errorMessage: null,
      createdAt: accepted.createdAt,
    })
    const times = [message.createdAt, message.sentAt, message.deliveredAt, message.readAt]
    t.true(
      times.every((time) => new Date(time).toISOString() === time),
      String(times),
    )

    const events = await untilEvents(service, number, accepted.id, 'message.read')
    t.deepEqual(
      events.map(({ event }) => event),
      ['message.sent', 'message.delivered', 'message.read'],
    )
    for (const envelope of events) {
      t.is(envelope.channelNumberId, number.id)
      t.deepEqual(Object.keys(envelope.data).toSorted(), [
        'correlationId',
        'createdAt',
        'destination',
        'internalMessageId',
        'messageId',
      ])
      t.like(envelope.data, {
        messageId: item.externalMessageId,
        internalMessageId: accepted.id,
        correlationId: `order-${peer}`,
        destination: `+${peer}`,
      })
    }
    t.is((await inboxOf(service, peer, number)).length, 1)
  })

  test(`${kind}: a message is found by its own id, by its correlation id (the newest of several) and by the upstream id`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const correlationId = `shared/${peer} ä`
    const first = await sendText(service, number, peer, 'first', { correlationId })
    const second = await sendText(service, number, peer, 'second', { correlationId })
    const { externalMessageId } = await untilStatus(service, number, first.id, ['READ'])
    const read = async (id: string) =>
      (await service.api('GET', `/v1/messages/${encodeURIComponent(id)}`, number.key)).body.id
    t.deepEqual(await Promise.all([first.id, correlationId, externalMessageId].map(read)), [
      first.id,
      second.id,
      first.id,
    ])
    const plain = await sendText(service, number, peer, 'third')
    t.is(plain.correlationId, plain.id, 'without one it is the id')
    const unknown = await service.api('GET', '/v1/messages/msg_00000000000000000000000000', number.key)
    t.is(unknown.status, 404)
    t.is(typeof unknown.body.error, 'string')
  })

  test(`${kind}: a text with buttons arrives with header, footer and the ids of its replies`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const buttons = [
      { type: 'QUICK_REPLY', text: 'Yes', id: 'yes' },
      { type: 'QUICK_REPLY', text: 'No' },
    ]
    await sendText(service, number, peer, 'Shall we?', { buttons, header: 'Acme', footer: 'Thanks' })
    const [item] = await untilInbox(service, peer, number, 1)
    if (kind === 'OFFICIAL') {
      t.like(item.content, {
        type: 'button',
        header: { type: 'text', text: 'Acme' },
        body: { text: 'Shall we?' },
        footer: { text: 'Thanks' },
      })
      t.deepEqual(
        item.content.action.buttons.map(({ reply }: any) => reply),
        [
          { id: 'yes', title: 'Yes' },
          { id: 'button_2', title: 'No' },
        ],
      )
    } else {
      t.like(item.content, { body: 'Shall we?', header: 'Acme', footer: 'Thanks' })
      t.deepEqual(
        item.content.buttons.map(({ id }: any) => id),
        ['yes', 'button_2'],
      )
      for (const word of ['Acme', 'Shall we?', 'Yes', 'No', 'Thanks']) t.true(item.text.includes(word))
    }
  })

  test(`${kind}: a message is quoted by the id of the service and by the upstream id, of either side`, async (t) => {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const theirs = await write(service, peer, number, { text: 'a question' })
    const ours = await sendText(service, number, peer, 'an answer')
    const { externalMessageId } = await untilStatus(service, number, ours.id, ['READ'])
    await sendText(service, number, peer, 'by our id', { quotedMessageId: ours.id })
    await sendText(service, number, peer, 'by upstream id', { quotedMessageId: theirs })
    const items = await untilInbox(service, peer, number, 3)
    t.deepEqual(
      items.slice(1).map(({ quoted }) => quoted),
      [externalMessageId, theirs],
    )
    const nowhere = await service.api('POST', '/v1/messages/send', number.key, {
      destinationNumber: peer,
      text: 'x',
      quotedMessageId: 'msg_00000000000000000000000000',
    })
    t.is(nowhere.status, 404)
  })

  test(`${kind}: an invalid message is refused with the names of its fields before anything is stored`, async (t) => {
    const number = numbers[kind]
    const peer = newPeer()
    const to = { destinationNumber: peer }
    const refused: [message: object, status: number][] = [
      [{ text: 'nobody' }, 400],
      [to, 400],
      [{ ...to, text: 'a', templateId: 'b' }, 400],
      [{ ...to, text: '' }, 400],
      [{ ...to, text: 'x'.repeat(4_097) }, 400],
      [{ destinationNumber: 'abc', text: 'a' }, 400],
      [{ ...to, groupId: '1@g.us', text: 'a' }, 400],
      [{ ...to, media: 'https://example.com/a.webp', mediaType: 'sticker', caption: 'no' }, 400],
      [{ ...to, media: 'https://example.com/a.webp', mediaType: 'sticker', mediaFilename: 'a.webp' }, 400],
      [{ ...to, media: 'https://example.com/a.ogg', mediaType: 'voice', caption: 'no' }, 400],
      [{ ...to, media: 'file:///etc/passwd', mediaType: 'document' }, 400],
      [
        { ...to, carousel: { text: 'one', cards: [{ image: 'https://example.com/a.png', text: 'a', buttons: [] }] } },
        400,
      ],
      [{ ...to, text: 'a', deliverUntil: '2020-01-01T00:00:00Z' }, 400],
      [{ ...to, templateId: 'no_such' }, 404],
    ]
    for (const [message, status] of refused) {
      const answer = await service.api('POST', '/v1/messages/send', number.key, message)
      t.is(answer.status, status, `${JSON.stringify(message).slice(0, 100)}: ${answer.text}`)
      if (status === 400 && !('groupId' in message && kind === 'OFFICIAL'))
        t.true(answer.body.details.length > 0, JSON.stringify(message).slice(0, 100))
    }
    const template = await service.api('POST', '/v1/messages/send', number.key, { ...to, templateId: 'no_such' })
    t.deepEqual([template.status, template.body.code], [404, undefined], '[templates.send.2]: no code')
    t.deepEqual(
      (await service.api('GET', `/v1/messages/history?direction=OUTBOUND&peer=${peer}`, number.key)).body.messages,
      [],
    )
  })
}

// [messages.carousel.3]
test('OFFICIAL: groups, channels and carousels with URL buttons are 400; UNOFFICIAL sends to groups and channels', async (t) => {
  const { OFFICIAL, UNOFFICIAL } = numbers
  for (const destination of [{ groupId: '77@g.us' }, { newsletterId: '77@newsletter' }]) {
    const answer = await service.api('POST', '/v1/messages/send', OFFICIAL.key, { ...destination, text: 'a' })
    t.deepEqual([answer.status, answer.body.code], [400, 'FEATURE_NOT_SUPPORTED'])
  }
  const card = {
    image: 'https://example.com/a.png',
    text: 'a',
    buttons: [{ type: 'URL', text: 'See', url: 'https://example.com' }],
  }
  t.is(
    (
      await service.api('POST', '/v1/messages/send', OFFICIAL.key, {
        destinationNumber: newPeer(),
        carousel: { text: 'a', cards: [card, card] },
      })
    ).status,
    400,
  )

  const peer = newPeer()
  const { body: group } = await service.control('POST', `/devices/${UNOFFICIAL.digits}/groups`, {
    name: 'Friends',
    participants: [peer],
  })
  const { body: channel } = await service.control('POST', `/devices/${UNOFFICIAL.digits}/newsletters`, { name: 'News' })
  const toGroup = await send(service, UNOFFICIAL, { groupId: group.id, text: 'hi all' })
  const toChannel = await send(service, UNOFFICIAL, { newsletterId: channel.id, text: 'news' })
  t.like((await untilInbox(service, peer, UNOFFICIAL, 1))[0], { to: group.id, text: 'hi all' })
  t.like(await untilStatus(service, UNOFFICIAL, toGroup.id, ['READ']), { destinationNumber: group.id })
  t.like(await untilStatus(service, UNOFFICIAL, toChannel.id, ['SENT']), { destinationNumber: channel.id })
  t.is((await untilEvents(service, UNOFFICIAL, toGroup.id, 'message.read'))[0]?.data.destination, group.id)
})

test('messages to one peer leave in the order they were accepted, whatever they hold', async (t) => {
  for (const kind of KINDS) {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const picture = await png()
    let give = (): void => {}
    const host = await startFileHost(t, (_, response) => {
      give = () => void response.end(picture)
    })
    await send(service, number, {
      destinationNumber: peer,
      media: `${host.origin}/slow.png`,
      mediaType: 'image',
      caption: 'first',
    })
    for (const text of ['second', 'third', 'fourth']) await sendText(service, number, peer, text)
    await until('its picture is asked for', () => host.requests.length > 0)
    give()
    t.deepEqual(
      (await untilInbox(service, peer, number, 4)).map(({ text }) => text),
      ['first', 'second', 'third', 'fourth'],
    )
  }
})

test('a peer that replies is heard, and its reply quotes ours', async (t) => {
  const number = numbers.UNOFFICIAL
  const peer = newPeer('0005')
  const sent = await sendText(service, number, peer, 'say it back')
  const { externalMessageId } = await untilStatus(service, number, sent.id, ['READ'])
  const reply = await until(
    'it writes back',
    async () => (await service.control('GET', `/peers/${peer}/outbox`)).body.messages[0],
  )
  t.is(reply.text, 'say it back')
  const told = await untilTold(service, number, 'message.received', reply.externalMessageId)
  t.like(told.data, { from: `+${peer}`, to: `+${number.digits}`, content: 'say it back' })
  const [item] = (await service.api('GET', `/v1/messages/history?peer=${peer}`, number.key)).body.messages
  t.like(item, { direction: 'INBOUND', content: 'say it back', quotedMessageId: externalMessageId })
})

test('every request to upstream is made once when nothing fails', async (t) => {
  for (const kind of KINDS) {
    const number = numbers[kind]
    const peer = await reachablePeer(service, number)
    const { id } = await sendText(service, number, peer, `once to ${peer}`)
    await untilStatus(service, number, id, ['READ'])
    t.is(
      (await sendRequests(service, number)).filter((request) => JSON.stringify(request).includes(`once to ${peer}`))
        .length,
      1,
    )
    t.is((await untilEvents(service, number, id, 'message.read')).length, 3)
  }
})
