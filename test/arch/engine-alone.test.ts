import test from 'ava'
import { readSourceFiles, type SourceFile } from './source-files.ts'

const ENGINE = readSourceFiles(['engines/baileys']).filter(
  ({ path }) => !/^engines\/baileys\/(test|bench)\//.test(path),
)

function takers(target: string): SourceFile[] {
  return ENGINE.filter(({ imports }) => imports.some((one) => one.target === target))
}

test('an engine alone loads no client of Redis: what registers is loaded where it is needed', (t) => {
  t.deepEqual(
    takers('src/register/redis.ts').map(({ path }) => path),
    ['engines/baileys/fleet/registering.ts'],
  )
  const loaders = takers('engines/baileys/fleet/registering.ts')
  t.is(loaders.length, 1)
  t.true(loaders.every(({ text }) => !text.includes("from './registering.ts'")))
})
