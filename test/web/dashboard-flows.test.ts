import { readFileSync } from 'node:fs'
import test from 'ava'
import { answerColumnsOf } from '../../web/dashboard/pages/flow/answer.ts'
import type { FlowAnswer } from '../../web/dashboard/pages/flow/answer.ts'
import { lineOfNoDocument, linesOf, rangeOfLine } from '../../web/dashboard/pages/flow/lines.ts'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import { DRAFT, FAULT } from '../helpers/flows-shown.ts'
import type { Script } from '../helpers/people-scenes.ts'

const stage = new DashboardStage(test)
/** A document of 60 lines. */
const DOCUMENT = `{\n${Array.from({ length: 57 }, (_, at) => `  "screen_${at}": "${'w'.repeat(300)}",`).join('\n')}\n  "version": "7.1"\n}`
const PUBLISHED = { ...DRAFT, id: 'flow_2', name: 'Book a visit, 2', officialStatus: 'PUBLISHED', validationErrors: [] }
const HERE = '/dashboard/flows/flow_1?number=num_1'

const SCRIPT: Script = {
  'GET /api/v1/numbers': {
    body: ['num_1', 'num_2'].map((id) => ({ id, name: 'Desk', number: '5511999990001', provider: 'x', state: 'OPEN' })),
  },
  'GET /api/v1/flows': { body: { flows: [DRAFT, PUBLISHED], total: 2 } },
  'GET /api/v1/flows/flow_1': { body: DRAFT },
  'GET /api/v1/flows/flow_1/json': { body: { flowJson: DOCUMENT } },
  'GET /api/v1/flows/flow_1/responses': { body: { responses: [], total: 0 } },
  'GET /api/v1/flows/flow_2': { body: PUBLISHED },
  'GET /api/v1/flows/flow_2/json': { body: { flowJson: DOCUMENT } },
  'GET /api/v1/flows/flow_2/responses': { body: { responses: [], total: 0 } },
}

/** The bodies of requests, in their order. */
function bodiesOf(what: string): unknown[] {
  return stage.asked.filter((asked) => asked.what === what).map(({ body }) => body)
}

/** The text that is selected in the field of the document. */
function selected(): Promise<string> {
  return stage.page.$eval('[name=flowJson]', (field: any) =>
    field.ownerDocument.activeElement === field ? field.value.slice(field.selectionStart, field.selectionEnd) : '',
  )
}

test('a document is a JSON object; its lines are counted and found', (t) => {
  for (const [text, line] of [
    ['{}', null],
    ['\n [1]', 2],
    ['"a"', 1],
    ['{\n"a": }', 2],
  ] as const)
    t.is(lineOfNoDocument(text), line, text)
  t.deepEqual([linesOf(''), linesOf('a\nb'), linesOf('a\n')], [1, 2, 2])
  t.deepEqual(rangeOfLine('ab\ncd\nef', 2), [3, 5])
  t.deepEqual(rangeOfLine('ab\ncd', 9), [3, 5])
})

// [dashboard.exports.2]
test('the file of answers has a column for each field, and one for answers that cannot be read', (t) => {
  const base = { contactNumber: null, contactName: null, submittedAt: '' }
  const answers: readonly FlowAnswer[] = [
    { ...base, id: '1', response: { day: 'Monday', times: ['9:00', '10:00'] } },
    { ...base, id: '2', response: { day: 7, constructor: { a: null } } },
    { ...base, id: '3', response: null, rawResponse: '{' },
  ]
  const columns = answerColumnsOf(answers, 'Answer')
  t.deepEqual(
    [columns.map(({ name }) => name), ...answers.map((one) => columns.map(({ cellOf }) => cellOf(one)))],
    [
      ['day', 'times', 'constructor', 'Answer'],
      ['Monday', '9:00; 10:00', '', ''],
      ['7', '', '{"a":null}', ''],
      ['', '', '', '{'],
    ],
  )
})

// [dashboard.flows.1]
inBrowser('wrong lines are marked beside the text, and each fault in words leads to its line', async (t) => {
  const { page } = stage
  const faults = [FAULT, { ...FAULT, line_start: 50 }, { error: 'NO_LINE', message: 'Of no line.' }]
  const script = { ...SCRIPT, 'GET /api/v1/flows/flow_1': { body: { ...DRAFT, validationErrors: faults } } }
  t.deepEqual(await stage.looks(HERE, script, () => page.locator('[data-mark="10"]').waitFor()), [])
  await stage.open(HERE, script)
  await page.locator('[data-mark="10"]').waitFor()
  t.is(await page.locator('[data-mark="50"]').count(), 0, 'it is not in sight')
  await page.click('[data-line="50"] [data-action=jump]')
  await page.locator('[data-mark="50"]').waitFor()
  t.is(await selected(), DOCUMENT.split('\n')[49] ?? '')
  const [mark, field] = [
    await page.locator('[data-mark="50"]').boundingBox(),
    await page.locator('.lined').boundingBox(),
  ]
  t.true(mark !== null && field !== null && mark.y > field.y && mark.y + mark.height < field.y + field.height)
  await page.fill('[name=flowJson]', DOCUMENT.replace('"screen_2":', '"screen_2"'))
  await page.locator('main', { hasText: 'saved last' }).waitFor()
  await page.click('[data-json-line="4"] [data-action=jump]')
  await page.locator('[data-mark="4"]').waitFor()
  t.is(await page.locator('[data-mark="10"]').count(), 0, 'the lines of the saved document may be others now')
})

// [dashboard.flows.4]
inBrowser('a Flow is created with its document; one that was not taken can be sent again', async (t) => {
  const { page } = stage
  const taken = { error: 'Nome inválido', errorEN: 'The name cannot be used', details: { reason: 'NOT_UNIQUE' } }
  const made = { ...PUBLISHED, officialStatus: 'DRAFT' }
  const open = () => page.locator('form[data-form=new-flow]').waitFor()
  t.deepEqual(await stage.looks('/dashboard/flows/new?number=num_2', SCRIPT, open), [])
  await stage.open('/dashboard/flows?number=num_2', {
    ...SCRIPT,
    'POST /api/v1/flows': { status: 400, body: { ...taken, code: 'FLOW_NAME_INVALID' } },
    'POST /api/v1/flows/flow_2/json': { status: 502, body: { error: 'Fora', errorEN: 'Away', code: 'OFFICIAL_ERROR' } },
    'GET /api/v1/flows/flow_2': { body: made },
  })
  await page.click('[data-action=new]')
  await page.fill('[name=name]', 'Book')
  await page.click('[name=categories][value=SURVEY]')
  await page.fill('[name=flowJson]', '[]')
  await page.locator('[data-json-line="1"]').waitFor()
  t.true(await page.isDisabled('[data-action=create]'))
  await page.fill('[name=flowJson]', '{}')
  await page.click('[data-action=create]')
  await page.locator('[name=name][aria-invalid=true]').waitFor()
  t.is(await page.innerText('[data-field-fault]'), 'A Flow of the account has this name already.')
  stage.script({ 'POST /api/v1/flows': { status: 201, body: made } })
  await page.click('[data-action=create]')
  await page.locator('[data-made=flow_2]').waitFor()
  await page.locator('[data-code=OFFICIAL_ERROR]', { hasText: 'Away' }).waitFor()
  stage.script({ 'POST /api/v1/flows/flow_2/json': { body: { validationErrors: [] } } })
  await page.click('[data-action=create]')
  await page.locator('main[data-id=flow_2]').waitFor()
  const asked = { name: 'Book', categories: ['SURVEY', 'OTHER'] }
  t.deepEqual(bodiesOf('POST /api/v1/flows'), [asked, asked])
  t.deepEqual(bodiesOf('POST /api/v1/flows/flow_2/json'), [{ flowJson: '{}' }, { flowJson: '{}' }])
  await stage.open('/dashboard/flows/new', SCRIPT, 'ANALYST')
  await page.locator('main', { hasText: 'Your role may not see this' }).waitFor()
})

// [dashboard.flows.4]
inBrowser('a Flow is copied, and a draft gets another name', async (t) => {
  const { page } = stage
  await stage.open('/dashboard/flows/flow_2?number=num_1', {
    ...SCRIPT,
    'POST /api/v1/flows': { status: 201, body: DRAFT },
    'PATCH /api/v1/flows/flow_1': { body: { ...DRAFT, name: 'Visits' } },
  })
  await page.click('[data-action=clone]')
  await page.locator('main', { hasText: 'Book a visit, 2' }).waitFor()
  t.is(await page.locator('[name=flowJson]').count(), 0, 'it has that of its source')
  await page.fill('[name=name]', 'Book a visit')
  await page.click('[data-action=create]')
  await page.locator('main[data-id=flow_1]').waitFor()
  t.deepEqual(bodiesOf('POST /api/v1/flows'), [
    { name: 'Book a visit', categories: ['APPOINTMENT_BOOKING'], cloneFromFlowId: 'flow_2' },
  ])
  await page.click('[data-action=edit]')
  await page.fill('[name=name]', 'Visits')
  await page.click('[name=categories][value=APPOINTMENT_BOOKING]')
  await page.click('form[data-form=flow-facts] [data-action=save]')
  await page.locator('h2', { hasText: 'Visits' }).waitFor()
  t.deepEqual(bodiesOf('PATCH /api/v1/flows/flow_1'), [{ name: 'Visits' }])
  t.deepEqual(await stage.violations(), [])
})

// [dashboard.flows.2]
inBrowser('what keeps a Flow from being published is said; deprecating may name a successor', async (t) => {
  const { page } = stage
  const refused = { error: 'Recusado', errorEN: 'Refused', code: 'FLOW_JSON_INVALID', validationErrors: [FAULT] }
  const published = { ...DRAFT, officialStatus: 'PUBLISHED', validationErrors: [] }
  const confirm = async (action: string) => {
    await page.click(`[data-action=${action}]`)
    await page.fill('input[name=confirm]', DRAFT.name)
  }
  await stage.open(HERE, { ...SCRIPT, 'POST /api/v1/flows/flow_1/publish': { status: 422, body: refused } })
  await confirm('publish')
  await page.click('[data-action=confirm]')
  await page.locator('[data-refused] [data-line="10"]', { hasText: 'Invalid value' }).waitFor()
  t.is(await page.locator('dialog').count(), 0)
  t.deepEqual(await stage.violations(), [])
  await stage.open(HERE, {
    ...SCRIPT,
    'GET /api/v1/flows/flow_1': { body: published },
    'POST /api/v1/flows/flow_1/deprecate': { body: published },
  })
  await confirm('deprecate')
  await page.selectOption('[name=supersededByFlowId]', 'flow_2')
  t.deepEqual(await stage.violations(), [])
  stage.script({
    'GET /api/v1/flows/flow_1': { body: { ...published, officialStatus: 'DEPRECATED', supersededByFlowId: 'flow_2' } },
  })
  await page.click('[data-action=confirm]')
  await page.click('a[href^="/dashboard/flows/flow_2?"]')
  await page.locator('main[data-id=flow_2]').waitFor()
  t.deepEqual(bodiesOf('POST /api/v1/flows/flow_1/deprecate'), [{ supersededByFlowId: 'flow_2' }])
})

// [dashboard.flows.5] [dashboard.flows.6]
inBrowser('Flows are read anew by their events, and asked of the network on demand', async (t) => {
  const { page } = stage
  const list = (officialStatus: string): Script => ({
    'GET /api/v1/flows': { body: { flows: [{ ...DRAFT, officialStatus }], total: 1 } },
  })
  await stage.open('/dashboard/flows?number=num_1', SCRIPT)
  await page.locator('[data-id=flow_1][data-status=DRAFT]').waitFor()
  const frame = { id: 'evt_1', channelNumberId: 'num_1', data: {}, timestamp: '2026-11-01T10:00:00.000Z' }
  // The first stream has every page read anew; the second, which goes on where that ended, tells of events alone.
  await Promise.all([
    page.waitForResponse((answer) => answer.url().includes('/api/v1/flows?')),
    stage.tell('event', { ...frame, event: 'message.sent' }),
  ])
  stage.script(list('THROTTLED'))
  await stage.tell('event', { ...frame, event: 'flows' })
  await page.locator('[data-id=flow_1][data-status=THROTTLED]').waitFor()
  stage.script({
    ...list('BLOCKED'),
    'POST /api/v1/flows/sync': { body: { imported: 2, updated: 1, removed: 0, total: 3 } },
  })
  await page.click('[data-action=sync]')
  await page.locator('[data-id=flow_1][data-status=BLOCKED]').waitFor()
  await page.getByText('2 new, 1 changed, 0 gone').first().waitFor()
  await page.selectOption('[name=officialStatus]', 'BLOCKED')
  await page.waitForURL(/status=BLOCKED/)
  await page.locator('[data-id=flow_1]').waitFor()
  t.like(stage.asked.filter(({ what }) => what === 'GET /api/v1/flows').at(-1), {
    query: { officialStatus: 'BLOCKED' },
  })
  await page.click('[data-id=flow_1] a')
  stage.script({ 'GET /api/v1/flows/flow_1': { body: { ...DRAFT, officialStatus: 'PUBLISHED' } } })
  await page.click('[data-action=refresh]')
  await page.locator('[data-status=PUBLISHED]').waitFor()
  t.is(stage.asked.filter(({ query }) => query['refresh'] === '1').length, 1)
  await stage.open('/dashboard/flows', SCRIPT, 'ANALYST')
  await page.locator('[data-id=flow_1]').waitFor()
  t.is(await page.locator('[data-action=sync], [data-action=new]').count(), 0)
})

// [dashboard.flows.3] [dashboard.exports.2]
inBrowser('answers are read between dates, and saved with a column for each field', async (t) => {
  const { page } = stage
  const answer = { id: 'fres_1', contactNumber: '55119', contactName: 'Ana', submittedAt: '2026-11-01T10:00:00.000Z' }
  const responses = [{ ...answer, response: { day: '=1+1', seats: 2 } }]
  await stage.open(`${HERE}&startDate=2026-10-01`, {
    ...SCRIPT,
    'GET /api/v1/flows/flow_1/responses': { body: { responses, total: 1 } },
  })
  await page.locator('[data-id=fres_1]').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=export]')])
  t.deepEqual(readFileSync(await file.path(), 'utf8').split('\r\n'), [
    '\uFEFFName,From,Time,day,seats',
    "Ana,55119,2026-11-01T10:00:00.000Z,'=1+1,2",
    '',
  ])
  stage.script({ 'GET /api/v1/flows/flow_1/responses': { body: { responses: [], total: 0 } } })
  await page.fill('[name=endDate]', '2026-10-02')
  await page.locator('[data-empty]', { hasText: 'between these dates' }).waitFor()
  t.like(stage.asked.filter(({ what }) => what.endsWith('/responses')).at(-1), {
    query: { startDate: '2026-10-01', endDate: '2026-10-02' },
  })
})
