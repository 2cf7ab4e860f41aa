import test from 'ava'
import { GraphError } from '../../../../sandbox/official/http/graph-error.ts'
import { readContent } from '../../../../sandbox/official/messages/message-shapes.ts'
import { TemplateBook } from '../../../../sandbox/official/templates/template-book.ts'
import type { PlatformTemplate } from '../../../../sandbox/official/templates/template.ts'
import { anyFlow } from '../../../helpers/any-flow.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { BUSINESS, startOfficial, USER } from '../official-playground.ts'

const ACCOUNT = '200'
const BODY = { type: 'BODY', text: 'Hello {{1}}, order {{2}} is here.' }
const text = (value: string, name?: string) => ({
  type: 'text',
  text: value,
  ...(name === undefined ? {} : { parameter_name: name }),
})
const body = (...values: object[]) => ({ type: 'body', parameters: values })
const header = (...values: object[]) => ({ type: 'header', parameters: values })
const button = (subType: string, index: number | string, ...parameters: object[]) => ({
  type: 'button',
  sub_type: subType,
  index,
  parameters,
})
const TWO = body(text('Ana'), text('7'))
const IMAGE = { type: 'image', image: { id: '5' } }

/**
 * An approved template that the rules did not check, and a function that sends it: the filled message, or the code of
 * the refusal.
 */
function sender(components: object[], more: Partial<PlatformTemplate> = {}) {
  const book = new TemplateBook({ flows: anyFlow, clock: new FakeClock(), send: () => undefined })
  const { name, language } = book.put({
    accountId: ACCOUNT,
    name: 'hello',
    language: 'en',
    category: 'MARKETING',
    status: 'APPROVED',
    parameterFormat: 'POSITIONAL',
    components: components as any,
    ...more,
  })
  return (sent: object[], named: object = {}): any => {
    try {
      return book.fill(
        ACCOUNT,
        readContent('template', { name, language: { code: language }, components: sent, ...named }),
      )
    } catch (error) {
      return error instanceof GraphError ? error.code : error
    }
  }
}

// [sandbox.templates-and-flows.2]
test('a template that is not there, not in that language, or not approved is not sent', (t) => {
  t.is(sender([BODY])([TWO], { name: 'other' }), 132001)
  t.is(sender([BODY])([TWO], { language: { code: 'pt_BR' } }), 132001)
  for (const [status, code] of [
    ['PENDING', 132001],
    ['REJECTED', 132001],
    ['PAUSED', 132015],
    ['DISABLED', 132016],
  ] as const)
    t.is(sender([BODY], { status })([TWO]), code, status)
})

// [sandbox.templates-and-flows.2]
test('texts take as many parameters as they have variables, by number or by name', (t) => {
  const send = sender([{ type: 'HEADER', format: 'TEXT', text: 'For {{1}}' }, BODY, { type: 'FOOTER', text: 'bye' }])
  t.like(send([header(text('you')), TWO]), {
    header: { type: 'TEXT', text: 'For you' },
    body: 'Hello Ana, order 7 is here.',
    footer: 'bye',
  })
  t.is(send([header(text('you')), body(text('Ana'))]), 132000)
  t.is(send([TWO]), 132000)
  t.is(send([header(text('you')), TWO, TWO]), 132012)
  t.is(send([header(text('you')), body(text('Ana', 'name'), text('7'))]), 132012)
  t.is(send([header(IMAGE), TWO]), 132012)
  t.is(sender([BODY])([header(text('x')), TWO]), 132000)
  const named = sender([{ type: 'BODY', text: 'Hello {{name}}, order {{order_id}} is here.' }], {
    parameterFormat: 'NAMED',
  })
  t.is(named([body(text('7', 'order_id'), text('Ana', 'name'))]).body, 'Hello Ana, order 7 is here.')
  t.is(named([TWO]), 132012)
  t.is(named([body(text('7', 'order_id'), text('Ana', 'nobody'))]), 132012)
  t.is(named([body(text('7', 'name'), text('Ana', 'name'))]), 132012)
})

test('values are put in as they are, in one line, and the filled text has a limit', (t) => {
  const send = sender([BODY])
  t.is(send([body(text('$& {{2}}'), text('7'))]).body, 'Hello $& {{2}}, order 7 is here.')
  for (const value of ['a\nb', 'a\tb', 'a     b']) t.is(send([body(text(value), text('7'))]), 132018)
  t.is(send([body(text('x'.repeat(1_024)), text('7'))]), 132005)
  t.is(
    send([body({ type: 'currency', currency: { fallback_value: '$7', code: 'USD', amount_1000: 7_000 } }, text('7'))])
      .body,
    'Hello $7, order 7 is here.',
  )
})

test('a header of a file takes a file of its kind', (t) => {
  const send = sender([{ type: 'HEADER', format: 'IMAGE' }, BODY])
  t.deepEqual(send([header(IMAGE), TWO]).header, { type: 'IMAGE', media: { id: '5' } })
  t.is(send([TWO]), 132012)
  t.is(send([header({ type: 'document', document: { id: '5' } }), TWO]), 132012)
  t.is(send([header(IMAGE, IMAGE), TWO]), 132000)
})

test('buttons are named by their index and kind, and take what they need', (t) => {
  const send = sender([
    { type: 'BODY', text: 'hi' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Yes' },
        { type: 'URL', text: 'Track', url: 'https://shop.dev/{{1}}' },
        { type: 'COPY_CODE', text: 'Copy' },
        { type: 'FLOW', text: 'Form', flow_id: '1' },
        { type: 'URL', text: 'Shop', url: 'https://shop.dev' },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+5511' },
      ],
    },
  ])
  const url = button('url', '1', text('a b'))
  const code = button('copy_code', 2, { type: 'coupon_code', coupon_code: 'SAVE10' })
  const form = button('flow', '3', { type: 'action', action: { flow_token: 'ft' } })
  const filled = send([url, code, form])
  t.deepEqual(filled.buttons.slice(0, 5), [
    { type: 'QUICK_REPLY', text: 'Yes', payload: 'Yes' },
    { type: 'URL', text: 'Track', url: 'https://shop.dev/a b' },
    { type: 'COPY_CODE', text: 'Copy', code: 'SAVE10' },
    { type: 'FLOW', text: 'Form', action: { flow_token: 'ft' }, flow: { flow_id: '1' } },
    { type: 'URL', text: 'Shop', url: 'https://shop.dev' },
  ])
  t.is(send([url, code, form, button('quick_reply', '0', { type: 'payload', payload: 'y' })]).buttons[0].payload, 'y')
  const wrong: [object[], number][] = [
    [[code], 132012],
    [[url], 132012],
    [[url, button('copy_code', 2, { type: 'coupon_code', coupon_code: 'x'.repeat(21) })], 132012],
    [[url, code, button('url', '7', text('x'))], 132012],
    [[url, code, button('copy_code', '1', text('x'))], 132012],
    [[url, code, url], 132012],
    [[url, code, button('flow', '3', text('x'))], 132012],
    [[url, code, button('flow', '3', { type: 'action', action: { flow_token: 7 } })], 132012],
    [[url, code], 131009],
    [[url, code, form, button('url', '4', text('x'))], 132000],
    [[button('url', '1', text('a'), text('b')), code], 132000],
    [[button('url', '1', text('a', 'link')), code], 132012],
  ]
  for (const [sent, expected] of wrong) t.is(send(sent), expected, JSON.stringify(sent))
})

test('each card of a carousel is filled for itself', (t) => {
  const own = (line: string) => ({
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: line },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] },
    ],
  })
  const send = sender([
    { type: 'BODY', text: 'look' },
    { type: 'CAROUSEL', cards: [own('a {{1}} b'), own('c')] },
  ])
  const card = (index: number, ...components: object[]) => ({ card_index: index, components })
  const cards = (...all: object[]) => ({ type: 'carousel', cards: all })
  const filled = send([cards(card(1, header(IMAGE)), card(0, header(IMAGE), body(text('x'))))])
  t.deepEqual(
    filled.cards.map((one: any) => [one.body, one.header.media.id]),
    [
      ['a x b', '5'],
      ['c', '5'],
    ],
  )
  t.is(send([cards(card(0, header(IMAGE), body(text('x'))))]), 132012)
  t.is(send([]), 132012)
  t.is(send([cards(card(0, header(IMAGE)), card(1, header(IMAGE)))]), 132000)
  t.is(send([cards(card(0, body(text('x'))), card(1, header(IMAGE)))]), 132012)
})

// [sandbox.control.9] [sandbox.templates-and-flows.2]
test('a template goes out while the window is closed, with its files, and the inbox shows it filled', async (t) => {
  const official = await startOfficial()
  const { graph, seeded, control, get, base, receiver } = official
  await official.subscribe()
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('file', new Blob(['picture'], { type: 'image/png' }), 'a.png')
  const uploaded = (await (
    await fetch(`${base}/official/v24.0/${seeded.phoneId}/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.accessToken}` },
      body: form,
    })
  ).json()) as any
  await control('POST', '/official/templates', {
    name: 'hello',
    language: 'en',
    category: 'MARKETING',
    components: [{ type: 'HEADER', format: 'IMAGE' }, BODY],
  })
  await control('POST', '/official/templates', {
    name: 'ask',
    language: 'en',
    components: [
      BODY,
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Open', url: 'https://a.dev' },
          { type: 'QUICK_REPLY', text: 'Yes' },
        ],
      },
    ],
  })
  const send = async (components: object[], name: string = 'hello') =>
    await graph('POST', `${seeded.phoneId}/messages`, {
      messaging_product: 'whatsapp',
      to: `${USER}0001`,
      type: 'template',
      template: { name, language: { code: 'en' }, components },
    })
  const { status, body: answer } = await send([header({ type: 'image', image: { id: uploaded.id } }), TWO])
  t.is(status, 200)
  t.is(answer.messages[0].message_status, 'accepted')
  const [message] = await until('it arrived', async () => {
    const { messages } = await get(`/control/peers/${USER}0001/inbox`)
    return messages.length > 0 && messages
  })
  t.like(message, {
    type: 'template',
    text: 'Hello Ana, order 7 is here.',
    content: { name: 'hello', header: { type: 'IMAGE' } },
    media: [{ mediaId: uploaded.id, size: 7 }],
  })
  const sent = await until('it was told', () =>
    receiver.statusesOf(answer.messages[0].id).find(({ status: word }) => word === 'sent'),
  )
  t.like(sent.pricing, { billable: true, category: 'marketing' })
  const missing = await send([TWO], 'other')
  t.deepEqual([missing.status, missing.body.error.code], [404, 132001])
  t.is((await send([header(IMAGE), TWO])).body.error.code, 100)
  const tap = async (more: object) => await control('POST', `/peers/${USER}0001/taps`, { to: BUSINESS, ...more })
  t.is((await tap({ button: 'Yes' })).body.code, 'NOTHING_TO_TAP')
  const { body: asked } = await send([TWO], 'ask')
  await until('it arrived too', async () => (await get(`/control/peers/${USER}0001/inbox`)).messages.length === 2)
  t.is((await tap({ button: 'Open' })).status, 409)
  t.is((await tap({ button: 0 })).status, 201)
  const tapped = await until('the tap was told', () => receiver.messages()[0])
  t.like(tapped, {
    from: `${USER}0001`,
    type: 'button',
    button: { payload: 'Yes', text: 'Yes' },
    context: { id: asked.messages[0].id },
  })
  const { body: free } = await graph('POST', `${seeded.phoneId}/messages`, {
    messaging_product: 'whatsapp',
    to: `${USER}0001`,
    type: 'interactive',
    interactive: {
      type: 'list',
      body: { text: 'pick' },
      action: { button: 'Open', sections: [{ rows: [{ id: 'r1', title: 'One' }] }] },
    },
  })
  await until('the list arrived', async () => (await get(`/control/peers/${USER}0001/inbox`)).messages.length === 3)
  t.is((await tap({ button: 'One', messageId: free.messages[0].id })).status, 201)
  const picked = await until('the choice was told', () => receiver.messages()[1])
  t.deepEqual(picked.interactive, { type: 'list_reply', list_reply: { id: 'r1', title: 'One' } })
  await official.close()
})
