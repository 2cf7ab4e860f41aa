import test from 'ava'
import fc from 'fast-check'
import type { TemplateFile } from '../../src/domain/outgoing.ts'
import { isBlank } from '../../src/domain/characters.ts'
import { listIn } from '../../src/domain/json-fields.ts'
import { withMedia } from '../../src/domain/template-media.ts'
import { headerFileKind, templateMessage } from '../../src/domain/template-message.ts'
import { checkValues } from '../../src/domain/template-values.ts'
import type { TemplateCardBody } from '../../src/domain/send-body.ts'
import type { StoredTemplate } from '../../src/ports/stores/template-store.ts'
import { ANY_LETTER } from '../helpers/any-letter.ts'
import { storedTemplate } from '../helpers/scripted-templates.ts'
import { card } from '../helpers/template-subject.ts'

const FILE: TemplateFile = { kind: 'image', source: { fileId: 'file_1' }, fileName: null, isOwn: false }

function made(
  template: StoredTemplate,
  variables: Record<string, unknown> = {},
  files: readonly TemplateFile[] = [],
  cards?: readonly TemplateCardBody[],
) {
  return templateMessage({
    template,
    valueOf: checkValues(template.body, template, { variables, cards }).valueOf,
    files,
    flow: null,
  })
}

// [templates.send.14]
test("a template of upstream goes by its name and upstream's language, with what fills it in alone", (t) => {
  const template = storedTemplate(
    'OFFICIAL',
    {
      header: { type: 'TEXT', text: 'Order {{1}}' },
      body: 'Hi {{name}}, {{name}} of {{city}}.',
      footer: 'Acme',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Yes' },
        { type: 'URL', text: 'Track', url: 'https://x.io/{{1}}' },
        { type: 'COPY_CODE', example: ['SALE10'] },
      ],
    },
    {
      parameters: { format: 'POSITIONAL', header: ['header_1'], body: ['name', 'name', 'city'], cards: [] },
      officialLanguage: 'pt_BR',
    },
  )
  t.deepEqual(made(template, { header_1: 4711, name: 'Ana', city: 'Rio', button_2: 'a/b', button_3: 'OFF20' }), {
    content: {
      text: 'Hi Ana, Ana of Rio.',
      media: null,
      location: null,
      contacts: null,
      reaction: null,
      interactive: null,
    },
    outgoing: {
      mode: 'template',
      name: 'welcome',
      language: 'pt_BR',
      files: [],
      isMarketing: true,
      components: [
        { type: 'header', parameters: [{ type: 'text', text: '4711' }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: 'Ana' },
            { type: 'text', text: 'Rio' },
          ],
        },
        { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'a/b' }] },
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '2',
          parameters: [{ type: 'coupon_code', coupon_code: 'OFF20' }],
        },
      ],
    },
  })
})

// [templates.send.11]
test('a template without anything to fill in has no components', (t) => {
  t.deepEqual(
    made(
      storedTemplate('OFFICIAL', {
        header: { type: 'TEXT', text: 'Hi' },
        body: 'Hello.',
        buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
      }),
    ).outgoing,
    { mode: 'template', name: 'welcome', language: 'pt_BR', components: [], files: [], isMarketing: true },
  )
})

test('the header that is a file and the pictures of cards lack their ids until upstream gave them', (t) => {
  const paper = storedTemplate('OFFICIAL', { header: { type: 'DOCUMENT', url: 'https://a.io/x.pdf' }, body: 'Hi.' })
  const file: TemplateFile = { ...FILE, kind: 'document', fileName: null }
  const { outgoing } = made(paper, {}, [file])
  t.deepEqual(outgoing, {
    mode: 'template',
    name: 'welcome',
    language: 'pt_BR',
    files: [file],
    isMarketing: true,
    components: [{ type: 'header', parameters: [{ type: 'document', document: { id: '' } }] }],
  })
  if (outgoing.mode !== 'template') return
  t.deepEqual(withMedia(outgoing.components, [{ id: 'm1', fileName: 'file.pdf' }]), [
    { type: 'header', parameters: [{ type: 'document', document: { filename: 'file.pdf', id: 'm1' } }] },
  ])
  for (const [given, shown] of [
    ['Bill.pdf', 'Bill.pdf'],
    ['Fatura 12', 'Fatura 12.pdf'],
  ] as const) {
    const named = made(paper, {}, [{ ...file, fileName: given }]).outgoing
    t.deepEqual(named.mode === 'template' && withMedia(named.components, [{ id: 'm1', fileName: 'file.pdf' }]), [
      { type: 'header', parameters: [{ type: 'document', document: { filename: shown, id: 'm1' } }] },
    ])
  }
})

test('each card has its own picture and its own values', (t) => {
  const template = storedTemplate('OFFICIAL', {
    body: 'Hi {{name}}.',
    carousel: { cards: [card({ body: 'a {{1}} a' }), card({ body: 'b {{1}} b' })] },
  })
  const { content, outgoing } = made(
    template,
    { name: 'Ana', card_1_1: 'one', card_2_1: 'two' },
    [FILE, { ...FILE, source: { fileId: 'file_2' } }],
    [{ variables: { 1: 'uno' } }, {}],
  )
  t.deepEqual([content.text, content.media], ['Hi Ana.', null])
  t.deepEqual(
    outgoing.mode === 'template'
      && withMedia(outgoing.components, [
        { id: 'm1', fileName: 'a.png' },
        { id: 'm2', fileName: 'b.png' },
      ]),
    [
      { type: 'body', parameters: [{ type: 'text', text: 'Ana' }] },
      {
        type: 'carousel',
        cards: [
          ['uno', 'm1'],
          ['two', 'm2'],
        ].map(([value, id], index) => ({
          card_index: index,
          components: [
            { type: 'header', parameters: [{ type: 'image', image: { id } }] },
            { type: 'body', parameters: [{ type: 'text', text: value }] },
          ],
        })),
      },
    ],
  )
})

test('values that look like ids, types or patterns stay values', (t) => {
  const template = storedTemplate('OFFICIAL', 'x {{constructor}} {{__proto__}} {{a}} x')
  const variables = JSON.parse('{"constructor": "$&", "__proto__": "{{a}}", "a": "\\u202eabc"}') as Record<
    string,
    unknown
  >
  const { content, outgoing } = made(template, variables)
  t.is(content.text, 'x $& {{a}} \u202eabc x')
  t.deepEqual(outgoing.mode === 'template' && outgoing.components, [
    { type: 'body', parameters: ['$&', '{{a}}', '\u202eabc'].map((text) => ({ type: 'text', text })) },
  ])
})

// [templates.send.17]
test('a local template is one message with its parts, each button known by its place', (t) => {
  const template = storedTemplate('UNOFFICIAL', {
    header: { type: 'TEXT', text: 'Hi {{name}}' },
    body: 'Order {{1}} for {{name}}.',
    footer: 'Acme',
    buttons: [
      { type: 'QUICK_REPLY', text: 'Yes' },
      { type: 'URL', text: 'Track', url: 'https://x.io/{{1}}' },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+55 11 4000-1000' },
      { type: 'COPY_CODE', example: '{{code}}' },
      { type: 'COPY_CODE', text: 'Copy', example: 'FIXED' },
      { type: 'PAYMENT_REQUEST', text: 'Pay', example: '{{pix}}' },
    ],
  })
  t.deepEqual(made(template, { name: 'Ana\nB', 1: '7', code: 'x y', pix: '0002' }), {
    content: {
      text: 'Order 7 for Ana\nB.',
      media: null,
      location: null,
      contacts: null,
      reaction: null,
      interactive: null,
    },
    outgoing: {
      mode: 'composed',
      header: 'Hi Ana\nB',
      body: 'Order 7 for Ana\nB.',
      footer: 'Acme',
      file: null,
      buttons: [
        { type: 'QUICK_REPLY', id: 'button_1', text: 'Yes' },
        { type: 'URL', id: 'button_2', text: 'Track', url: 'https://x.io/7' },
        { type: 'PHONE_NUMBER', id: 'button_3', text: 'Call', phoneNumber: '+55 11 4000-1000' },
        { type: 'COPY_CODE', id: 'button_4', text: 'x y', code: 'x y' },
        { type: 'COPY_CODE', id: 'button_5', text: 'Copy', code: 'FIXED' },
        { type: 'COPY_CODE', id: 'button_6', text: 'Pay', code: '0002' },
      ],
    },
  })
})

test('a file that is the header of a local template shows where it can be seen, unless it came as bytes', (t) => {
  const template = storedTemplate('UNOFFICIAL', {
    header: { type: 'IMAGE', url: 'https://here.io/media/file_1/a.png' },
    body: 'Hi.',
  })
  t.is(headerFileKind(template.body), 'image')
  t.like(made(template, {}, [FILE]), {
    content: { media: { url: 'https://here.io/media/file_1/a.png' } },
    outgoing: { mode: 'composed', header: null, file: FILE },
  })
  t.is(made(template, {}, [{ ...FILE, isOwn: true }]).content.media?.url, null)
  t.is(
    made(template, {}, [{ ...FILE, isOwn: true, source: { url: 'https://a.io/b.png' } }]).content.media?.url,
    'https://a.io/b.png',
  )
})

test('the shown message equals what the upstream makes of the sent parameters', (t) => {
  const template = storedTemplate('OFFICIAL', 'a {{x}} b {{y}} c {{x}} d')
  const value = fc
    .string({ unit: ANY_LETTER, minLength: 1, maxLength: 200 })
    .filter((text) => !isBlank(text) && !/[\n\r\t]| {5}/.test(text))
  fc.assert(
    fc.property(value, value, (x, y) => {
      const { content, outgoing } = made(
        { ...template, parameters: { format: 'POSITIONAL', header: [], body: ['x', 'y', 'x'], cards: [] } },
        { x, y },
      )
      const texts =
        outgoing.mode === 'template'
          ? outgoing.components
              .flatMap((component) => listIn(component, 'parameters'))
              .map((parameter) => parameter['text'])
          : []
      return content.text === `a ${texts[0]} b ${texts[1]} c ${texts[2]} d` && texts[0] === x && texts[2] === x
    }),
    { numRuns: 50 },
  )
  t.pass()
})
