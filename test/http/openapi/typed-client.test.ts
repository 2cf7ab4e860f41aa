import test from 'ava'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from '../../helpers/http-app.ts'
import { World } from '../../helpers/world.ts'

const run = promisify(execFile)
const FLOW = fileURLToPath(new URL('../../typed-client/flow.ts', import.meta.url))
/** Resolves modules like a program in the folder of FLOW. */
const beside = createRequire(FLOW)

function packageFolder(name: string, from: NodeJS.Require): string {
  return dirname(from.resolve(`${name}/package.json`))
}

test('a client generated from the document compiles a flow: call, message, history, webhook, number, Flow with its answers, Page with its leads', async (t) => {
  const client = await serve(t, new World())
  const folder = await mkdtemp(join(tmpdir(), 'typed-client-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'openapi.json'), (await client.send('GET', '/openapi.json')).text)
  await copyFile(FLOW, join(folder, 'flow.ts'))
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        lib: ['es2022', 'dom'],
        module: 'preserve',
        moduleResolution: 'bundler',
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        types: [],
        paths: { 'openapi-fetch': [packageFolder('openapi-fetch', beside)] },
      },
      files: ['flow.ts'],
    }),
  )
  await run(
    process.execPath,
    [join(packageFolder('openapi-typescript', beside), 'bin/cli.js'), 'openapi.json', '-o', 'api.ts'],
    { cwd: folder },
  )
  t.regex(await readFile(join(folder, 'api.ts'), 'utf8'), /placeCall: \{/)
  const compiler = join(packageFolder('typescript', createRequire(import.meta.url)), 'bin/tsc')
  const compiled = await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => error)
  t.is(compiled.stdout, '')
})
