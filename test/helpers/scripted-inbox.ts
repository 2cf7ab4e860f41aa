import type { BrowserContext, Route } from 'playwright-core'
import type { Conversation, Message, MessageStatus } from '../../web/chat/model/message.ts'

/** Answers of the service to an inbox; a request without a script gets a real answer, and so does the stream. */
export interface InboxScript {
  /** Null when the service does not answer, and the stream is silent. */
  session: { readonly status: number; readonly body: object } | null
  conversations: readonly Conversation[]
  messages: readonly Message[]
  templates: readonly object[]
  cannedReplies: readonly object[]
  canFind: boolean
}

const NOW = Date.now()
const AUDIO = {
  id: null,
  url: null,
  mimeType: 'audio/ogg',
  fileName: null,
  sizeBytes: 9_000,
  durationMs: 8_000,
  waveform: Array.from({ length: 64 }, (_, at) => Math.round(50 + 45 * Math.sin(at / 3))),
  isVoice: true,
}
const DOCUMENT = {
  ...AUDIO,
  mimeType: 'application/pdf',
  fileName: 'prices.pdf',
  sizeBytes: 123_456,
  durationMs: null,
  waveform: null,
  isVoice: false,
}

/** The picture of a card. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#dfeee6"/><circle cx="150" cy="90" r="46" fill="#e59bb4"/><circle cx="150" cy="90" r="18" fill="#f3d36b"/><path d="M150 136v64" stroke="#4b8a5f" stroke-width="8"/></svg>'

export function conversation(n: number, about: Partial<Conversation> = {}): Conversation {
  return {
    id: `conv_${n}`,
    type: 'DIRECT',
    from: `55119000${1000 + n}`,
    fromName: null,
    unreadCount: 0,
    lastMessageAt: new Date(NOW - n * 3_000_000).toISOString(),
    lastMessagePreview: 'See you then',
    windowExpiresAt: null,
    createdAt: new Date(NOW - 9e9).toISOString(),
    numberId: 'num_a',
    provider: 'UNOFFICIAL',
    lastMessageDirection: 'INBOUND',
    lastMessageStatus: 'RECEIVED',
    lastMessageType: 'text',
    canSend: { free: true, reason: null },
    isMarkedUnread: false,
    archivedAt: null,
    ...about,
  }
}

/** Message `n` of `of`, one every ten minutes, the last one just now; every third is outbound. */
export function message(n: number, of: number, about: Partial<Message> = {}): Message {
  const isOurs = n % 3 === 0
  const status: MessageStatus = isOurs ? 'READ' : 'RECEIVED'
  return {
    id: `msg_${String(n).padStart(6, '0')}`,
    conversationId: 'conv_1',
    direction: isOurs ? 'OUTBOUND' : 'INBOUND',
    type: 'text',
    content: `Message ${n} ${'with some words '.repeat(n % 9)}`.trim(),
    from: isOurs ? '1' : '2',
    to: null,
    fromName: null,
    externalMessageId: `ext ${n}`,
    status,
    media: null,
    reaction: null,
    location: null,
    contacts: null,
    interactive: null,
    editedAt: null,
    revokedAt: null,
    redacted: false,
    createdAt: new Date(NOW - (of - n) * 600_000 - 60_000).toISOString(),
    errorCode: null,
    errorMessage: null,
    correlationId: null,
    quoted: null,
    ...about,
  }
}

/** One message of each type that a thread draws. */
export function everyKind(): readonly Message[] {
  const kinds: readonly Partial<Message>[] = [
    { type: 'system', content: null },
    { content: 'Do you deliver on Saturdays? https://shop.example/delivery' },
    {
      content: 'We do, until noon.',
      editedAt: new Date(NOW).toISOString(),
      quoted: { id: 'msg_000001', direction: 'INBOUND', type: 'text', content: 'Do you deliver on Saturdays?' },
    },
    { type: 'location', content: null, location: { latitude: -23.5, longitude: -46.6, name: 'Rua Augusta 100' } },
    {
      type: 'contacts',
      content: null,
      contacts: [{ name: { formatted_name: 'Bia Costa' }, phones: [{ phone: '+551190001' }] }],
    },
    { type: 'template', content: 'Your order 4711 is on its way.' },
    { type: 'interactive', content: 'Saturday', interactive: { button_reply: { id: 'sat', title: 'Saturday' } } },
    { revokedAt: new Date(NOW).toISOString(), content: null },
    { type: 'document', content: 'The price list', media: DOCUMENT },
    { type: 'audio', content: null, media: AUDIO },
    { type: 'later_kind', content: null },
    { type: 'video', content: null, media: { ...DOCUMENT, mimeType: 'video/mp4' }, status: 'DELIVERED' },
    { content: 'Thank you!' },
    { type: 'reaction', content: null, reaction: { messageId: 'ext 12', emoji: '\u2713' } },
    {
      type: 'carousel',
      direction: 'OUTBOUND',
      status: 'READ',
      content: 'New this week',
      cards: ['Lilies, a dozen, with a vase of the house that is yours to keep', 'Roses'].map((text) => ({
        text,
        buttons: [
          { type: 'QUICK_REPLY', text: 'I want them', url: null },
          { type: 'URL', text: 'Look at them', url: 'https://shop.example/a' },
        ],
      })),
    },
    {
      type: 'interactive',
      direction: 'OUTBOUND',
      status: 'READ',
      header: 'Delivery',
      footer: 'Until noon',
      content: 'When may we come?',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Saturday', url: null },
        { type: 'QUICK_REPLY', text: 'Monday', url: null },
      ],
    },
    { content: 'It did not arrive', direction: 'OUTBOUND', status: 'FAILED', errorCode: 'INVALID_DESTINATION' },
  ]
  return kinds.map((about, n) => message(n, kinds.length, about))
}

const TEMPLATE = {
  id: 'tpl_1',
  name: 'order_ready',
  language: 'en',
  category: 'UTILITY',
  source: 'LOCAL',
  variables: ['name', 'order'],
  examples: { name: 'Ana', order: '4711' },
  body: {
    header: { type: 'TEXT', text: 'Good news' },
    body: { text: 'Hello {{name}}, your order {{order}} is ready.' },
    footer: { text: 'Acme' },
    buttons: [{ type: 'QUICK_REPLY', text: 'Thanks' }],
    carousel: null,
  },
}

/**
 * A full inbox: people with and without names, a conversation that waits for an answer, and one whose window is about
 * to close.
 */
export function fullInbox(session: object): InboxScript {
  const numbers = [
    { id: 'num_a', name: 'Front desk', number: '5511988887777', provider: 'UNOFFICIAL', state: 'OPEN' },
    { id: 'num_b', name: 'Sales', number: '5511977776666', provider: 'OFFICIAL', state: 'CLOSE' },
  ]
  const names = [
    'Ana Souza',
    'Bruno Lima',
    null,
    'Clara Dias',
    'Davi Rocha',
    'Eva Martins',
    'Felipe Nunes',
    'Gabi Reis',
    null,
    'Hugo Alves',
  ]
  const previews = [
    'It did not arrive',
    'Can I change my order?',
    'Photo of the parcel',
    'Thank you!',
    'Hello Davi, your order is ready.',
    'See you on Monday',
    'Perfect',
    'How much is it?',
    'Ok',
    'Good morning',
  ]
  const about: readonly Partial<Conversation>[] = [
    { lastMessageDirection: 'OUTBOUND', lastMessageStatus: 'FAILED' },
    {
      unreadCount: 3,
      provider: 'OFFICIAL',
      numberId: 'num_b',
      windowExpiresAt: new Date(NOW + 5_000_000).toISOString(),
    },
    { lastMessageType: 'image' },
    {},
    {
      provider: 'OFFICIAL',
      numberId: 'num_b',
      canSend: { free: false, reason: 'WINDOW_CLOSED' },
      lastMessageDirection: 'OUTBOUND',
      lastMessageStatus: 'READ',
      lastMessageType: 'template',
    },
  ]
  return {
    session: { status: 200, body: { ...session, numbers } },
    templates: [TEMPLATE],
    cannedReplies: [],
    canFind: false,
    messages: everyKind(),
    conversations: names.map((fromName, n) =>
      conversation(n + 1, { fromName, lastMessagePreview: previews[n] ?? null, ...about[n] }),
    ),
  }
}

/** Answers the requests of inboxes in a context by a script, which a test may change. */
export async function scriptInbox(context: BrowserContext, script: InboxScript): Promise<void> {
  await context.route('**/api/public/embed/**', async (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const path = pathname.replace('/api/public/embed', '')
    if (path === '/session')
      return script.session ? answer(route, script.session.body, script.session.status) : undefined
    if (path === '/conversations') {
      const isArchived = searchParams.get('filter') === 'archived'
      const conversations = script.conversations.filter(({ archivedAt }) => (archivedAt !== null) === isArchived)
      return answer(route, { conversations, nextBefore: null })
    }
    const [, id = '', mark = ''] = MARK.exec(path) ?? []
    if (mark !== '') return answer(route, marked(script, id, mark))
    if (path === '/canned-replies') return answer(route, { cannedReplies: script.cannedReplies })
    if (path === '/templates') return answer(route, { templates: script.templates })
    if (path === '/search' && searchParams.has('conversationId'))
      return answer(route, { conversations: [], messages: foundIn(script, searchParams) })
    if (path === '/search')
      return answer(route, { conversations: script.canFind ? script.conversations.slice(0, 2) : [], messages: [] })
    if (path.endsWith('/messages') && route.request().method() === 'GET')
      return answer(route, pageOf(script.messages, searchParams))
    if (path.endsWith('/media') && searchParams.has('card'))
      return route.fulfill({ contentType: 'image/svg+xml', body: PICTURE })
    if (path.endsWith('/read')) return answer(route, { read: 0 })
    return path === '/stream' ? route.continue() : answer(route, { error: 'not scripted', code: 'MEDIA_GONE' }, 404)
  })
}

const MARK = /^\/conversations\/(\w+)\/(unread|archive|unarchive)$/

/** Marks a conversation of the script, and answers it. */
function marked(script: InboxScript, id: string, mark: string): object {
  const about =
    mark === 'unread' ? { isMarkedUnread: true } : { archivedAt: mark === 'archive' ? new Date().toISOString() : null }
  script.conversations = script.conversations.map((one) => (one.id === id ? { ...one, ...about } : one))
  return script.conversations.find((one) => one.id === id) ?? {}
}

function answer(route: Route, body: object, status = 200): Promise<void> {
  return route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
}

/** The messages of a conversation whose text has a part, newest first. */
function foundIn({ messages, conversations }: InboxScript, query: URLSearchParams): object[] {
  const part = (query.get('q') ?? '').toLowerCase()
  const conversation = conversations.find(({ id }) => id === query.get('conversationId'))
  return messages
    .filter(({ content }) => content?.toLowerCase().includes(part))
    .map((message) => ({ message, conversation }))
    .toReversed()
    .slice(0, 20)
}

function pageOf(all: readonly Message[], query: URLSearchParams) {
  const at = (name: string): number => all.findIndex(({ id }) => id === query.get(name))
  const limit = Number(query.get('limit') ?? 50)
  const time = query.get('at')
  const later = all.findIndex(({ createdAt }) => createdAt >= (time ?? ''))
  const to = query.has('before')
    ? at('before')
    : query.has('after')
      ? Math.min(all.length, at('after') + 1 + limit)
      : query.has('around')
        ? Math.min(all.length, at('around') + limit / 2)
        : time === null || later === -1
          ? all.length
          : Math.min(all.length, later + limit / 2)
  const from = Math.max(query.has('after') ? at('after') + 1 : 0, to - limit)
  return { messages: all.slice(from, to).toReversed(), hasOlder: from > 0, hasNewer: to < all.length }
}
