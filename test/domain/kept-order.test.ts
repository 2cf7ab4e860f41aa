import test from 'ava'
import {
  cardPictureIn,
  filesIn,
  keptCarousel,
  keptFlow,
  keptObject,
  keptOrderIn,
  keptTemplate,
  keptText,
  withFiles,
} from '../../src/domain/kept-order.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import type { FlowOrder, TemplateOrder } from '../../src/domain/send-order.ts'
import { keptOrderOf } from '../../src/domain/template-values.ts'
import type { TemplateBody } from '../../src/domain/template.ts'

const FILE = 'file_00000000000000000000000001'
const OTHER = 'file_00000000000000000000000002'
const FLOW: FlowOrder = {
  mode: 'flow',
  flowId: 'flow_1',
  text: 'a',
  cta: 'b',
  header: null,
  footer: null,
  action: null,
  screen: null,
  data: null,
  token: null,
}
const TEMPLATE: TemplateOrder = {
  mode: 'template',
  templateId: 'tpl_1',
  language: null,
  variables: {},
  cards: [],
  media: null,
  flow: null,
}
const orderOf = (kept: ReturnType<typeof keptText>) =>
  keptOrderIn({ ...NO_CONTENT, ...JSON.parse(JSON.stringify(kept)) })
const bodyOf = (text: string): TemplateBody =>
  ({ header: { type: 'NONE' }, body: { text }, footer: null, buttons: [], carousel: null }) as unknown as TemplateBody

test('only fields that the sender set are kept', (t) => {
  t.deepEqual(
    orderOf(
      keptText({
        mode: 'text',
        text: 'a',
        buttons: [{ type: 'QUICK_REPLY', text: 'b', id: 'button_1' }],
        header: null,
        footer: 'c',
      }),
    ),
    { text: 'a', buttons: [{ type: 'QUICK_REPLY', text: 'b', id: 'button_1' }], footer: 'c' },
  )
  t.is(keptOrderIn(NO_CONTENT), null)
})

test('a Flow is kept with its data, and with a token only where the sender gave one', (t) => {
  t.deepEqual(orderOf(keptFlow({ ...FLOW, data: { deep: [1, { x: null }] } })), {
    flow: { flowId: 'flow_1', text: 'a', cta: 'b', data: { deep: [1, { x: null }] } },
  })
  t.deepEqual(orderOf(keptFlow({ ...FLOW, token: 'mine' })), {
    flow: { flowId: 'flow_1', text: 'a', cta: 'b', token: 'mine' },
  })
})

test('an order of more than 32,768 characters is not kept, so that reads stay small', (t) => {
  const flowOf = (length: number) => keptFlow({ ...FLOW, data: { a: 'x'.repeat(length) } })
  const around = JSON.stringify(flowOf(0).order).length
  t.is(JSON.stringify(flowOf(32_768 - around).order).length, 32_768)
  t.deepEqual(flowOf(32_769 - around), {})
})

test("of the values sent with a template, only texts and numbers under the template's own keys are kept", (t) => {
  const variables = JSON.parse(
    '{"name": "Ana", "2": 7, "__proto__": "p", "other": "x", "toString": "y", "big": {"a": 1}}',
  )
  const template = {
    id: 'tpl_1',
    body: bodyOf('{{name}} {{2}} {{toString}} {{gone}} {{big}}'),
    source: 'LOCAL',
    category: 'UTILITY',
  } as const
  t.deepEqual(orderOf(keptOrderOf({ ...TEMPLATE, variables }, template, [])), {
    templateId: 'tpl_1',
    variables: { name: 'Ana', 2: 7, toString: 'y' },
  })
})

test('the file that came with a template is kept by its id or its address, that of the template is not', (t) => {
  const given = { kind: 'document', source: 'data:application/pdf;base64,AAAA', fileName: 'a.pdf' } as const
  const order = { ...TEMPLATE, media: given }
  t.like(orderOf(keptTemplate('tpl_1', order, { fileId: FILE })), {
    media: FILE,
    mediaType: 'document',
    mediaFilename: 'a.pdf',
  })
  t.like(orderOf(keptTemplate('tpl_1', order, { url: 'https://a.example/a.pdf' })), {
    media: 'https://a.example/a.pdf',
  })
  t.deepEqual(orderOf(keptTemplate('tpl_1', order, null)), { templateId: 'tpl_1', variables: {} })
})

test('files are found anywhere in a kept order and can be replaced', (t) => {
  const card = (image: string) => ({ image, text: 'a' })
  const order = { carousel: { text: 'a', cards: [card(FILE), card(`https://a.example/${FILE}`), card(OTHER)] } }
  t.deepEqual(filesIn(order), [FILE, OTHER])
  t.deepEqual(filesIn({ media: FILE }), [FILE])
  t.deepEqual(filesIn({ text: FILE }), [])
  t.deepEqual(
    withFiles(
      order,
      new Map([
        [FILE, 'one'],
        [OTHER, 'two'],
      ]),
    ).carousel?.cards.map(({ image }) => image),
    ['one', `https://a.example/${FILE}`, 'two'],
  )
  t.deepEqual(withFiles({ media: FILE }, new Map([[FILE, 'one']])), { media: 'one' })
})

test('a carousel is kept with the ids and addresses of its pictures, which are found by their places', (t) => {
  const card = (image: { url: string } | { fileId: typeof FILE }) => ({ image, text: 'a', buttons: [] })
  const order = orderOf(
    keptCarousel({
      mode: 'carousel',
      text: 'a',
      cards: [card({ fileId: FILE }), card({ url: 'https://a.example/1' })],
    }),
  )
  t.deepEqual(order, {
    carousel: {
      text: 'a',
      cards: [
        { image: FILE, text: 'a', buttons: [] },
        { image: 'https://a.example/1', text: 'a', buttons: [] },
      ],
    },
  })
  t.deepEqual(
    [0, 1, 2].map((place) => order && cardPictureIn(order, place)),
    [{ fileId: FILE }, { url: 'https://a.example/1' }, null],
  )
  t.is(cardPictureIn({ text: 'a' }, 0), null)
})

test('a mode that is one object is kept as that', (t) => {
  t.deepEqual(
    orderOf(keptObject({ mode: 'location', location: { latitude: 1, longitude: 2, name: 'a', address: 'b' } })),
    {
      location: { latitude: 1, longitude: 2, name: 'a', address: 'b' },
    },
  )
})

test('the cards of a template are kept when there are any', (t) => {
  const cards = [{ variables: { name: 'Ana' } }] as unknown as TemplateOrder['cards']
  t.deepEqual(orderOf(keptTemplate('tpl_1', { ...TEMPLATE, cards }, null)), {
    templateId: 'tpl_1',
    variables: {},
    cards,
  })
})

test('only the whole of an id is one of a file', (t) => {
  for (const media of [`${FILE}0`, `x${FILE}`, FILE.toUpperCase()]) {
    t.deepEqual(filesIn({ media }), [])
    t.deepEqual(cardPictureIn({ carousel: { text: 'a', cards: [{ image: media, text: 'b' }] } } as never, 0), {
      url: media,
    })
  }
})
