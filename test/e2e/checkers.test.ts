/**
 * What third-party programs report about the document of the API and about the tools. They are packages in a folder of
 * their own (test/checkers), which the test installs when they are missing.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import anyTest, { type TestFn } from 'ava'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { within } from '../helpers/until.ts'

const test = anyTest as TestFn<{ folder: string }>
const run = promisify(execFile)
const CHECKERS = fileURLToPath(new URL('../checkers/', import.meta.url))
const QUIET = ['--disable-warning=ExperimentalWarning']
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Examples are checked as media types. The rule that is off mistakes values for schemas when they have fields `type`
 * and `example`.
 */
const SPECTRAL = `extends: ["spectral:oas"]\nrules:\n  oas3-valid-schema-example: off\n  info-contact: off\n`
/** Of diagnostics: an error is 0, a warning 1, a hint is more. */
const WARNING = 1

const REDOCLY = 'extends: [recommended]\ntelemetry: off\n'

/** Runs a program of the checkers in the folder. Returns its output, whatever its exit status. */
async function checked(
  folder: string,
  program: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly said: string }> {
  const env = { ...process.env, HOME: folder, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const ran = run(process.execPath, [join(CHECKERS, 'node_modules', program), ...args], {
    cwd: folder,
    env,
    maxBuffer: 64 * 2 ** 20,
  })
  return await ran.then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), said: `${stdout}${stderr}` }),
  )
}

test.before(async (t) => {
  if (!existsSync(join(CHECKERS, 'node_modules/@asyncapi/parser')))
    await within(
      'the checkers are installed',
      run('npm', ['ci', '--prefix', CHECKERS, '--ignore-scripts', '--no-audit', '--no-fund'], {
        maxBuffer: 64 * 2 ** 20,
      }),
    )
  const folder = await mkdtemp(join(tmpdir(), 'checkers-'))
  t.context.folder = folder
  const { stdout } = await run(process.execPath, [...QUIET, 'src/http/print-openapi.ts'], {
    cwd: ROOT,
    maxBuffer: 64 * 2 ** 20,
  })
  await writeFile(join(folder, 'openapi.json'), stdout)
  await writeFile(join(folder, '.spectral.yaml'), SPECTRAL)
  await writeFile(join(folder, 'redocly.yaml'), REDOCLY)
  await symlink(join(CHECKERS, 'node_modules'), join(folder, 'node_modules'))
})

test.after.always((t) => rm(t.context.folder, { recursive: true, force: true }))

test('Spectral finds no error in the document of the API', async (t) => {
  const { code, said } = await checked(t.context.folder, '@stoplight/spectral-cli/dist/index.js', [
    'lint',
    'openapi.json',
    '--fail-severity',
    'error',
    '--display-only-failures',
  ])
  t.is(code, 0, said.slice(-4000))
})

test('Redocly finds no error in the document of the API', async (t) => {
  const { code, said } = await checked(t.context.folder, '@redocly/cli/bin/cli.js', ['lint', 'openapi.json'])
  t.is(code, 0, said.slice(-4000))
  t.false(said.includes('no-invalid-media-type-examples'), said.slice(-4000))
})

test('the parser of AsyncAPI finds no error in the document of events', async (t) => {
  const { stdout } = await run(process.execPath, [...QUIET, 'src/http/print-asyncapi.ts'], {
    cwd: ROOT,
    maxBuffer: 64 * 2 ** 20,
  })
  const { Parser } = createRequire(join(CHECKERS, 'package.json'))('@asyncapi/parser')
  const { document, diagnostics } = await new Parser().parse(stdout)
  t.deepEqual(
    diagnostics.filter(({ severity }: { severity: number }) => severity <= WARNING),
    [],
  )
  t.is(document.version(), '3.0.0')
  t.deepEqual(
    document
      .operations()
      .all()
      .map((operation: any) => operation.id())
      .toSorted(),
    ['deliverEvent', 'hearClient', 'streamInbox', 'tellClient'],
  )
})

test('clients that two more generators make compile', async (t) => {
  const { folder } = t.context
  const made = await Promise.all([
    checked(folder, 'orval/dist/bin/orval.js', [
      '--input',
      'openapi.json',
      '--output',
      'orval.ts',
      '--client',
      'fetch',
    ]),
    checked(folder, 'openapi-zod-client/bin.js', ['openapi.json', '-o', 'zod.ts']),
  ])
  for (const { code, said } of made) t.is(code, 0, said)
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
        skipLibCheck: true,
        types: [],
      },
      files: ['orval.ts', 'zod.ts'],
    }),
  )
  const { code, said } = await checked(folder, 'typescript/bin/tsc', ['-p', '.'])
  t.is(code, 0, said.slice(0, 4000))
})

test('the inspector of tools lists them, and finds no fault of their schemas in its strict mode', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const inspector = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'
  const { code, said } = await checked(t.context.folder, inspector, [
    '--cli',
    `${client.url}/mcp`,
    '--transport',
    'http',
    '--method',
    'tools/list',
    '--strict',
    // Its own 15 s are over on a busy machine.
    '--connect-timeout',
    '240000',
    '--header',
    `Authorization: Bearer ${world.numberKey.raw}`,
  ])
  t.is(code, 0, said.slice(-4000))
  t.regex(said, /"messages_send"/)
})
