/** Loaded into every test file's process: tells `test/run.ts` how long the file took. */
import test from 'ava'
import { appendFileSync } from 'node:fs'

const times = process.env['TEST_TIMES']
const startedAt = performance.now()
if (times) {
  process.once('exit', () => {
    appendFileSync(times, `${JSON.stringify({ file: test.meta.file, seconds: (performance.now() - startedAt) / 1000 })}\n`)
  })
}
