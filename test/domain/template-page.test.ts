import { readFileSync } from 'node:fs'
import test from 'ava'
import { MESSAGE_ERROR_CODES } from '../../src/domain/message.ts'
import { templateRuleRows } from '../../src/domain/template-rules.ts'
import type { TemplateRuleRow } from '../../src/domain/template-rules.ts'
import { SUBMIT_REASON_ROWS, SUBMIT_REASONS } from '../../src/domain/template-upstream.ts'
import type { SubmitReason } from '../../src/domain/template-upstream.ts'
import { TEMPLATE_BUTTONS, TEMPLATE_HEADERS } from '../../src/domain/template.ts'
import { messageErrorCodeOf } from '../../src/providers/official/errors/message-errors.ts'
import { codesIn } from '../helpers/template-subject.ts'

const PAGE = readFileSync(new URL('../../docs/templates.md', import.meta.url), 'utf8')
const CONTRACT = readFileSync(new URL('../../docs/contract/templates.md', import.meta.url), 'utf8')

/** The text below a heading of the page, up to the next heading. */
function sectionOf(heading: string): string {
  return PAGE.split(`\n### ${heading}\n`)[1]?.split(/\n###? /)[0] ?? ''
}

/** The rows of the tables in `text`: the code in the first cell, then the other cells. */
function cellsOf(text: string): [code: string, ...cells: string[]][] {
  return [...text.matchAll(/^\| `([A-Z_]+)` \|(.*)\|$/gm)].map(([, code = '', rest = '']) => [
    code,
    ...rest.split('|').map((cell) => cell.trim()),
  ])
}

function ruleLine({ code, kinds, when, upstreamCode, upstreamSubcode }: TemplateRuleRow): string {
  const upstream = [upstreamCode, upstreamSubcode].filter((one) => one !== null).join('/')
  return `| \`${code}\` | ${kinds.length > 1 ? 'both' : kinds.join()} | ${when.replaceAll('|', '\\|')} | ${upstream} |`
}

/** The upstream's codes for a reason; empty when no code means exactly this reason. */
function answersFor(reason: SubmitReason): string {
  return SUBMIT_REASON_ROWS.filter((row) => row.reason === reason)
    .map(({ codes, subcode }) => [...new Set(codes)].join('-') + (codes && subcode ? '/' : '') + (subcode ?? ''))
    .join(', ')
}

/** The examples below a heading, one for each line. */
function examplesIn(heading: string): Record<string, unknown>[] {
  const block = /```json\n([^]*?)\n```/.exec(sectionOf(heading))?.[1] ?? ''
  return block.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
}

const SAMPLES = { order: '1', coupon: 'A1', payment: '1' }

test('the table of refusals in the page of templates is the table of the rules', (t) => {
  const written = /<!-- rules -->\n([^]*?)<!-- \/rules -->/.exec(PAGE)?.[1]
  const wanted = [
    '| `code` | numbers | when | Upstream |',
    '|---|---|---|---|',
    ...templateRuleRows().map(ruleLine),
    '',
  ].join('\n')
  if (written !== wanted) t.log(`To be put between the marks of docs/templates.md:\n${wanted}`)
  t.is(written, wanted)
})

test('the page names every reason of a refused submission, with what upstream answers then', (t) => {
  const rows = cellsOf(sectionOf('What is refused')).filter(
    ([code]) => !code.startsWith('TEMPLATE_') || code === 'TEMPLATE_LIMIT',
  )
  t.deepEqual(
    rows.map(([reason, upstream]) => [reason, upstream]),
    SUBMIT_REASONS.map((reason) => [reason, answersFor(reason)]),
  )
  t.true(rows.every(([, , advice = '']) => advice !== ''))
})

test('the contract tells each code of a message of a template by what upstream says, and the page leads there', (t) => {
  t.true(sectionOf('What fails later').includes('(contract/templates.md#send-failures)'))
  const [, failures = ''] = CONTRACT.split('\n## Send failures\n')
  const rows = cellsOf(failures.replaceAll(/^\| \[[\w.-]+\] /gm, ''))
  t.true(rows.length > 0)
  for (const [code, upstream = ''] of rows) {
    const [codes = ''] = upstream.split(/[;:]/)
    for (const one of codes.split(', '))
      t.is(messageErrorCodeOf(Number(one)), code as ReturnType<typeof messageErrorCodeOf>, one)
  }
  const named = new Set(rows.map(([code]) => code))
  t.deepEqual(
    MESSAGE_ERROR_CODES.filter(
      (code) => /^OFFICIAL_(?:TEMPLATE|FLOW|MARKETING|PAYMENT|BUSINESS|DISPLAY)_/.test(code) && !named.has(code),
    ),
    [],
  )
})

test('every header and every button that the page shows passes the rules, and each type is shown', (t) => {
  const [headers, buttons] = [examplesIn('Headers'), examplesIn('Buttons')]
  const facts = { examples: SAMPLES, flowStatusOf: () => 'PUBLISHED' }
  for (const header of headers) t.deepEqual(codesIn({ header, body: 'x' }, facts), [], JSON.stringify(header))
  for (const button of buttons)
    t.deepEqual(codesIn({ body: 'x', buttons: [button] }, facts), [], JSON.stringify(button))
  t.deepEqual(
    TEMPLATE_HEADERS.filter((type) => type !== 'NONE' && !headers.some((header) => header['type'] === type)),
    [],
  )
  t.deepEqual(
    TEMPLATE_BUTTONS.filter((type) => !buttons.some((button) => button['type'] === type)),
    [],
  )
})
