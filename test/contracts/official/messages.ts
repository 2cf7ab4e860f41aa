import { until } from '../../helpers/until.ts'
import { mediaFile, message, text } from '../../helpers/sendables.ts'
import { connected, received, statuses } from './world.ts'
import type { Story } from './world.ts'

/** Messages in both directions, and their events. */
export function testMessages(story: Story): void {
  story('a message in the window is delivered and read, told by its upstream id and by ours', async (t, world) => {
    const line = await connected(t, world)
    const { externalMessageId: quotedMessageId } = await world.writeIn(line.number, world.readingUser)
    const sending = {
      ...message(text('See https://example.com')),
      to: { type: 'DIRECT', address: world.readingUser },
      quotedMessageId,
    } as const
    const sent = await line.session.sendMessage(sending)
    if (sent.kind !== 'sent') return t.fail(sent.failure.message)
    await until('all statuses are told', () => statuses(line, sent.externalMessageId).length === 3)
    t.deepEqual(
      statuses(line, sent.externalMessageId)
        .map(({ status }) => status)
        .toSorted(),
      ['DELIVERED', 'READ', 'SENT'],
    )
    for (const { messageId } of statuses(line, sent.externalMessageId)) t.is(messageId, sending.messageId)
    t.like((await world.inbox(world.readingUser)).at(-1), { text: 'See https://example.com', quoted: quotedMessageId })
  })

  story('media, buttons and carousels reach a user', async (t, world) => {
    const line = await connected(t, world)
    await world.writeIn(line.number, world.readingUser)
    const image = await mediaFile(t, 'a.jpg', 'image/jpeg')
    const sound = await mediaFile(t, 'a.ogg', 'audio/ogg')
    const paper = await mediaFile(t, 'a.pdf', 'application/pdf')
    const buttons = [{ type: 'QUICK_REPLY', text: 'Yes', id: 'yes' }] as const
    const contents = [
      { mode: 'media', kind: 'image', source: image, caption: 'look', fileName: null },
      { mode: 'media', kind: 'voice', source: sound, caption: null, fileName: null },
      { mode: 'media', kind: 'document', source: paper, caption: null, fileName: 'named.pdf' },
      text('choose', { buttons, header: 'head', footer: 'foot' }),
      text('go', { buttons: [{ type: 'URL', text: 'Open', url: 'https://example.com' }] }),
      {
        mode: 'carousel',
        text: 'cards',
        cards: [
          { image, text: 'one', buttons },
          { image, text: 'two', buttons },
        ],
      },
    ] as const
    for (const content of contents) {
      const sent = await line.session.sendMessage({
        ...message(content),
        to: { type: 'DIRECT', address: world.readingUser },
      })
      if (sent.kind !== 'sent') return t.fail(`${content.mode}: ${sent.failure.message}`)
      await until('it is read', () => statuses(line, sent.externalMessageId).some(({ status }) => status === 'READ'))
    }
    const got = (await world.inbox(world.readingUser)).slice(-contents.length)
    t.deepEqual(
      got.map(({ type }) => type),
      ['image', 'audio', 'document', 'interactive', 'interactive', 'interactive'],
    )
  })

  story('places, cards, lists, reactions and requests for a number reach a user', async (t, world) => {
    const line = await connected(t, world)
    const { externalMessageId: messageId } = await world.writeIn(line.number, world.readingUser)
    const contents = [
      { mode: 'location', location: { latitude: -23.5614, longitude: -46.6559, name: 'Acme' } },
      {
        mode: 'contacts',
        contacts: [
          {
            name: { formatted: 'Ana' },
            phones: [{ phone: '+55 11 99999-0002', type: 'WORK' }],
            emails: [{ email: 'ana@example.com' }],
            org: { company: 'Acme' },
            urls: [{ url: 'https://example.com' }],
          },
        ],
      },
      {
        mode: 'list',
        list: {
          text: 'choose',
          button: 'Open',
          header: 'head',
          footer: 'foot',
          sections: [{ rows: [{ id: 'a', title: 'One', description: 'first' }] }],
        },
      },
      { mode: 'reaction', reaction: { messageId, emoji: '👨‍👩‍👧‍👦' } },
      { mode: 'reaction', reaction: { messageId, emoji: '' } },
      { mode: 'contactRequest', contactRequest: { text: 'may we call?' } },
    ] as const
    for (const content of contents) {
      const sent = await line.session.sendMessage({
        ...message(content),
        to: { type: 'DIRECT', address: world.readingUser },
      })
      if (sent.kind !== 'sent') return t.fail(`${content.mode}: ${sent.failure.message} ${sent.failure.details ?? ''}`)
      await until('it is read', () => statuses(line, sent.externalMessageId).some(({ status }) => status === 'READ'))
    }
    const got = (await world.inbox(world.readingUser)).slice(-contents.length)
    t.deepEqual(
      got.map(({ type }) => type),
      ['location', 'contacts', 'interactive', 'reaction', 'reaction', 'interactive'],
    )
  })

  story('a message outside the window is refused', async (t, world) => {
    const line = await connected(t, world)
    t.like(
      await line.session.sendMessage({ ...message(text('hello')), to: { type: 'DIRECT', address: world.readingUser } }),
      {
        kind: 'refused',
        failure: { code: 'OFFICIAL_OUTSIDE_24H_WINDOW', upstreamCode: 131047 },
      },
    )
  })

  story('a message to a number without account is taken and fails later', async (t, world) => {
    const line = await connected(t, world)
    await world.writeIn(line.number, world.unknownUser)
    const sent = await line.session.sendMessage({
      ...message(text('hello')),
      to: { type: 'DIRECT', address: world.unknownUser },
    })
    if (sent.kind !== 'sent') return t.fail(sent.failure.message)
    const failed = await until('it fails', () =>
      statuses(line, sent.externalMessageId).find(({ status }) => status === 'FAILED'),
    )
    t.like(failed, { failure: { code: 'CHANNEL_NOT_EXIST', upstreamCode: 131026 } })
  })

  story('a file upstream does not take is refused', async (t, world) => {
    const line = await connected(t, world)
    await world.writeIn(line.number, world.readingUser)
    const media = await mediaFile(t, 'a.webm', 'video/webm')
    t.like(
      await line.session.sendMessage({
        ...message({ mode: 'media', kind: 'video', source: media, caption: null, fileName: null }),
        to: { type: 'DIRECT', address: world.readingUser },
      }),
      {
        kind: 'refused',
        failure: { code: 'OFFICIAL_MEDIA_UPLOAD_ERROR', upstreamCode: 100 },
      },
    )
  })

  story('throttling and faults of upstream send nothing', async (t, world) => {
    const line = await connected(t, world)
    await world.writeIn(line.number, world.readingUser)
    const send = () =>
      line.session.sendMessage({ ...message(text('hello')), to: { type: 'DIRECT', address: world.readingUser } })
    await world.failOnce(line.number, 'messages', 400, { error: { message: 'x', code: 131056 } })
    t.like(await send(), { kind: 'throttled', scope: 'pair' })
    await world.failOnce(line.number, 'messages', 500, { error: { message: 'x', code: 131000 } })
    t.like(await send(), { kind: 'unsent' })
    t.like(await send(), { kind: 'sent' })
  })

  story('a message from a user is told once and can be marked read', async (t, world) => {
    const line = await connected(t, world)
    const { externalMessageId } = await world.writeIn(line.number, world.readingUser, {
      type: 'text',
      text: 'hi',
      fromName: 'Ann',
      referral: { source_id: '1', source_type: 'ad' },
    })
    const told = await until('it is told', () => received(line)[0])
    t.like(told, {
      externalMessageId,
      from: world.readingUser,
      fromName: 'Ann',
      to: line.number.number,
      isFromMe: false,
      messageType: 'text',
      content: { text: 'hi' },
      referral: { sourceId: '1', sourceType: 'ad', ctwaClid: null },
    })
    t.deepEqual(await line.session.markRead([externalMessageId]), { ok: true, value: null })
    t.false((await line.session.markRead(['wamid.unknown'])).ok)
    t.is(received(line).length, 1)
  })

  story('a message that the business writes on its own phone is told as its own', async (t, world) => {
    const line = await connected(t, world)
    await world.echo(line.number, world.readingUser, 'from the phone')
    const told = await until('it is told', () => received(line)[0])
    t.like(told, {
      isFromMe: true,
      from: line.number.number,
      to: world.readingUser,
      content: { text: 'from the phone' },
    })
  })
}
