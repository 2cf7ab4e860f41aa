/** The TypeScript client, packed and installed into an empty folder, against a service with its sandbox. */
import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { joinService } from '../helpers/shared-service.ts'
import type { Service } from '../helpers/service.ts'
import { TONE_PEER } from '../helpers/speaking-bot.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { within } from '../helpers/until.ts'

const run = promisify(execFile)
const CLIENT = fileURLToPath(new URL('../../clients/typescript', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  noEmit: true,
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
}

/** What no caller may write, as the types of the package know it. */
const WRONG = `
import { Client, type RealtimeEvent, type WebhookEvent } from '@channel/client'
const client = new Client({ baseUrl: '', apiKey: '' })
// @ts-expect-error a call needs somebody to call
void client.calls.create({})
// @ts-expect-error no such state
export const isOver = (await client.calls.get('call_1')).status === 'OVER'
// @ts-expect-error no such event
export const isEvent = (event: WebhookEvent) => event.event === 'call.begun'
// @ts-expect-error no such message
export const isMessage = (event: RealtimeEvent) => event.type === 'begun'
`

let service: Service

test.before(async () => {
  service = await joinService()
})

/** Packs the client as it would be published. Returns the path of the package. */
async function pack(folder: string): Promise<string> {
  const copy = join(folder, 'package')
  await cp(CLIENT, copy, { recursive: true, filter: (path) => !path.includes('node_modules') })
  await rm(join(copy, 'dist'), { recursive: true, force: true })
  await run(process.execPath, [COMPILER, '-p', CLIENT, '--outDir', join(copy, 'dist')], { cwd: ROOT })
  const { stdout } = await run('npm', ['pack', copy, '--json', '--pack-destination', folder], { cwd: folder })
  return join(folder, JSON.parse(stdout)[0].filename)
}

// [clients.made.2]
test('from an empty folder it sends, is told by a verified webhook, is refused with a code, calls and hears', async (t) => {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const packed = await pack(directory.path)
  const folder = join(directory.path, 'empty')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const install = ['install', packed, '--no-audit', '--no-fund', '--prefer-offline']
  await within('it is installed', run('npm', install, { cwd: folder }))
  await copyFile(join(CLIENT, 'example/example.ts'), join(folder, 'example.ts'))
  await writeFile(join(folder, 'wrong.ts'), WRONG)
  const config = { compilerOptions: OPTIONS, files: ['example.ts', 'wrong.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiled = await run(process.execPath, [COMPILER, '-p', folder]).catch((error: { stdout: string }) => error)
  t.is(compiled.stdout, '')

  const number = await service.pairNumber()
  const env = { PATH: process.env['PATH'] ?? '', BASE: service.base, KEY: number.key, TO: TONE_PEER }
  const { stdout } = await within(
    'the example ends',
    run(process.execPath, ['--disable-warning=ExperimentalWarning', 'example.ts'], { cwd: folder, env }),
  )
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const of = (what: string) => told.find((one) => one.what === what)
  const { id } = of('message')
  t.regex(id, /^msg_/)
  t.is(of('message').again, id)
  t.is(of('delivery').wrong, 'WebhookVerificationError')
  t.is(of('event').id, id)
  t.deepEqual(of('page').ids, [id])
  t.like(of('refusal'), { status: 404, code: 'CALL_NOT_FOUND', hasId: true })
  t.is(of('start').rate, 16_000)
  t.like(of('heard'), { isLoud: true })
  t.is(of('mark').name, 'greeted')
  t.is(of('end').code, 1000)
})
