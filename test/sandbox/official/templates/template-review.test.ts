import test from 'ava'
import { TemplateBook } from '../../../../sandbox/official/templates/template-book.ts'
import { toBytes } from '../../../../sandbox/official/webhooks/webhook-post.ts'
import { anyFlow } from '../../../helpers/any-flow.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { startOfficial } from '../official-playground.ts'

const HOUR_MS = 3_600_000
const BODY = { type: 'BODY', text: 'Hello there' }

const SHARED: ReadonlySet<string> = new Set([
  'message_template_id',
  'message_template_name',
  'message_template_language',
])

/** A template, and its told changes: field and value, without what all values have in common. */
function open(status: string = 'APPROVED') {
  const clock = new FakeClock()
  const changes: any[] = []
  const book = new TemplateBook({ flows: anyFlow, clock, send: (change) => changes.push(change) })
  const template = book.put({
    accountId: '200',
    name: 'hello',
    language: 'en_US',
    category: 'UTILITY',
    status,
    parameterFormat: 'POSITIONAL',
    components: [BODY],
  })
  return {
    book,
    clock,
    template,
    changes,
    told: (): [string, any][] =>
      changes
        .splice(0)
        .map(({ field, value }) => [
          field,
          Object.fromEntries(Object.entries(value).filter(([key]) => !SHARED.has(key))),
        ]),
  }
}

test('a template webhook has the id as a number with all digits, and the account', (t) => {
  const { book, template, changes } = open()
  book.review.turn(template, { event: 'FLAGGED' })
  t.like(changes[0], { accountId: '200', phoneId: null, field: 'message_template_status_update' })
  t.true(
    toBytes(changes[0])
      .toString()
      .includes(
        `"message_template_id":${template.id},"message_template_name":"hello","message_template_language":"en_US"`,
      ),
  )
})

// [sandbox.templates-and-flows.20]
test('each turn of a template is told in the shape of its field', (t) => {
  const { book, template, told } = open()
  const { review } = book
  const turns: [object, [string, object], object][] = [
    [
      { event: 'REJECTED', reason: 'SCAM', description: 'why' },
      [
        'message_template_status_update',
        { event: 'REJECTED', reason: 'SCAM', message_template_category: 'UTILITY', rejection_info: { reason: 'why' } },
      ],
      { status: 'REJECTED', rejectedReason: 'SCAM' },
    ],
    [
      { event: 'REINSTATED' },
      ['message_template_status_update', { event: 'REINSTATED', reason: 'NONE', message_template_category: 'UTILITY' }],
      { status: 'APPROVED', rejectedReason: 'NONE' },
    ],
    [
      { event: 'PAUSED', title: 'SECOND_PAUSE', description: 'low' },
      [
        'message_template_status_update',
        {
          event: 'PAUSED',
          reason: 'NONE',
          message_template_category: 'UTILITY',
          other_info: { title: 'SECOND_PAUSE', description: 'low' },
        },
      ],
      { status: 'PAUSED' },
    ],
    [
      { event: 'SOMETHING_NEW' },
      [
        'message_template_status_update',
        { event: 'SOMETHING_NEW', reason: 'NONE', message_template_category: 'UTILITY' },
      ],
      { status: 'PAUSED' },
    ],
    [
      { quality: 'RED' },
      ['message_template_quality_update', { previous_quality_score: 'UNKNOWN', new_quality_score: 'RED' }],
      { quality: 'RED' },
    ],
    [
      { correctCategory: 'MARKETING' },
      [
        'template_category_update',
        { correct_category: 'MARKETING', new_category: 'UTILITY', category_update_timestamp: 1_767_225_600 },
      ],
      { category: 'UTILITY', correctCategory: 'MARKETING' },
    ],
    [
      { category: 'MARKETING' },
      ['template_category_update', { previous_category: 'UTILITY', new_category: 'MARKETING' }],
      { category: 'MARKETING', previousCategory: 'UTILITY', correctCategory: null },
    ],
    [
      { detectedCategory: 'UTILITY' },
      ['template_correct_category_detection', { category: 'MARKETING', correct_category: 'UTILITY' }],
      { correctCategory: 'UTILITY' },
    ],
    [
      {
        components: [
          { type: 'BODY', text: 'New' },
          { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://a.dev' }] },
        ],
      },
      [
        'message_template_components_update',
        {
          message_template_element: 'New',
          message_template_buttons: [
            {
              message_template_button_type: 'URL',
              message_template_button_text: 'Open',
              message_template_button_url: 'https://a.dev',
              message_template_button_phone_number: undefined,
            },
          ],
        },
      ],
      { status: 'PAUSED' },
    ],
  ]
  for (const [turn, expected, after] of turns) {
    review.turn(template, turn)
    t.deepEqual(told(), [expected])
    t.like(template, after)
  }
  review.turn(template, { event: 'APPROVED', quality: 'GREEN', isSilent: true })
  review.turn(template, { status: 'LOCKED' })
  t.deepEqual(told(), [])
  t.like(template, { status: 'LOCKED', quality: 'GREEN' })
  review.turn(template, { event: 'DISABLED' })
  t.like(told()[0]?.[1], { disable_info: { disable_date: '1767225600' }, other_info: { title: 'DISABLED' } })
  review.turn(template, { event: 'DELETED' })
  t.is(book.shelf.find(template.id), null)
})

test('a pause ends by itself after 3 hours, the second after 6, unless something else comes of it', (t) => {
  const { book, clock, template, told } = open()
  book.review.turn(template, { event: 'PAUSED' })
  clock.advance(3 * HOUR_MS)
  t.deepEqual(
    told().map(([, { event, other_info }]) => [event, other_info?.title]),
    [
      ['PAUSED', 'FIRST_PAUSE'],
      ['APPROVED', 'UNPAUSE'],
    ],
  )
  book.review.turn(template, { event: 'PAUSED', title: 'SECOND_PAUSE' })
  clock.advance(6 * HOUR_MS - 1)
  t.is(template.status, 'PAUSED')
  book.review.turn(template, { event: 'DISABLED' })
  clock.advance(HOUR_MS)
  t.is(template.status, 'DISABLED')
})

// [sandbox.templates-and-flows.18]
test('a review waits to be told where it is manual, and says nothing of a wording that was replaced', (t) => {
  const { book, clock } = open()
  const account = { id: '200', appId: '300', subscription: null, hasPaymentButtons: true, marketingStatus: null }
  const create = (name: string) =>
    book.create(account, { name, language: 'en', category: 'UTILITY', components: [BODY] })
  book.review.configure({ mode: 'manual', delayMs: 1_000 })
  create('by_hand')
  clock.advance(HOUR_MS)
  const waiting = book.shelf.named('200', 'by_hand', 'en')
  t.is(waiting?.status, 'PENDING')
  book.review.configure({ mode: 'auto', delayMs: 5_000 })
  create('soon')
  const soon = book.shelf.named('200', 'soon', 'en')
  clock.advance(4_000)
  if (soon) {
    book.review.turn(soon, { event: 'REJECTED' })
    book.edit(account, soon, { components: [{ type: 'BODY', text: 'Better' }] })
  }
  clock.advance(4_000)
  t.is(soon?.status, 'PENDING')
  clock.advance(1_000)
  t.is(soon?.status, 'APPROVED')
})

// [sandbox.templates-and-flows.1] [sandbox.templates-and-flows.19] [sandbox.templates-and-flows.20]
test('control routes list templates, make them past all rules, and turn them by id, name and language', async (t) => {
  const { control, graph, seeded, get, close } = await startOfficial()
  const make = async (more: object = {}) =>
    await control('POST', '/official/templates', {
      name: 'hello',
      category: 'MARKETING',
      components: [{ type: 'HEADER', format: 'GIF' }, BODY],
      ...more,
    })
  const { status, body: made } = await make()
  t.is(status, 201)
  t.like(made, { accountId: seeded.accountId, language: 'en_US', status: 'APPROVED' })
  t.is((await make()).status, 409)
  await make({ language: 'pt_BR' })
  t.deepEqual(
    (await get('/control/official/templates')).templates.map(({ language }: any) => language),
    ['en_US', 'pt_BR'],
  )
  t.is((await control('POST', '/official/templates/hello', { event: 'PAUSED' })).body.code, 'TEMPLATE_NAME_AMBIGUOUS')
  t.is(
    (await control('POST', '/official/templates/hello', { event: 'PAUSED', language: 'pt-BR' })).body.status,
    'PAUSED',
  )
  t.is((await control('POST', `/official/templates/${made.id}`, { event: 'DISABLED' })).body.status, 'DISABLED')
  t.is((await control('POST', '/official/templates/nobody', { event: 'PAUSED' })).status, 404)
  t.is((await control('POST', '/official/templates/hello', { quality: 'BLUE' })).status, 400)
  const {
    body: { data },
  } = await graph('GET', `${seeded.accountId}/message_templates?status=PAUSED&fields=id`)
  t.is(data.length, 1)
  t.deepEqual((await graph('POST', `${data[0].id}/unpause`)).body, { success: true })
  t.is((await graph('POST', `${data[0].id}/unpause`)).body.error.error_subcode, 2388039)
  t.deepEqual((await control('POST', '/official/review', { mode: 'manual' })).body, { mode: 'manual', delayMs: 1_000 })
  await close()
})
