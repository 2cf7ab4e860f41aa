/** `npm run released`: keeps both documents as clients of this release know them. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keptText } from './kept.ts'

const ROOT = new URL('../../', import.meta.url)

for (const name of ['openapi', 'asyncapi']) {
  const program = fileURLToPath(new URL(`src/http/print-${name}.ts`, ROOT))
  const printed = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    maxBuffer: 64 * 2 ** 20,
    encoding: 'utf8',
  })
  writeFileSync(new URL(`clients/released/${name}.json`, ROOT), keptText(JSON.parse(printed)))
}
