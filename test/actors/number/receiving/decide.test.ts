import test from 'ava'
import { eventsOf, incomingOf, keepingOf } from '../../../../actors/number/receiving/decide.ts'
import { NO_CONTENT } from '../../../../src/domain/message.ts'
import type { ChannelNumber, NumberSettings } from '../../../../src/domain/number.ts'
import { DEFAULT_SETTINGS } from '../../../../src/domain/number.ts'
import type { ReceivedMessage } from '../../../../src/ports/provider.ts'
import type { IncomingMessage } from '../../../../src/ports/stores/message-inbox.ts'

const AT = new Date(Date.UTC(2026, 0, 1, 12))
const GROUP = { id: '1@g.us', name: 'Team' }
const CHANNEL = { id: '1@newsletter', name: 'News' }

function numberWith(settings: Partial<NumberSettings> = {}, patch: Partial<ChannelNumber> = {}): ChannelNumber {
  return {
    id: 'num_1',
    tenantId: 'ten_1',
    name: 'Desk',
    number: '551133334444',
    provider: 'UNOFFICIAL',
    state: 'OPEN',
    isFullyConnected: true,
    isPaired: true,
    pairingReason: null,
    settings: { ...DEFAULT_SETTINGS, ...settings },
    piiMode: 'STORE_INDEFINITE',
    piiRetentionDays: null,
    createdAt: AT,
    updatedAt: AT,
    ...patch,
  }
}

function received(patch: Partial<ReceivedMessage> = {}): ReceivedMessage {
  return {
    externalMessageId: 'ext',
    from: '5511988887777',
    fromName: 'Ann',
    to: '551133334444',
    isFromMe: false,
    group: null,
    newsletter: null,
    isStory: false,
    isHistorical: false,
    at: AT,
    messageType: 'text',
    content: { ...NO_CONTENT, text: 'hi' },
    quotedMessageId: null,
    ...patch,
  }
}

const OFFICIAL = { provider: 'OFFICIAL' } as const
const OWN = { isFromMe: true, from: '551133334444', to: '5511988887777' }

function storedAs(number: ChannelNumber, message: ReceivedMessage): IncomingMessage | null {
  const keeping = keepingOf(number, message)
  return keeping?.isStored ? incomingOf(number, message, keeping, 'msg_1', message.content) : null
}

interface Row {
  readonly what: string
  readonly settings?: Partial<NumberSettings>
  readonly number?: Partial<ChannelNumber>
  readonly message?: Partial<ReceivedMessage>
  /** What is done with the message; null when it is dropped. */
  readonly is: {
    readonly stored: boolean
    readonly event?: string
    readonly reply?: boolean
    readonly unread?: boolean
    readonly marked?: boolean
  } | null
}

const KEPT = { stored: true, unread: true } as const
const ROWS: readonly Row[] = [
  { what: 'a direct message', is: { ...KEPT, event: 'message.received' } },
  { what: 'a group message', message: { group: GROUP }, is: { ...KEPT, event: 'message.group' } },
  { what: 'a channel post', message: { newsletter: CHANNEL }, is: { ...KEPT, event: 'message.newsletter' } },
  { what: 'a story', message: { isStory: true }, is: { stored: false, event: 'message.stories' } },
  {
    what: 'a group message that is ignored',
    settings: { ignoreGroups: true, readMessages: true },
    message: { group: GROUP },
    is: null,
  },
  {
    what: 'an own group message that is ignored',
    settings: { ignoreGroups: true },
    message: { ...OWN, group: GROUP },
    is: null,
  },
  {
    what: 'a channel post that is ignored',
    settings: { ignoreNewsletters: true },
    message: { newsletter: CHANNEL },
    is: null,
  },
  { what: 'a story that is ignored', settings: { ignoreStatus: true }, message: { isStory: true }, is: null },
  { what: 'an own story', message: { ...OWN, isStory: true }, is: null },
  {
    what: 'a direct message while others are ignored',
    settings: { ignoreGroups: true, ignoreNewsletters: true, ignoreStatus: true },
    is: { ...KEPT, event: 'message.received' },
  },
  {
    what: 'the past, not imported',
    settings: { webhookHistoricalMessages: true },
    message: { isHistorical: true },
    is: null,
  },
  {
    what: 'the past, imported',
    settings: { historyImportEnabled: true, readMessages: true },
    message: { isHistorical: true },
    is: { stored: true },
  },
  {
    what: 'the past, imported and told',
    settings: { historyImportEnabled: true, webhookHistoricalMessages: true },
    message: { isHistorical: true },
    is: { stored: true, event: 'message.received' },
  },
  {
    what: 'a message the owner wrote elsewhere',
    settings: { readMessages: true },
    message: OWN,
    is: { stored: true, event: 'message.sent' },
  },
  {
    what: 'a group message the owner wrote elsewhere',
    message: { ...OWN, group: GROUP },
    is: { stored: true, event: 'message.sent' },
  },
  {
    what: 'what the owner wrote in the past, imported and told',
    settings: { historyImportEnabled: true, webhookHistoricalMessages: true },
    message: { ...OWN, isHistorical: true },
    is: { stored: true },
  },
  {
    what: 'a message read by itself',
    settings: { readMessages: true },
    is: { ...KEPT, event: 'message.received', marked: true },
  },
  {
    what: 'a group message read by itself',
    settings: { readMessages: true },
    message: { group: GROUP },
    is: { ...KEPT, event: 'message.group', marked: true },
  },
  {
    what: 'a channel post, never read by itself',
    settings: { readMessages: true },
    message: { newsletter: CHANNEL },
    is: { ...KEPT, event: 'message.newsletter' },
  },
  {
    what: 'a story, never read by itself',
    settings: { readMessages: true },
    message: { isStory: true },
    is: { stored: false, event: 'message.stories' },
  },
  { what: 'a quoting message', message: { quotedMessageId: 'q' }, is: { ...KEPT, event: 'message.received' } },
  {
    what: 'a notice of the network',
    message: { messageType: 'system' },
    is: { stored: true, event: 'message.received' },
  },
  {
    what: 'a message that cannot be shown',
    message: { messageType: 'unsupported' },
    is: { ...KEPT, event: 'message.received' },
  },
  { what: 'an OFFICIAL notice', number: OFFICIAL, message: { messageType: 'system' }, is: { stored: true } },
  { what: 'an OFFICIAL message', number: OFFICIAL, settings: { readMessages: true }, is: KEPT },
  { what: 'an OFFICIAL group message', number: OFFICIAL, message: { group: GROUP }, is: KEPT },
  {
    what: 'an OFFICIAL quoting message',
    number: OFFICIAL,
    message: { quotedMessageId: 'q' },
    is: { ...KEPT, reply: true },
  },
  {
    what: 'an OFFICIAL echo that quotes',
    number: OFFICIAL,
    message: { ...OWN, quotedMessageId: 'q' },
    is: { stored: true },
  },
]

for (const { what, settings, number, message, is } of ROWS) {
  const how =
    is === null
      ? 'is dropped'
      : `is ${is.stored ? 'stored' : 'not stored'}, ${is.event ?? 'no event'}${is.reply ? ', a reply' : ''}${is.unread ? ', unread' : ''}${is.marked ? ', marked read' : ''}`
  test(`${what} ${how}`, (t) => {
    const keeping = keepingOf(numberWith(settings, number), received(message))
    t.deepEqual(
      keeping && {
        isStored: keeping.isStored,
        event: keeping.event,
        replyEvent: keeping.replyEvent,
        isUnread: keeping.isUnread,
        marksRead: keeping.marksRead,
      },
      is
        && ({
          isStored: is.stored,
          event: is.event ?? null,
          replyEvent: is.reply ? 'message.reply' : null,
          isUnread: is.unread ?? false,
          marksRead: is.marked ?? false,
        } as never),
    )
  })
}

test('a conversation is that with the peer, the group or the channel, whoever wrote', (t) => {
  const number = numberWith()
  t.like(storedAs(number, received()), {
    peer: '5511988887777',
    peerName: 'Ann',
    conversationType: 'DIRECT',
    to: '551133334444',
  })
  t.like(storedAs(number, received({ ...OWN, fromName: 'Me' })), {
    peer: '5511988887777',
    peerName: null,
    isFromMe: true,
    to: '5511988887777',
    isUnread: false,
  })
  t.like(storedAs(number, received({ group: GROUP })), {
    peer: '1@g.us',
    peerName: 'Team',
    conversationType: 'GROUP',
    from: '5511988887777',
    fromName: 'Ann',
  })
  t.like(storedAs(number, received({ ...OWN, group: GROUP })), { peer: '1@g.us', to: '1@g.us' })
  t.like(storedAs(number, received({ newsletter: CHANNEL, from: '1@newsletter' })), {
    peer: '1@newsletter',
    conversationType: 'NEWSLETTER',
  })
})

// [events.subscription.8]
test('an event tells when it happened, who wrote, and in which group; a story is addressed to nobody', (t) => {
  const number = numberWith()
  const [event] = storedAs(number, received({ group: GROUP, quotedMessageId: 'q' }))?.events ?? []
  t.like(event, {
    event: 'message.group',
    data: {
      id: 'msg_1',
      messageId: 'ext',
      channelNumberId: 'num_1',
      from: '+5511988887777',
      to: '+551133334444',
      groupId: '1@g.us',
      groupName: 'Team',
      content: 'hi',
      quotedMessageId: 'q',
      createdAt: AT.toISOString(),
    },
  })
  const story = received({ isStory: true })
  const keeping = keepingOf(number, story)
  if (!keeping) return t.fail()
  const [told] = eventsOf(number, story, keeping, 'msg_1', story.content)
  t.is(told?.event, 'message.stories')
  t.false('to' in (told?.data ?? {}))
  t.like(told?.data, { groupId: null, groupName: null }, 'fields that do not apply are null, not left out')
})

test('what answers a Flow is stored with its message', (t) => {
  const flowReply = { flowToken: 'ft_1', response: { name: 'Ada' }, rawResponse: null }
  t.deepEqual(storedAs(numberWith({}, OFFICIAL), received({ flowReply }))?.flowReply, flowReply)
  t.is(storedAs(numberWith({}, OFFICIAL), received())?.flowReply, null)
})

test('media are fetched from the engine, unless the number keeps nothing or upstream keeps them', (t) => {
  t.true(keepingOf(numberWith(), received())?.isRehosted)
  t.true(keepingOf(numberWith(), received({ isStory: true }))?.isRehosted)
  t.false(keepingOf(numberWith({}, { piiMode: 'RELAY_ONLY' }), received())?.isRehosted)
  t.false(keepingOf(numberWith({}, OFFICIAL), received())?.isRehosted)
})
