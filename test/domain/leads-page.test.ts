import { readFileSync } from 'node:fs'
import test from 'ava'
import { AUTO_SEND_STATUSES, PAGE_WEBHOOK_STATUSES, SKIP_REASONS } from '../../src/domain/lead.ts'
import { PII_MODES } from '../../src/domain/number.ts'
import { BACKFILL_STATUSES } from '../../src/ports/stores/lead-backfill-store.ts'

const PAGE = readFileSync(new URL('../../docs/leads.md', import.meta.url), 'utf8')

/** The cells of the table between two marks of the page, row by row, without the header and without backticks. */
function rowsOf(mark: string): string[][] {
  const [, , ...rows] = (new RegExp(`<!-- ${mark} -->\n([^]*?)<!-- /${mark} -->`).exec(PAGE)?.[1] ?? '')
    .trimEnd()
    .split('\n')
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

test('the table of answers in the page of leads has every state, and every reason in the order in which they are looked at', (t) => {
  const rows = rowsOf('answers')
  t.deepEqual([...new Set(rows.map(([status = '']) => status))].toSorted(), AUTO_SEND_STATUSES.toSorted())
  t.deepEqual(
    rows.filter(([status]) => status === 'skipped').map(([, reason]) => reason),
    [...SKIP_REASONS],
  )
  t.true(rows.every(([, , when = '']) => when !== ''))
})

test('the page of leads says what each state of a webhook, an import and the privacy of a number means', (t) => {
  for (const word of [...PAGE_WEBHOOK_STATUSES, ...PII_MODES])
    t.regex(PAGE, new RegExp(`^\\| \`${word}\` \\|`, 'm'), word)
  t.true(PAGE.includes(`| \`status\` | ${BACKFILL_STATUSES.map((status) => `\`${status}\``).join(', ')} |`))
})
