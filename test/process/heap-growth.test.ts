import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'

const PROGRAM = `import { boundHeapGrowth } from ${JSON.stringify(new URL('../../src/process/heap-growth.ts', import.meta.url).href)}; boundHeapGrowth()`

test('the V8 at hand knows the bound on the growth of its heap', async (t) => {
  // It says of a flag it does not know that it does not, and goes on without.
  const { stderr } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    PROGRAM,
  ])
  t.is(stderr, '')
})
