import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { REFUSALS } from '../../src/domain/errors.ts'
import { FLOW_REFUSALS } from '../../src/domain/flow-refusals.ts'
import type { FlowRefusalCode } from '../../src/domain/flow-refusals.ts'
import { FLOW_CATEGORIES, FLOW_STATUSES } from '../../src/domain/flow.ts'
import { PII_MODES } from '../../src/domain/number.ts'

const PAGE = readFileSync(new URL('../../docs/flows.md', import.meta.url), 'utf8')
const CONTRACT = readFileSync(new URL('../../docs/contract/flows.md', import.meta.url), 'utf8')
/** The checks of documents in the sandbox, which use the upstream's names. */
const CHECKS = new URL('../../sandbox/official/flows/document/', import.meta.url)

/** The cells of the table between two marks of the page, row by row, without the header. */
function rowsOf(mark: string): string[][] {
  const [, , ...rows] = (new RegExp(`<!-- ${mark} -->\n([^]*?)<!-- /${mark} -->`).exec(PAGE)?.[1] ?? '')
    .trimEnd()
    .split('\n')
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

test('the table of codes in the page of Flows is that of the code, with its statuses', (t) => {
  t.deepEqual(
    rowsOf('codes').map((cells) => cells.slice(0, 2)),
    Object.keys(FLOW_REFUSALS).map((code) => [`\`${code}\``, String(REFUSALS[code as FlowRefusalCode].status)]),
  )
})

test('the contract, to which the page leads, has both texts of each code', (t) => {
  t.true(PAGE.includes('(contract/flows.md#errors)'))
  const rows = [...CONTRACT.matchAll(/^\| \[flows\.errors\.\d+\] \| `(\w+)` \| (\d+) \| (.*) \| (.*) \|$/gm)]
  t.true(rows.length > 10)
  for (const [, code = '', status = '', pt = '', en = ''] of rows) {
    const texts = FLOW_REFUSALS[code as FlowRefusalCode]
    t.is(String(REFUSALS[code as FlowRefusalCode].status), status, code)
    t.is(pt, texts.pt, code)
    t.true(en.startsWith(texts.en), code)
  }
})

test('the page says what to do about every error that the sandbox finds in a document, and about no other', (t) => {
  const sources = readdirSync(CHECKS)
    .map((file) => readFileSync(new URL(file, CHECKS), 'utf8'))
    .join('\n')
  const found = [...sources.matchAll(/(?:findings\.add\(\s*|NO_JSON = )'([A-Z_]+)'/g)].map(([, name]) => `\`${name}\``)
  const rows = rowsOf('document')
  t.deepEqual(rows.map(([name]) => name).toSorted(), [...new Set(found)].toSorted())
  t.true(rows.every(([, advice = '']) => advice !== ''))
})

test('the page has every state, category and privacy mode', (t) => {
  const columns = /^\| \|(.*)\|$/m
    .exec(PAGE.split('What each allows:')[1] ?? '')?.[1]
    ?.split('|')
    .map((cell) => cell.trim())
  t.deepEqual(columns?.toSorted(), FLOW_STATUSES.toSorted())
  t.true(PAGE.includes(FLOW_CATEGORIES.join(', ')))
  for (const word of [...FLOW_STATUSES, ...PII_MODES]) t.regex(PAGE, new RegExp(`^\\| \`${word}\` \\|`, 'm'), word)
})
