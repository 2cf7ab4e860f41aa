import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'

const PROGRAM = `import { boundHeapGrowth } from ${JSON.stringify(new URL('../../src/process/heap-growth.ts', import.meta.url).href)}; boundHeapGrowth()`

test('the V8 at hand knows the bound on the growth of its heap', async (t) => {
  // Node reports an unknown flag and continues without it.
  const { stderr } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    PROGRAM,
  ])
  t.is(stderr, '')
})
