/** Loaded into every test file's process: tells `test/run.ts` that the file began, and how long it took. */
import test from 'ava'
import { appendFileSync } from 'node:fs'

const times = process.env['TEST_TIMES']
const startedAt = performance.now()

/** `seconds` is null while the file is not over. */
function tell(path: string, seconds: number | null): void {
  appendFileSync(path, `${JSON.stringify({ file: test.meta.file, seconds })}\n`)
}

if (times) {
  tell(times, null)
  process.once('exit', () => tell(times, (performance.now() - startedAt) / 1000))
}
