import { readdir, readFile } from 'node:fs/promises'
import test from 'ava'
import { CHECKERS } from '../../simulation/checkers/all.ts'

const ROOT = new URL('../../', import.meta.url)

/** The first cells of a table under a heading of the guide. */
function firstCells(guide: string, heading: string): string[] {
  const [, part = ''] = guide.split(`### ${heading}\n`)
  const [table = ''] = part.split('\n#')
  return [...table.matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell = '']) => cell).slice(1)
}

test('the guide names every promise and every planted fault, and no other', async (t) => {
  const guide = await readFile(new URL('docs/proof.md', ROOT), 'utf8')
  t.deepEqual(
    firstCells(guide, 'Promises of every seed').toSorted(),
    [...Object.keys(CHECKERS), 'a number has one owner'].toSorted(),
  )
  t.deepEqual(
    firstCells(guide, 'Planted faults').map((name) => `${name}.patch`),
    await readdir(new URL('simulation/planted', ROOT)),
  )
})
