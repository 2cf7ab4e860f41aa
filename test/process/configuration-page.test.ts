import { readFileSync } from 'node:fs'
import test from 'ava'
import { z } from 'zod'
import { VARIABLES } from '../../src/config/variables.ts'
import { configurationPage } from '../../tools/configuration/reference.ts'

const ROOT = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const page = configurationPage(textOf('src/config/variables.ts'), VARIABLES)

test('the page of the configuration is the one that the code makes', (t) => {
  t.is(textOf('docs/configuration.md'), page, 'run: npm run configuration')
})

test('each variable has a row that says what it does', (t) => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  t.deepEqual(
    rows.map((row) => /^\| `(\w+)`/.exec(row)?.[1]),
    Object.keys(VARIABLES.shape),
  )
  t.deepEqual(
    rows.filter((row) => row.endsWith('|  |')),
    [],
  )
})

test('a row has the default, the values that are taken, and the text without what it cites', (t) => {
  const source = `
  /** How many there are ([keys.form.5]): at | most this. */
  MANY: z.int(),
  /**
   * Whether
   * it is so (our choice).
   */
  IS_SO: z.enum(),
`
  const schema = z.object({ MANY: z.int().min(1).max(9).default(3), IS_SO: z.enum(['on', 'off']).optional() })
  const [many, isSo] = configurationPage(source, schema).trim().split('\n').slice(-2)
  t.is(many, '| `MANY` | `3` | 1 to 9 | How many there are: at \\| most this |')
  t.is(isSo, '| `IS_SO` |  | `on`, `off` | Whether it is so |')
})
