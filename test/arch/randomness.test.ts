import test from 'ava'
import { readSourceFiles } from './source-files.ts'

/** The programs of the service; the sandbox plays chance itself. */
const PROGRAMS = /^(?:src|actors|media-host)\//

test('what the service draws comes from one source, which a simulation replaces', (t) => {
  const drawing = readSourceFiles().filter(({ path, text }) => PROGRAMS.test(path) && /\bMath\.random\b/.test(text))
  t.deepEqual(
    drawing.map(({ path }) => path),
    ['src/domain/randomness.ts'],
  )
})
