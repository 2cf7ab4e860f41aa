import test from 'ava'
import { jpeg } from '../files/make-media.ts'
import {
  FAST,
  historyOf,
  newPeer,
  reachablePeer,
  sendText,
  untilInHistory,
  untilStatus,
  write,
} from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import { Receiver, verified } from '../helpers/receiver.ts'
import { Service } from '../helpers/service.ts'

/** These stories use a platform of their own, because they change its clock and how it posts to all of its numbers. */
let service: Service
let receiver: Receiver

test.before(async () => {
  receiver = await Receiver.open()
  service = await Service.start({ env: FAST })
})

test.after.always(async () => {
  await service?.stop()
  await receiver?.close()
})

// [events.data.2]
test.serial(
  'OFFICIAL: webhooks get the envelope as upstream has it, one change each; * never makes it message.received, and message.reply goes to who lists it',
  async (t) => {
    const number = await connectOfficial(service)
    const paths = { '/all': ['*'], '/named': ['messages'], '/reply': ['message.reply'], '/ours': ['message.received'] }
    const secrets = new Map<string, string>()
    for (const [path, events] of Object.entries(paths)) {
      const { body } = await service.api('POST', '/v1/webhooks', number.key, { url: receiver.endpoint(path), events })
      secrets.set(path, body.secret)
    }
    const peer = newPeer()
    await service.control('POST', '/official/webhooks', { batch: true })
    const first = await write(service, peer, number, {
      text: 'first',
      fromName: 'Ana',
      referral: { source_id: '1', source_type: 'ad', ctwa_clid: 'x' },
    })
    const second = await write(service, peer, number, {
      type: 'interactive',
      content: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
    })
    const item = await untilInHistory(service, number, first)
    t.like(item.referral, { sourceId: '1', sourceType: 'ad', ctwaClid: 'x' })
    t.like(await untilInHistory(service, number, second), {
      type: 'interactive',
      content: 'Yes',
      interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
    })
    await service.control('POST', '/official/webhooks', {})
    const ours = await sendText(service, number, peer, 'a question')
    const { externalMessageId: asked } = await untilStatus(service, number, ours.id, ['READ'])
    const reply = await write(service, peer, number, { text: 'an answer', quoted: asked })
    const stray = await write(service, peer, number, { text: 'to nobody', quoted: 'wamid.none' })

    for (const path of ['/all', '/named']) {
      const native = await receiver.until(
        path,
        4,
        ({ event, body }) =>
          event === 'messages' && JSON.parse(String(body)).entry?.[0]?.changes[0].value.messages !== undefined,
      )
      const envelopes = native.map((arrival) => verified(arrival, secrets.get(path) ?? ''))
      for (const envelope of envelopes) {
        t.is(envelope.object, 'whatsapp_business_account')
        t.deepEqual(
          [envelope.entry.length, envelope.entry[0].changes.length, envelope.entry[0].id],
          [1, 1, number.accountId],
        )
        t.is(envelope.entry[0].changes[0].value.metadata.phone_number_id, number.phoneId)
      }
      const told = envelopes.map(({ entry }) => entry[0].changes[0].value.messages[0])
      t.deepEqual(told.map(({ id }) => id).toSorted(), [first, second, reply, stray].toSorted(), path)
      t.like(
        told.find(({ id }) => id === first),
        { from: peer, type: 'text', text: { body: 'first' }, referral: { source_id: '1' } },
      )
    }
    const [arrival] = await receiver.until('/reply', 1)
    t.like(arrival && verified(arrival, secrets.get('/reply') ?? ''), {
      event: 'message.reply',
      data: { messageId: reply, quotedMessageId: asked, content: 'an answer', from: `+${peer}` },
    })
    t.is(receiver.at('/reply').length, 1, 'what quotes nothing of ours is no reply')
    t.deepEqual(receiver.at('/ours'), [])
    t.false(receiver.at('/all').some(({ event }) => event === 'message.received' || event === 'message.reply'))
  },
)

test.serial('a message told twice by upstream is one message, one event, one unread', async (t) => {
  const number = await connectOfficial(service)
  const peer = newPeer()
  await service.control('POST', '/official/webhooks', { duplicate: 4, parallel: true })
  const externalMessageId = await write(service, peer, number, { text: 'again and again' })
  await service.control('POST', '/official/webhooks', {})
  await untilInHistory(service, number, externalMessageId)
  await untilInHistory(service, number, await write(service, peer, number, { text: 'after' }))
  const { messages } = await historyOf(service, number)
  t.is(messages.filter((item: any) => item.externalMessageId === externalMessageId).length, 1)
  t.is((await service.api('GET', '/v1/messages/unread', number.key)).body.total, 2)
})

test.serial(
  'OFFICIAL: the window closes after 24 hours, and the conversation says until when it is open',
  async (t) => {
    const number = await connectOfficial(service)
    const peer = await reachablePeer(service, number)
    await untilStatus(service, number, (await sendText(service, number, peer, 'inside')).id, ['READ'])
    const [conversation] = (await service.api('GET', '/v1/conversations', number.key)).body.conversations
    t.true(
      Math.abs(Date.parse(conversation.windowExpiresAt) - Date.now() - 86_400_000) < 120_000,
      conversation.windowExpiresAt,
    )
    await service.control('POST', '/official/clock', { advanceMs: 86_400_000 + 60_000 })
    const { id } = await sendText(service, number, peer, 'outside')
    t.is((await untilStatus(service, number, id, ['FAILED'])).errorCode, 'OFFICIAL_OUTSIDE_24H_WINDOW')
  },
)

test.serial('OFFICIAL: media that the upstream no longer has is 404, and so is media of another number', async (t) => {
  const [number, other] = [await connectOfficial(service), await connectOfficial(service)]
  const picture = await jpeg()
  const externalMessageId = await write(service, newPeer(), number, {
    type: 'image',
    media: { base64: picture.toString('base64'), mimeType: 'image/jpeg' },
  })
  const { media } = await untilInHistory(service, number, externalMessageId)
  t.is((await service.api('GET', `/v1/media/${media.id}?phoneNumberId=${other.phoneId}`, other.key)).status, 404)
  t.is((await service.api('GET', `/v1/media/${media.id}?phoneNumberId=${number.phoneId}`, other.key)).status, 404)
  t.is((await service.api('GET', `/v1/media/${media.id}?phoneNumberId=${number.phoneId}`, number.key)).status, 200)
  await service.control('POST', '/official/clock', { advanceMs: 8 * 86_400_000 })
  t.is((await service.api('GET', `/v1/media/${media.id}?phoneNumberId=${number.phoneId}`, number.key)).status, 404)
})
