import test from 'ava'
import type { ExecutionContext } from 'ava'
import { jpeg, png, webp } from '../files/make-media.ts'
import { startFileHost } from '../helpers/file-host.ts'
import { inTime } from '../helpers/in-time.ts'
import {
  eventsOf,
  failSends,
  mediaBytes,
  newPeer,
  numbersOfBothKinds,
  send,
  untilInbox,
  untilStatus,
  type BothNumbers,
} from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let numbers: BothNumbers

test.before(async () => {
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
})

const dataUri = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`

/** Creates a template, which is approved when the number is OFFICIAL. */
async function templateOf(number: PairedNumber, name: string, body: object, more: object = {}): Promise<any> {
  const made = await service.api('POST', '/v1/templates', number.key, {
    name,
    category: 'MARKETING',
    language: 'pt_BR',
    body,
    ...more,
  })
  if (made.status !== 201) throw new Error(`not created: ${made.status} ${made.text}`)
  if (!('phoneId' in number)) return made.body
  await service.control('POST', `/official/templates/${made.body.externalId}`, { event: 'APPROVED' })
  return await until(`${name} can be sent`, async () => {
    const { body: template } = await service.api('GET', `/v1/templates/${made.body.id}`, number.key)
    return template.sendable ? template : null
  })
}

/** Serves pictures of the kinds that cards accept; resolves to their address. */
async function pictures(t: ExecutionContext): Promise<string> {
  const files: Record<string, Buffer> = { '/a.png': await png(), '/b.webp': await webp(), '/c.jpg': await jpeg() }
  return (await startFileHost(t, (request, response) => response.end(files[request.url ?? ''] ?? Buffer.alloc(0))))
    .origin
}

test('OFFICIAL: texts, buttons and the file of a header reach the user filled, outside of the window', async (t) => {
  const number = numbers.OFFICIAL
  const peer = newPeer()
  const text = await templateOf(
    number,
    'order_sent',
    {
      header: { type: 'TEXT', text: 'Order {{1}}' },
      body: 'Hi {{name}}, dear {{name}}, it comes to {{ city }} now.',
      footer: 'Acme',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Thanks' },
        { type: 'URL', text: 'Track', url: 'https://shop.io/{{1}}' },
        { type: 'COPY_CODE', example: ['SALE10'] },
      ],
    },
    { examples: { header_1: '7', name: 'Ana', city: 'Rio', button_2: 'x' } },
  )
  t.deepEqual(text.variables, ['header_1', 'name', 'city', 'button_2', 'button_3'])
  const sent = await send(service, number, {
    destinationNumber: peer,
    templateId: 'order_sent',
    variables: { header_1: 4711, name: '$& {{city}}', city: 'São Paulo', button_2: 'a?b=c', button_3: 'OFF20' },
  })
  t.like(await untilStatus(service, number, sent.id, ['READ']), { type: 'template', template: 'order_sent' })
  const [message] = await untilInbox(service, peer, number, 1)
  t.like(message, {
    type: 'template',
    text: 'Hi $& {{city}}, dear $& {{city}}, it comes to São Paulo now.',
    content: {
      name: 'order_sent',
      header: { text: 'Order 4711' },
      footer: 'Acme',
      buttons: [{ text: 'Thanks' }, { url: 'https://shop.io/a?b=c' }, { code: 'OFF20' }],
    },
  })
  const history = (await service.api('GET', `/v1/messages/history?direction=OUTBOUND&peer=%2B${peer}`, number.key)).body
    .messages[0]
  t.like(history, { type: 'template', content: 'Hi $& {{city}}, dear $& {{city}}, it comes to São Paulo now.' })

  const picture = await jpeg()
  await templateOf(number, 'look', {
    header: { type: 'IMAGE', base64: dataUri(picture, 'image/jpeg') },
    body: 'Look at this.',
  })
  await send(service, number, { destinationNumber: peer, templateId: 'look' })
  const other = await png()
  await send(service, number, { destinationNumber: peer, templateId: 'look', media: dataUri(other, 'image/png') })
  const [, own, given] = await untilInbox(service, peer, number, 3)
  t.deepEqual(await mediaBytes(service, own.externalMessageId), picture)
  t.deepEqual(await mediaBytes(service, given.externalMessageId), other)
})

test('OFFICIAL: a carousel has the pictures of the template or of the send, and a code is in the text and in its button', async (t) => {
  const number = numbers.OFFICIAL
  const peer = newPeer()
  const origin = await pictures(t)
  const card = (file: string, text: string) => ({
    media: { url: `${origin}/${file}` },
    body: text,
    buttons: [{ type: 'URL', text: 'Buy', url: 'https://shop.io/{{1}}' }],
  })
  await templateOf(
    number,
    'shop',
    {
      body: 'Hi {{name}}, look.',
      carousel: { cards: [card('a.png', 'Shoes: {{1}} only.'), card('c.jpg', 'Hats: {{1}} only.')] },
    },
    { examples: { name: 'Ana', card_1_1: 'R$ 9', card_1_button_1: 'a', card_2_1: 'R$ 8', card_2_button_1: 'b' } },
  )
  const variables = {
    name: 'Ana',
    card_1_1: 'R$ 99',
    card_1_button_1: 'shoe',
    card_2_1: 'R$ 79',
    card_2_button_1: 'hat',
  }
  await send(service, number, { destinationNumber: peer, templateId: 'shop', variables })
  await send(service, number, {
    destinationNumber: peer,
    templateId: 'shop',
    variables,
    cards: [{}, { media: { url: `${origin}/b.webp` }, variables: { 1: 'R$ 1' } }],
  })
  const [first, second] = await untilInbox(service, peer, number, 2)
  t.deepEqual(
    [first, second].map(({ content }) => content.cards.map((one: any) => [one.body, one.buttons[0].url])),
    [
      [
        ['Shoes: R$ 99 only.', 'https://shop.io/shoe'],
        ['Hats: R$ 79 only.', 'https://shop.io/hat'],
      ],
      [
        ['Shoes: R$ 99 only.', 'https://shop.io/shoe'],
        ['Hats: R$ 1 only.', 'https://shop.io/hat'],
      ],
    ],
  )
  t.deepEqual(
    first.media.map(({ mimeType }: any) => mimeType),
    ['image/png', 'image/jpeg'],
  )
  t.deepEqual([second.media.length, second.media[0].sha256], [2, first.media[0].sha256])
  t.true(['image/jpeg', 'image/png'].includes(second.media[1].mimeType), 'upstream takes no webp')

  await templateOf(
    number,
    'code',
    { body: 'Your code is {{code}}.' },
    { category: 'OTP', examples: { code: '123456' } },
  )
  await send(service, number, { destinationNumber: peer, templateId: 'code', variables: { code: '987654' } })
  const [, , code] = await untilInbox(service, peer, number, 3)
  t.true(code.text.includes('987654'))
  t.true(JSON.stringify(code.content.buttons).includes('987654'))
})

// [templates.send-failures.2] [templates.send-failures.13]
test('OFFICIAL: a refusal because of the template fails the message for good and updates the template', async (t) => {
  const number = await connectOfficial(service)
  const { id } = await templateOf(number, 'tired', { body: 'Hello.' })
  await failSends(service, number, { error: '132015' })
  const sent = await send(service, number, { destinationNumber: newPeer(), templateId: id })
  t.like(await untilStatus(service, number, sent.id, ['FAILED']), {
    errorCode: 'OFFICIAL_TEMPLATE_PAUSED',
    template: 'tired',
  })
  t.like((await eventsOf(service, number, sent.id)).at(-1), {
    event: 'message.failed',
    data: { code: 'OFFICIAL_TEMPLATE_PAUSED', upstreamCode: 132015 },
  })
  await until(
    'it cannot be sent any more',
    async () => (await service.api('GET', `/v1/templates/${id}`, number.key)).body.officialStatus === 'DISABLED',
  )
  t.is(
    (await service.api('POST', '/v1/messages/send', number.key, { destinationNumber: newPeer(), templateId: id }))
      .status,
    404,
  )
})

// [templates.send.3] [templates.send.17]
test('UNOFFICIAL: a template is sent as one message with its parts, and a later change of the template does not affect an accepted message', async (t) => {
  const number = numbers.UNOFFICIAL
  const peer = newPeer()
  const picture = await png()
  const body = {
    header: { type: 'IMAGE', base64: dataUri(picture, 'image/png') },
    body: 'Hi {{name}}.',
    footer: 'Acme',
    buttons: [
      { type: 'QUICK_REPLY', text: 'Yes' },
      { type: 'URL', text: 'Open', url: 'https://shop.io/{{1}}' },
    ],
  }
  const more = { category: 'UTILITY', examples: { name: 'Ana', 1: 'x' } }
  await templateOf(number, 'hello', body, more)
  const variables = { name: 'Ana\nMaria', 1: 'a' }
  await send(service, number, { destinationNumber: peer, templateId: 'hello', variables })
  const [now] = await untilInbox(service, peer, number, 1)
  t.like(now, {
    type: 'image',
    text: 'Hi Ana\nMaria.\n\n• Yes\n• Open: https://shop.io/a\n\nAcme',
    content: {
      body: 'Hi Ana\nMaria.',
      footer: 'Acme',
      buttons: [{ id: 'button_1' }, { id: 'button_2', url: 'https://shop.io/a' }],
    },
  })
  t.deepEqual(await mediaBytes(service, now.externalMessageId), picture)

  const { accepted, later } = await inTime(3_000, async (deliverAt) => {
    const to = newPeer()
    const { id } = await templateOf(number, `left_${to}`, body, more)
    const waiting = await send(service, number, { destinationNumber: to, templateId: id, variables, deliverAt })
    t.is(
      (await service.api('PUT', `/v1/templates/${id}`, number.key, { body: 'Something else.', examples: {} })).status,
      200,
    )
    t.is((await service.api('DELETE', `/v1/templates/${id}`, number.key)).status, 200)
    return { accepted: waiting, later: to }
  })
  await untilStatus(service, number, accepted.id, ['SENT', 'DELIVERED', 'READ'])
  const [then] = await untilInbox(service, later, number, 1)
  t.deepEqual([then.type, then.text], [now.type, now.text])
  t.deepEqual(await mediaBytes(service, then.externalMessageId), picture)
})
