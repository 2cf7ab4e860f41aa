import type { SendableContent, SendableMessage } from '../../src/ports/provider.ts'
import { until } from '../helpers/until.ts'
import { message, text } from '../helpers/sendables.ts'
import { paired, Watched } from './provider-world.ts'
import type { Story } from './provider-world.ts'

/** A message to an address. */
export function to(address: string, content: SendableContent, more: Partial<SendableMessage> = {}): SendableMessage {
  return message(content, { to: { type: 'DIRECT', address }, ...more })
}

/** Stories of sent messages. */
export function sendStories(story: Story): void {
  story('a message is taken once, delivered and read', async (t, world) => {
    const { watched } = await paired(t, world)
    const sending = to(world.readingPeer, text('hello'))
    const sent = await watched.session.sendMessage(sending)
    if (sent.kind !== 'sent') return t.fail(sent.failure.message)
    t.deepEqual(await watched.session.sendMessage(sending), sent)
    const { externalMessageId } = sent
    await until('it is read', () =>
      watched
        .all('messageStatus')
        .some((event) => event.externalMessageId === externalMessageId && event.status === 'READ'),
    )
    t.deepEqual(
      watched.all('messageStatus').map(({ status }) => status),
      ['SENT', 'DELIVERED', 'READ'],
    )
    t.deepEqual(new Set(watched.all('messageStatus').map(({ messageId }) => messageId)), new Set([sending.messageId]))
    t.is(
      (await world.inbox(world.readingPeer)).filter((got) => got['externalMessageId'] === externalMessageId).length,
      1,
    )
  })

  story('media, buttons and carousels reach a peer whole', async (t, world) => {
    const { watched } = await paired(t, world)
    const media = {
      path: '/nowhere',
      url: world.imageUrl,
      mimeType: 'image/png',
      sizeBytes: 4,
      fileName: 'a.png',
      waveform: [1, 2],
    }
    const buttons = [{ type: 'QUICK_REPLY', text: 'Yes', id: 'yes' }] as const
    const contents: readonly SendableContent[] = [
      { mode: 'media', kind: 'image', source: media, caption: 'look', fileName: null },
      { mode: 'media', kind: 'voice', source: { ...media, mimeType: 'audio/ogg' }, caption: null, fileName: null },
      text('choose', { buttons, header: 'head', footer: 'foot' }),
      {
        mode: 'carousel',
        text: 'cards',
        cards: [
          { image: media, text: 'one', buttons },
          { image: media, text: 'two', buttons },
        ],
      },
      {
        mode: 'composed',
        header: 'head',
        body: 'filled',
        footer: 'foot',
        buttons: [{ ...buttons[0], id: 'button_1' }],
        file: null,
      },
      {
        mode: 'composed',
        header: null,
        body: 'look',
        footer: null,
        buttons: [],
        file: { kind: 'image', source: media, fileName: null, isOwn: false },
      },
    ]
    const ids: string[] = []
    for (const content of contents) {
      const sent = await watched.session.sendMessage(to(world.readingPeer, content))
      if (sent.kind !== 'sent') return t.fail(`${content.mode}: ${sent.failure.message} ${sent.failure.details ?? ''}`)
      ids.push(sent.externalMessageId)
    }
    const got = (await world.inbox(world.readingPeer)).filter(({ externalMessageId }) =>
      ids.includes(String(externalMessageId)),
    )
    t.deepEqual(
      got.map(({ type }) => type),
      ['image', 'audio', 'text', 'carousel', 'text', 'image'],
    )
    t.like(got[0]?.['content'], { text: 'look', media: { fileName: 'a.png' } })
    t.like(got[1]?.['content'], { media: { voice: true, waveform: [1, 2] } })
    t.like(got[2]?.['content'], {
      body: 'choose',
      text: 'head\n\nchoose\n\n• Yes\n\nfoot',
      buttons,
      header: 'head',
      footer: 'foot',
    })
    t.like(got[3]?.['content'], { body: 'cards', cards: { length: 2 } })
    t.like(got[4]?.['content'], {
      header: 'head',
      body: 'filled',
      footer: 'foot',
      buttons: [{ id: 'button_1' }],
      text: 'head\n\nfilled\n\n• Yes\n\nfoot',
    })
    t.like(got[5]?.['content'], { body: 'look', text: 'look', media: { fileName: 'a.png' } })
  })

  story('places, cards, reactions and lists reach a peer whole', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    const { externalMessageId: messageId } = await world.writeIn(opening, world.readingPeer, { text: 'hi' })
    const location = { latitude: 1.5, longitude: -2.5, name: 'Acme' }
    const list = { text: 'choose', button: 'Open', sections: [{ rows: [{ id: 'a', title: 'One' }] }] }
    const phones = [{ phone: '+55 11 99999-0002' }]
    const ids: string[] = []
    for (const content of [
      { mode: 'location', location },
      { mode: 'contacts', contacts: [{ name: { formatted: 'Ana' }, phones }] },
      { mode: 'reaction', reaction: { messageId, emoji: '👍' } },
      { mode: 'list', list },
    ] as const) {
      const sent = await watched.session.sendMessage(to(world.readingPeer, content))
      if (sent.kind !== 'sent') return t.fail(`${content.mode}: ${sent.failure.message} ${sent.failure.details ?? ''}`)
      ids.push(sent.externalMessageId)
    }
    const got = (await world.inbox(world.readingPeer)).filter(({ externalMessageId }) =>
      ids.includes(String(externalMessageId)),
    )
    t.deepEqual(
      got.map(({ content }) => content),
      [
        { type: 'location', location },
        { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana', first_name: 'Ana' }, phones }] },
        { type: 'reaction', reaction: { messageId, emoji: '👍' } },
        { type: 'text', text: 'choose\n\n1. One', list },
      ],
    )
  })

  // [engines.bridge.10] [sandbox.control.14]
  story('a poll reaches a peer, whose votes are told with all that it has chosen, each time', async (t, world) => {
    const { watched } = await paired(t, world)
    const poll = { question: 'When?', options: ['Now', 'Later'], multiple: true }
    const sending = to(world.readingPeer, { mode: 'poll', poll })
    const sent = await watched.session.sendMessage(sending)
    if (sent.kind !== 'sent') return t.fail(sent.failure.message)
    const { externalMessageId } = sent
    await until('it is read', () => watched.all('messageStatus').some(({ status }) => status === 'READ'))
    for (const options of [['Now'], ['Now', 'Later'], []])
      await world.vote(world.readingPeer, externalMessageId, options)
    await until('all votes are told', () => watched.all('pollVoted').length === 3)
    t.deepEqual(
      watched.all('pollVoted').map(({ options }) => options),
      [['Now'], ['Now', 'Later'], []],
    )
    t.like(watched.all('pollVoted')[0], {
      externalMessageId,
      messageId: sending.messageId,
      from: world.readingPeer,
      group: null,
    })
    t.deepEqual(watched.all('messageReceived'), [])
  })

  story('a message to nobody is refused, one to a group it is not in too', async (t, world) => {
    const { watched } = await paired(t, world)
    t.like(await watched.session.sendMessage(to(world.unreachablePeer, text('hello'))), {
      kind: 'refused',
      failure: { code: 'CHANNEL_NOT_EXIST' },
    })
    t.like(
      await watched.session.sendMessage(
        to('1@g.us', text('hello'), { to: { type: 'GROUP', address: '120363000000000000@g.us' } }),
      ),
      {
        kind: 'refused',
        failure: { code: 'INVALID_DESTINATION' },
      },
    )
  })

  story('a message of a number that is not paired was not sent', async (t, world) => {
    const watched = new Watched(t, world.driver, world.freshSpec())
    await watched.first('qr')
    t.like(await watched.session.sendMessage(to(world.readingPeer, text('hello'))), { kind: 'unsent' })
  })
}

/** Stories of received messages. */
export function receiveStories(story: Story): void {
  story('a message from a peer is told and can be marked read', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    const { externalMessageId } = await world.writeIn(opening, world.readingPeer, {
      type: 'text',
      text: 'hi',
      fromName: 'Ann',
      quoted: 'q1',
    })
    const told = await watched.first('messageReceived')
    t.like(told, {
      externalMessageId,
      from: world.readingPeer,
      fromName: 'Ann',
      to: opening.number,
      isFromMe: false,
      group: null,
      newsletter: null,
      isStory: false,
      isHistorical: false,
      messageType: 'text',
      content: { text: 'hi' },
      quotedMessageId: 'q1',
    })
    t.true(Math.abs(told.at.getTime() - Date.now()) < 60_000)
    t.deepEqual(await watched.session.markRead([externalMessageId]), { ok: true, value: null })
  })

  story(
    'a message that the owner writes on the phone is told as written by the number, and reaches the peer',
    async (t, world) => {
      const { opening, watched } = await paired(t, world)
      const { externalMessageId } = await world.writeElsewhere(opening, world.readingPeer, { text: 'from my pocket' })
      t.like(await watched.first('messageReceived'), {
        externalMessageId,
        isFromMe: true,
        from: opening.number,
        to: world.readingPeer,
        isHistorical: false,
        messageType: 'text',
        content: { text: 'from my pocket' },
      })
      await until('it is read', () =>
        watched
          .all('messageStatus')
          .some((event) => event.externalMessageId === externalMessageId && event.status === 'READ'),
      )
      t.true((await world.inbox(world.readingPeer)).some((got) => got['externalMessageId'] === externalMessageId))
    },
  )

  story("the network's health report about the number is told", async (t, world) => {
    const { opening, watched } = await paired(t, world)
    await world.tellHealth(opening, { level: 'restricted', code: '463', text: 'Nobody new can be written to' })
    t.deepEqual((await watched.first('health')).health, {
      level: 'restricted',
      code: '463',
      text: 'Nobody new can be written to',
    })
  })

  story('media, reactions, groups and channels are told as such', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    const write = (body: Readonly<Record<string, unknown>>) => world.writeIn(opening, world.readingPeer, body)
    await write({ type: 'image', text: 'look', media: { url: world.imageUrl, mimeType: 'image/png' } })
    await write({ type: 'reaction', reaction: { messageId: 'm0', emoji: '👍' } })
    await write({ type: 'text', text: 'hi all', group: { id: '120363000000000001@g.us', name: 'Team' } })
    await write({ type: 'text', text: 'news', newsletter: { id: '120363000000000002@newsletter', name: 'News' } })
    await write({ type: 'text', text: 'old', historical: true })
    await until('all are told', () => watched.all('messageReceived').length === 5)
    const [image, reaction, group, channel, old] = watched.all('messageReceived')
    t.like(image, {
      messageType: 'image',
      content: { text: 'look', media: { id: null, url: world.imageUrl, mimeType: 'image/png' } },
    })
    t.like(reaction, { messageType: 'reaction', content: { reaction: { messageId: 'm0', emoji: '👍' } } })
    t.like(group, { from: world.readingPeer, group: { id: '120363000000000001@g.us', name: 'Team' } })
    t.like(channel, {
      from: '120363000000000002@newsletter',
      newsletter: { id: '120363000000000002@newsletter', name: 'News' },
    })
    t.like(old, { isHistorical: true })
  })

  story('a peer that writes back quotes what it got', async (t, world) => {
    const { watched } = await paired(t, world)
    const sent = await watched.session.sendMessage(to(world.echoingPeer, text('hello')))
    if (sent.kind !== 'sent') return t.fail(sent.failure.message)
    t.like(await watched.first('messageReceived'), {
      from: world.echoingPeer,
      content: { text: 'hello' },
      quotedMessageId: sent.externalMessageId,
    })
  })

  story('status posts come only while they are wanted', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    const post = (body: string) => world.writeIn(opening, world.readingPeer, { type: 'text', text: body, story: true })
    await post('unwanted')
    t.true((await watched.session.applySettings(opening.settings, true)).ok)
    await post('wanted')
    t.like(await watched.first('messageReceived'), { isStory: true, content: { text: 'wanted' } })
  })
}
