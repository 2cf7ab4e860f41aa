import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
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

test('every planted fault can be planted in the code as it is now', async (t) => {
  const folder = fileURLToPath(new URL('simulation/planted', ROOT))
  for (const name of await readdir(folder))
    await t.notThrowsAsync(
      promisify(execFile)('git', ['apply', '--check', `${folder}/${name}`], { cwd: fileURLToPath(ROOT) }),
    )
})

test('the first success of the guide works, and tells how much was simulated', async (t) => {
  const [, command = ''] = /^```sh\n(.+)\n```$/m.exec(await readFile(new URL('docs/proof.md', ROOT), 'utf8')) ?? []
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: fileURLToPath(ROOT) })
  t.regex(stdout, /^20 seeds, [\d.]+ node-hours, \d+ a minute; [0-9a-f]{64}\n$/m)
})
