import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import type { Script } from '../helpers/people-scenes.ts'

const stage = new DashboardStage(test)
const LONG = 'w'.repeat(4_000)
const HOSTILE = `<img src=x onerror=alert(1)> ${LONG}`

function template(id: string, officialStatus: string | null, more: object = {}): object {
  return {
    id,
    name: `order_${id}`,
    category: 'UTILITY',
    language: 'pt_BR',
    officialStatus,
    sendable: officialStatus === null || officialStatus === 'APPROVED',
    variables: ['customer'],
    body: {
      header: { type: 'TEXT', text: 'Your order' },
      body: { text: 'Hello {{customer}}' },
      footer: { text: 'Acme' },
      buttons: [{ type: 'URL', text: 'Track it', url: 'https://acme.shop/track' }],
      carousel: null,
    },
    examples: { customer: 'Ana' },
    statusReason: null,
    statusDescription: null,
    quality: null,
    correctCategory: null,
    unsupported: [],
    updatedAt: '2026-11-01T10:00:00.000Z',
    ...more,
  }
}

const APPROVED = template('tpl_1', 'APPROVED', { quality: 'GREEN', correctCategory: 'MARKETING' })
const REJECTED = template('tpl_2', 'REJECTED', { statusReason: 'ABUSIVE_CONTENT', unsupported: ['LOCATION header'] })

/** What the service makes of the template and of values. */
function filled(body: any) {
  const text = body.body.body.text.replace('{{customer}}', body.variables.customer)
  const media = { url: 'https://elsewhere.example/a.jpg' }
  const cards = [{ media, body: { text: HOSTILE }, buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] }]
  return {
    body: { name: body.name, variables: ['customer'], preview: { ...body.body, body: { text }, carousel: { cards } } },
  }
}

const SCRIPT: Script = {
  'GET /api/v1/numbers': {
    body: ['num_1', 'num_2'].map((id) => ({
      id,
      name: 'Front desk',
      number: '551199999000',
      provider: 'OFFICIAL',
      state: 'OPEN',
    })),
  },
  'GET /api/v1/templates': { body: { templates: [APPROVED, REJECTED, template('tpl_3', null)], total: 3 } },
  'GET /api/v1/templates/tpl_1': { body: APPROVED },
  'GET /api/v1/templates/tpl_2': { body: REJECTED },
  'POST /api/v1/templates/preview': filled,
}

inBrowser('templates, and one of them, can be read by all in each language', async (t) => {
  const list = await stage.looks('/dashboard/templates', SCRIPT, () => stage.page.locator('[data-id=tpl_3]').waitFor())
  const one = await stage.looks('/dashboard/templates/tpl_2?number=num_1', SCRIPT, () =>
    stage.page.locator('[data-preview]').waitFor(),
  )
  t.deepEqual([list, one], [[], []])
})

// [dashboard.templates.1]
inBrowser('templates of the number in the address are listed with their states, and narrowed to one', async (t) => {
  await stage.open('/dashboard/templates?number=num_2', SCRIPT)
  const { page } = stage
  const rows = page.locator('[role=listitem][data-status]')
  await page.locator('[data-id=tpl_3][data-status=USABLE]').waitFor()
  t.deepEqual(await rows.evaluateAll((all: any[]) => all.map(({ dataset }) => dataset.status)), [
    'APPROVED',
    'REJECTED',
    'USABLE',
  ])
  t.true((await page.innerText('[data-id=tpl_2]')).includes('ABUSIVE_CONTENT'))
  const frame = { id: 'evt_1', channelNumberId: 'num_2', data: {}, timestamp: '2026-11-01T10:00:00.000Z' }
  // The first stream has every page read anew; the second, which goes on where that ended, tells of events alone.
  await Promise.all([
    page.waitForResponse((answer) => answer.url().includes('/api/v1/templates?')),
    stage.tell('event', { ...frame, event: 'message.sent' }),
  ])
  stage.script({ 'GET /api/v1/templates': { body: { templates: [template('tpl_3', 'APPROVED')], total: 1 } } })
  await stage.tell('event', { ...frame, event: 'message_template_status_update' })
  await page.locator('[data-id=tpl_3][data-status=APPROVED]').waitFor()
  stage.script({ 'GET /api/v1/templates': { body: { templates: [], total: 0 } } })
  await page.selectOption('[name=officialStatus]', 'PENDING')
  await page.locator('[data-empty]').waitFor()
  const asked = stage.asked.filter(({ what }) => what === 'GET /api/v1/templates').at(-1)
  t.like(asked, { query: { officialStatus: 'PENDING', page: '1' }, headers: { 'x-channel-number-id': 'num_2' } })
  t.regex(page.url(), /status=PENDING/)
})

// [dashboard.templates.1]
inBrowser('templates are looked for by category and name, and asked of the network on demand', async (t) => {
  const { page } = stage
  const asked = () => stage.asked.filter(({ what }) => what === 'GET /api/v1/templates').at(-1)?.query
  await stage.open('/dashboard/templates', SCRIPT)
  await page.locator('[data-id=tpl_1]').waitFor()
  await page.selectOption('[name=category]', 'MARKETING')
  await page.locator('[data-id=tpl_1]').waitFor()
  await page.fill('[name=name]', 'sent ')
  await page.waitForURL(/category=MARKETING.*name=sent$/)
  await page.locator('[data-id=tpl_1]').waitFor()
  t.like(asked(), { category: 'MARKETING', name: 'sent' })
  stage.script({
    'GET /api/v1/templates': { body: { templates: [], total: 0 } },
    'POST /api/v1/templates/sync': { body: { imported: 0, updated: 0, removed: 3, total: 0 } },
  })
  await page.click('[data-action=sync]')
  await page.locator('[data-empty]', { hasText: 'like that' }).waitFor()
  await page.getByText('0 new, 0 changed, 3 gone').first().waitFor()
  const local = [{ id: 'num_1', name: 'Desk', number: '5511', provider: 'UNOFFICIAL', state: 'OPEN' }]
  await stage.open('/dashboard/templates', { ...SCRIPT, 'GET /api/v1/numbers': { body: local } })
  await page.locator('[data-id=tpl_1]').waitFor()
  t.is(await page.locator('[data-action=sync]').count(), 0, 'nobody else has them')
})

// [dashboard.templates.2] [dashboard.templates.3]
inBrowser(
  'a template says what its state means and why, and is shown filled with examples, then with values',
  async (t) => {
    await stage.open('/dashboard/templates/tpl_2?number=num_1', SCRIPT)
    const { page } = stage
    await page.locator('[data-preview]', { hasText: 'Hello Ana' }).waitFor()
    t.true((await page.innerText('main[data-status=REJECTED]')).includes('submit it again'))
    t.is(await page.innerText('[data-reason]'), 'ABUSIVE_CONTENT')
    t.true((await page.innerText('[data-unsupported]')).includes('LOCATION header'))
    await page.fill('[name="variables.customer"]', HOSTILE)
    await page.click('[data-action=show]')
    await page.locator('[data-preview]', { hasText: 'Hello <img src=x' }).waitFor()
    t.is(await page.locator('[data-preview] img').count(), 0, 'media are named, and texts are texts')
    t.deepEqual(await stage.violations(), [])
    stage.script({ 'GET /api/v1/templates/tpl_2': { body: { ...REJECTED, officialStatus: 'APPROVED' } } })
    await page.click('[data-action=refresh]')
    await page.locator('main[data-status=APPROVED]').waitFor()
    t.is(stage.asked.filter(({ query }) => query['refresh'] === '1').length, 1)
  },
)

// [dashboard.templates.6]
inBrowser('a template is sent as it is shown, and what becomes of the message is seen', async (t) => {
  const SEND = 'POST /api/v1/messages/send'
  const message = { id: 'msg_1', status: 'QUEUED', errorCode: null, errorMessage: null }
  const failed = { status: 'FAILED', errorCode: 'OFFICIAL_TEMPLATE_PAUSED', errorMessage: HOSTILE }
  const details = { missing: [], invalid: [{ key: 'customer', reason: 'TAB' }] }
  const { page } = stage
  await stage.open('/dashboard/templates/tpl_1?number=num_2', {
    ...SCRIPT,
    [SEND]: { status: 400, body: { error: 'No', code: 'INVALID_TEMPLATE_VARIABLE_VALUE', details } },
    'GET /api/v1/messages/msg_1': { body: message },
  })
  await page.fill('[name="variables.customer"]', 'Bob')
  await page.fill('[name=destinationNumber]', '+55 11 99999-0000')
  await page.click('[data-action=send]')
  await page.locator('[name="variables.customer"][aria-invalid=true]').waitFor()
  t.is(await page.innerText('[data-field-fault]'), 'It cannot have tabs.')
  await page.locator('[data-preview]', { hasText: 'Hello Bob' }).waitFor()
  stage.script({ [SEND]: { status: 202, body: { id: 'msg_1', status: 'QUEUED' } } })
  await page.click('[data-action=send]')
  await page.locator('[data-message=msg_1][data-status=QUEUED]').waitFor()
  const asked = stage.asked.filter(({ what }) => what === SEND)
  t.deepEqual(asked.at(-1)?.body, {
    destinationNumber: '+55 11 99999-0000',
    templateId: 'tpl_1',
    variables: { customer: 'Bob' },
  })
  t.is(asked.at(-1)?.headers['x-channel-number-id'], 'num_2')
  const event = { id: 'evt_1', channelNumberId: 'num_2', timestamp: '2026-11-01T10:00:00.000Z' }
  await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/messages/msg_1')),
    stage.tell('event', { ...event, event: 'message.sent', data: {} }),
  ])
  stage.script({ 'GET /api/v1/messages/msg_1': { body: { ...message, ...failed } } })
  await stage.tell('event', { ...event, event: 'message.failed', data: { internalMessageId: 'msg_1' } })
  await page.locator('[data-message][data-status=FAILED]', { hasText: 'has paused the template' }).waitFor()
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.templates.6]
inBrowser('a send whose answer is lost is not sent twice; one that cannot be sent is not offered', async (t) => {
  const { page } = stage
  const media = { ...(APPROVED as any).body, header: { type: 'IMAGE', url: 'https://acme.shop/a.png' } }
  await stage.open('/dashboard/templates/tpl_1?number=num_1', {
    ...SCRIPT,
    'GET /api/v1/templates/tpl_1': { body: { ...APPROVED, body: media } },
    'POST /api/v1/messages/send': { status: 202, body: { id: 'msg_1', status: 'QUEUED' } },
    'GET /api/v1/messages/msg_1': { body: { id: 'msg_1', status: 'READ', errorCode: null, errorMessage: null } },
  })
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/messages/send')) keys.push(request.headers()['idempotency-key'])
  })
  await page.fill('[name=destinationNumber]', '5511999990000')
  await page.fill('[name=media]', 'https://acme.shop/b.png')
  await page.route('**/messages/send', (route) => route.abort(), { times: 1 })
  await page.click('[data-action=send]')
  await page.locator('[data-fault=LOST]').waitFor()
  await page.click('[data-action=send]')
  await page.locator('[data-message][data-status=READ]').waitFor()
  await Promise.all([page.waitForRequest('**/messages/send'), page.click('[data-action=send]')])
  t.is(keys[0], keys[1])
  t.not(keys[1], keys[2])
  t.like(stage.asked.find(({ what }) => what === 'POST /api/v1/messages/send')?.body, {
    media: 'https://acme.shop/b.png',
  })
  await stage.open('/dashboard/templates/tpl_2?number=num_1', SCRIPT)
  await page.locator('[data-preview]').waitFor()
  t.is(await page.locator('[name=destinationNumber]').count(), 0)
  await stage.open('/dashboard/templates/tpl_1?number=num_1', SCRIPT, 'ANALYST')
  await page.locator('[data-preview]').waitFor()
  t.is(await page.locator('[name=destinationNumber]').count(), 0)
})

// [dashboard.templates.4]
inBrowser(
  'a template is deleted once its name is typed; what upstream says against it stands in the question',
  async (t) => {
    await stage.open('/dashboard/templates/tpl_1?number=num_1', {
      ...SCRIPT,
      'DELETE /api/v1/templates/tpl_1': { status: 502, body: { error: 'Template is locked', code: 'OFFICIAL_ERROR' } },
    })
    const { page } = stage
    await page.click('[data-action=delete]')
    t.true(await page.isDisabled('[data-action=confirm]'))
    await page.fill('input[name=confirm]', 'order_tpl_1')
    await page.click('[data-action=confirm]')
    await page.locator('dialog [data-code=OFFICIAL_ERROR]', { hasText: 'Template is locked' }).waitFor()
    stage.script({ 'DELETE /api/v1/templates/tpl_1': { body: { deleted: true, id: 'tpl_1' } } })
    await page.click('[data-action=confirm]')
    await stage.shows('templates')
    t.regex(page.url(), /templates\?number=num_1$/)
  },
)

inBrowser(
  'who may only read templates is not offered to delete one; an account without a number is told so',
  async (t) => {
    await stage.open('/dashboard/templates/tpl_1?number=num_1', SCRIPT, 'ANALYST')
    await stage.page.locator('[data-preview]').waitFor()
    t.is(await stage.page.locator('[data-action=delete]').count(), 0)
    for (const path of ['/dashboard/templates', '/dashboard/templates/tpl_1']) {
      await stage.open(path, { 'GET /api/v1/numbers': { body: [] } })
      await stage.page.locator('[data-empty]').waitFor()
    }
    t.deepEqual(await stage.violations(), [])
  },
)

// [dashboard.templates.5]
inBrowser('a template is written with its faults at their fields and the message beside, and submitted', async (t) => {
  const created = template('tpl_9', 'PENDING')
  const numbers = [{ id: 'num_1', name: 'Desk', number: '5511', provider: 'OFFICIAL', state: 'OPEN' }]
  const script: Script = {
    ...SCRIPT,
    'GET /api/v1/numbers': { body: numbers },
    'POST /api/v1/templates': { status: 422, body: { error: 'Too many', code: 'OFFICIAL_TEMPLATE_SUBMIT_FAILED' } },
    'GET /api/v1/templates/tpl_9': { body: created },
  }
  await stage.open('/dashboard/templates', script)
  const { page } = stage
  await page.click('[data-action=new]')
  await page.fill('form[data-form=template] [name=name]', 'order_sent')
  await page.fill('[name="body.body.text"]', '{{customer}}')
  await page.locator('[name="body.body.text"][aria-invalid=true]').waitFor()
  t.true(await page.isDisabled('[data-action=save]'))
  await page.fill('[name="body.body.text"]', `Hello {{customer}}, <img src=x>.`)
  await page.locator('[name="examples.customer"][aria-invalid=true]').waitFor()
  await page.fill('[name="examples.customer"]', 'Ana')
  await page.locator('[data-preview]', { hasText: 'Hello Ana, <img src=x>.' }).waitFor()
  await page.click('[data-action=add-button]')
  t.true(await page.isDisabled('[data-action=save]'))
  await page.fill('[name="body.buttons.0.text"]', 'Yes')
  await page.click('[data-action=save]')
  await page.locator('form [data-code=OFFICIAL_TEMPLATE_SUBMIT_FAILED]', { hasText: 'Too many' }).waitFor()
  t.deepEqual(await stage.violations(), [])
  stage.script({ 'POST /api/v1/templates': { status: 201, body: created } })
  await page.click('[data-action=save]')
  await page.locator('main[data-status=PENDING]').waitFor()
  t.like(stage.asked.filter(({ what }) => what === 'POST /api/v1/templates').at(-1), {
    headers: { 'x-channel-number-id': 'num_1' },
    body: { name: 'order_sent', category: 'UTILITY', language: 'en_US', examples: { customer: 'Ana' } },
  })
})

// [dashboard.templates.5]
inBrowser('the Flow of a button is chosen by its name among those that are published', async (t) => {
  const { page } = stage
  const flows = [{ id: 'flow_1', name: 'Book a visit' }]
  await stage.open('/dashboard/templates/new?number=num_1', {
    ...SCRIPT,
    'GET /api/v1/flows?officialStatus=PUBLISHED&pageSize=100': { body: { flows, total: 1 } },
    'POST /api/v1/templates': { status: 201, body: template('tpl_1', 'PENDING') },
  })
  await page.fill('form[data-form=template] [name=name]', 'visit')
  await page.fill('[name="body.body.text"]', 'Come and see us.')
  await page.click('[data-action=add-button]')
  await page.selectOption('[name="body.buttons.0.type"]', 'FLOW')
  await page.fill('[name="body.buttons.0.text"]', 'Book')
  await page.selectOption('select[name="body.buttons.0.flowId"]', { label: 'Book a visit' })
  t.deepEqual(await stage.violations(), [])
  await page.click('[data-action=save]')
  await page.locator('main[data-id=tpl_1]').waitFor()
  const sent = stage.asked.find(({ what }) => what === 'POST /api/v1/templates')?.body as any
  t.deepEqual(sent.body.buttons, [{ type: 'FLOW', text: 'Book', flowId: 'flow_1' }])
})

// [dashboard.templates.5] [templates.checks.2]
inBrowser('what the service alone finds wrong with a template stands at the field that it is about', async (t) => {
  const { page } = stage
  const faults = [{ code: 'TEMPLATE_FLOW_INVALID', field: 'buttons.0.text', message: 'The Flow is not published' }]
  await stage.open('/dashboard/templates/new?number=num_1', SCRIPT)
  await page.fill('form[data-form=template] [name=name]', 'order sent!')
  await page.fill('[name="body.body.text"]', 'It is here.')
  await page.click('[data-action=add-button]')
  await page.fill('[name="body.buttons.0.text"]', 'Yes')
  for (const [field, code, details] of [
    ['name', 'TEMPLATE_NAME_INVALID', { field: 'name' }],
    ['language', 'TEMPLATE_LANGUAGE_INVALID', { field: 'language' }],
    ['name', 'TEMPLATE_ALREADY_EXISTS', {}],
    ['body.buttons.0.text', 'TEMPLATE_FLOW_INVALID', { field: 'buttons.0.text', faults }],
  ] as const) {
    stage.script({ 'POST /api/v1/templates': { status: 400, body: { error: `Of ${code}`, code, details } } })
    await page.click('[data-action=save]')
    await page.locator(`form [data-code=${code}]`).waitFor()
    const faulty = page.locator('form [aria-invalid=true]')
    t.deepEqual(await faulty.evaluateAll((all: any[]) => all.map(({ name }) => name)), [field], code)
    t.is(await page.evaluate('document.activeElement.name'), field)
  }
  t.is(await page.locator('[data-field-fault]').innerText(), 'The Flow is not published')
})

// [dashboard.templates.5]
inBrowser('a template is edited where it stands; who may not write one is told so', async (t) => {
  const script = { ...SCRIPT, 'PUT /api/v1/templates/tpl_2': { body: { ...REJECTED, officialStatus: 'PENDING' } } }
  const open = async () => {
    await stage.page.click('[data-action=edit]')
    await stage.page.locator('form[data-form=template]').waitFor()
  }
  t.deepEqual(await stage.looks('/dashboard/templates/tpl_2?number=num_1', script, open), [])
  await stage.open('/dashboard/templates/tpl_2?number=num_1', script)
  await open()
  const { page } = stage
  await page.fill('[name="body.body.text"]', 'Hello {{customer}}, it is here.')
  await page.click('form[data-form=template] [data-action=save]')
  await page.locator('main[data-status=PENDING]').waitFor()
  const put = stage.asked.find(({ what }) => what === 'PUT /api/v1/templates/tpl_2')?.body as any
  t.is(put.body.body.text, 'Hello {{customer}}, it is here.')
  await stage.open('/dashboard/templates/new', SCRIPT, 'ANALYST')
  await page.locator('main', { hasText: 'Your role may not see this' }).waitFor()
  t.is(await page.locator('form').count(), 0)
})
