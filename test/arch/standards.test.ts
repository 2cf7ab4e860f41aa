import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { readSourceFiles, ROOT } from './source-files.ts'

/** Numbers of RFCs that a text names, also several behind one `RFC`. */
function rfcsIn(text: string): string[] {
  return [...text.matchAll(/\bRFCs? ?(\d{3,5})\b/g)].map(([, number = '']) => number)
}

const listed = [...readFileSync(join(ROOT, 'docs/rfcs.md'), 'utf8').matchAll(/^\| (\d+) \| (.+) \|$/gm)]

test('every RFC that the code cites stands in the list of standards, and no other', (t) => {
  const cited = new Set(readSourceFiles().flatMap(({ text }) => rfcsIn(text)))
  t.true(cited.size > 50)
  const numbers = listed.map(([, number = '']) => number)
  t.deepEqual(
    numbers,
    [...cited].toSorted((a, b) => Number(a) - Number(b)),
  )
})

test('a citation is found with and without a blank', (t) => {
  t.deepEqual(rfcsIn('as RFC 3550 section 5 and RFC8866 say; RFCs 9110'), ['3550', '8866', '9110'])
})
