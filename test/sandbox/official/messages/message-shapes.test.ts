import test from 'ava'
import { GraphError } from '../../../../sandbox/official/http/graph-error.ts'
import { mediaOf, readContent, textOf } from '../../../../sandbox/official/messages/message-shapes.ts'

const LINK = { link: 'https://example.com/a' }
const reply = (id: string) => ({ type: 'reply', reply: { id, title: id } })
const rows = (count: number, from: number = 0) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${from + index}`, title: 'row' }))
const cta = { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://example.com' } }
const quick = (count: number) => ({
  buttons: Array.from({ length: count }, (_, index) => ({
    type: 'quick_reply',
    quick_reply: { id: String(index), title: 'x' },
  })),
})
const card = (index: number, action: object = cta, type: 'image' | 'video' = 'image') => ({
  card_index: index,
  type: 'cta_url',
  header: { type, [type]: LINK },
  body: { text: 'card' },
  action,
})
const button = (more: object = {}) => ({
  type: 'button',
  body: { text: 'pick' },
  action: { buttons: [reply('a')] },
  ...more,
})
const list = (sections: object[]) => ({ type: 'list', body: { text: 'pick' }, action: { button: 'Open', sections } })
const carousel = (cards: object[], more: object = {}) => ({
  type: 'carousel',
  body: { text: 'look' },
  action: { cards },
  ...more,
})
const flow = (parameters: object = {}, more: object = {}) => ({
  type: 'flow',
  body: { text: 'fill in' },
  action: { name: 'flow', parameters: { flow_message_version: '3', flow_id: '77', flow_cta: 'Open', ...parameters } },
  ...more,
})
const person = { name: { formatted_name: 'Ana', first_name: 'Ana' }, phones: [{ phone: '+55', type: 'CELL' }] }

function codeOf(type: string, content: unknown): number | null {
  try {
    readContent(type, content)
    return null
  } catch (error) {
    return error instanceof GraphError ? error.code : -1
  }
}

const GOOD: [string, unknown][] = [
  ['text', { body: 'x'.repeat(4_096), preview_url: true }],
  ['image', { id: '1', caption: 'x'.repeat(1_024) }],
  ['video', LINK],
  ['audio', { ...LINK, voice: true }],
  ['document', { ...LINK, filename: 'a.pdf', caption: 'x' }],
  ['sticker', { id: '1' }],
  ['location', { latitude: -23.5, longitude: '-46.6', name: 'here' }],
  ['contacts', [person]],
  ['reaction', { message_id: 'm', emoji: '' }],
  ['interactive', button({ header: { type: 'image', image: LINK }, footer: { text: 'f' } })],
  [
    'interactive',
    list([
      { title: 'one', rows: rows(5) },
      { title: 'two', rows: rows(5, 5) },
    ]),
  ],
  ['interactive', { type: 'cta_url', header: { type: 'text', text: 'h' }, body: { text: 'b' }, action: cta }],
  ['interactive', carousel([card(0), card(1)])],
  ['interactive', carousel([card(0, quick(2)), card(1, quick(2))])],
  ['interactive', { type: 'request_contact_info', body: { text: 'b' }, action: { name: 'request_contact_info' } }],
  ['interactive', { type: 'call_permission_request', action: { name: 'call_permission_request' } }],
  ['interactive', flow()],
  ['interactive', flow({ flow_id: undefined, flow_name: 'Survey', mode: 'draft', flow_cta: '📝'.repeat(15) })],
  [
    'interactive',
    flow(
      { flow_token: 't', flow_action: 'navigate', flow_action_payload: { screen: 'A', data: { a: 1 } } },
      { header: { type: 'image', image: LINK }, footer: { text: 'f' } },
    ),
  ],
  ['interactive', flow({ flow_action: 'data_exchange' })],
  [
    'template',
    {
      name: 'hello',
      language: { code: 'en' },
      components: [
        { type: 'body', parameters: [{ type: 'text', text: 'x' }] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [] },
      ],
    },
  ],
]
for (const [index, [type, content]] of GOOD.entries()) {
  test(`a good ${type} is taken (${index}): ${JSON.stringify(content).slice(0, 90)}`, (t) =>
    void t.is(codeOf(type, content), null))
}

const BAD: [string, unknown, number][] = [
  ['text', undefined, 131008],
  ['text', {}, 131008],
  ['text', { body: '' }, 131009],
  ['text', { body: ' \n' }, 131009],
  ['text', { body: 'x', html: true }, 100],
  ['image', {}, 131008],
  ['image', { id: '1', ...LINK }, 131009],
  ['image', { link: 'ftp://x/y' }, 131009],
  ['image', { id: '1', caption: 'x'.repeat(1_025) }, 131009],
  ['audio', { id: '1', caption: 'x' }, 100],
  ['location', { latitude: 1 }, 131008],
  ['location', { latitude: 91, longitude: 0 }, 131009],
  ['contacts', [], 131009],
  ['contacts', [{ name: {} }], 131008],
  ['reaction', { message_id: 'm' }, 131008],
  ['interactive', {}, 131008],
  ['interactive', button({ action: { buttons: ['a', 'b', 'c', 'd'].map(reply) } }), 131009],
  ['interactive', button({ action: { buttons: [reply('a'), reply('a')] } }), 131009],
  [
    'interactive',
    button({ action: { buttons: [reply('a'), { ...reply('a'), reply: { id: 'b', title: reply('a').reply.title } }] } }),
    131009,
  ],
  ['interactive', button({ action: { buttons: [reply('x'.repeat(21))] } }), 131009],
  ['interactive', button({ action: { buttons: [reply(' ')] } }), 131009],
  ['interactive', button({ body: { text: 'x'.repeat(1_025) } }), 131009],
  ['interactive', button({ footer: { text: 'x'.repeat(61) } }), 131009],
  ['interactive', { type: 'button', action: { buttons: [reply('a')] } }, 131008],
  ['interactive', list([{ rows: rows(11) }]), 131009],
  ['interactive', list([{ title: 'a', rows: rows(1) }, { rows: rows(1, 1) }]), 131009],
  ['interactive', carousel([card(0)]), 131009],
  ['interactive', carousel(Array.from({ length: 11 }, (_, index) => card(index))), 131009],
  ['interactive', carousel([card(0), card(0)]), 131009],
  ['interactive', carousel([card(0), card(1, quick(1))]), 131009],
  ['interactive', carousel([card(0, quick(1)), card(1, quick(2))]), 131009],
  ['interactive', carousel([card(0), card(1, cta, 'video')]), 131009],
  ['interactive', carousel([card(0), card(1)], { footer: { text: 'f' } }), 100],
  ['interactive', carousel([{ ...card(0), body: { text: 'a\nb\nc\nd' } }, card(1)]), 131009],
  ['interactive', { type: 'order_details', action: {} }, 131051],
  ['interactive', flow({}, { body: undefined }), 131008],
  ['interactive', flow({ flow_message_version: '2' }), 131009],
  ['interactive', flow({ flow_message_version: undefined }), 131008],
  ['interactive', flow({ flow_id: undefined }), 131008],
  ['interactive', flow({ flow_name: 'Survey' }), 131009],
  ['interactive', flow({ flow_id: 'x' }), 131009],
  ['interactive', flow({ flow_cta: '' }), 131009],
  ['interactive', flow({ flow_cta: 'x'.repeat(31) }), 131009],
  ['interactive', flow({ mode: 'test' }), 131009],
  ['interactive', flow({ flow_action: 'open' }), 131009],
  ['interactive', flow({ flow_token: '' }), 131009],
  ['interactive', flow({ flow_action_payload: { screen: 'A', data: {} } }), 131009],
  ['interactive', flow({ shoe_size: 1 }), 100],
  ['template', { name: 'hello' }, 131008],
  ['template', { name: 'hello', language: { code: 'en' }, components: [{ type: 'body', text: 'x' }] }, 100],
  ['order', {}, 131051],
]
for (const [index, [type, content, code]] of BAD.entries()) {
  test(`a bad ${type} is refused with ${code} (${index}): ${(JSON.stringify(content) ?? 'nothing').slice(0, 80)}`, (t) =>
    void t.is(codeOf(type, content), code))
}

test('the media of headers and cards are found, and the text of each type', (t) => {
  const content = carousel([card(0), card(1)])
  t.deepEqual(mediaOf('interactive', content), [
    { type: 'image', id: null, link: LINK.link },
    { type: 'image', id: null, link: LINK.link },
  ])
  t.deepEqual(mediaOf('sticker', { id: '7' }), [{ type: 'sticker', id: '7', link: null }])
  t.deepEqual(mediaOf('text', { body: 'x' }), [])
  t.is(textOf('interactive', content), 'look')
  t.is(textOf('image', { caption: 'c' }), 'c')
  t.is(textOf('location', {}), null)
})
