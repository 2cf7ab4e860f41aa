/** The collections of Postman and Bruno, each in an empty folder and run by its own program against a service. */
import { execFile } from 'node:child_process'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { installHost } from '../helpers/host-packages.ts'
import { joinService } from '../helpers/shared-service.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { within } from '../helpers/until.ts'

const run = promisify(execFile)
const CLIENTS = fileURLToPath(new URL('../../clients', import.meta.url))
const HOST = fileURLToPath(new URL('../collections-host', import.meta.url))
const POSTMAN = join(HOST, 'node_modules/newman/bin/newman.js')
const BRUNO = join(HOST, 'node_modules/@usebruno/cli/bin/bru.js')

/** A request that was sent, by its name, and the answer to it. */
interface Answered {
  readonly name: string
  readonly status: number
  readonly code: string | undefined
}

/** The folder of requests that replace keys: with a replaced key, all that come behind are refused. */
const OF_KEYS = { postman: 'API keys', bruno: 'API_keys' }

test.before(() => installHost(HOST, 'newman', 'the programs of both collections are'))

/** Runs a program in a folder, and reads the report that it writes there. Rejects when a request was not answered. */
async function report(folder: string, program: string, args: readonly string[]): Promise<any> {
  const env = { PATH: process.env['PATH'] ?? '' }
  await within('all requests are sent', run(process.execPath, [program, ...args], { cwd: folder, env }))
  return JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
}

const variables = (base: string, key: string): string[] => [
  '--env-var',
  `baseUrl=${base}`,
  '--env-var',
  `apiKey=${key}`,
]

async function runPostman(folder: string, base: string, key: string): Promise<Answered[]> {
  const path = join(folder, 'collection.json')
  const { item, ...collection } = JSON.parse(await readFile(path, 'utf8'))
  const kept = item.filter(({ name }: { name: string }) => name !== OF_KEYS.postman)
  await writeFile(path, JSON.stringify({ ...collection, item: kept }))
  const told = ['--reporters', 'json', '--reporter-json-export', 'report.json']
  const { run: ran } = await report(folder, POSTMAN, ['run', 'collection.json', ...variables(base, key), ...told])
  return ran.executions.map(({ item: { name }, response: { code: status, stream } }: any): Answered => {
    const body = Buffer.from(stream.data).toString()
    return { name, status, code: body === '' ? undefined : JSON.parse(body).code }
  })
}

async function runBruno(folder: string, base: string, key: string): Promise<Answered[]> {
  await rm(join(folder, OF_KEYS.bruno), { recursive: true })
  const told = ['--reporter-json', 'report.json']
  const [{ results }] = await report(folder, BRUNO, ['run', '-r', ...variables(base, key), ...told])
  return results.map(({ test: { filename }, response: { status, data } }: any): Answered => {
    const [, name = ''] = /([^/]+)\.bru$/.exec(filename) ?? []
    return { name, status, code: data?.code }
  })
}

/**
 * True when the service knows the request: it did it, there is no such thing or already one, or the key or the kind of
 * number is not the one for it.
 */
function isTaken({ status, code = '' }: Answered): boolean {
  if (status === 404) return code !== 'ROUTE_NOT_FOUND'
  if (status === 400) return ['FEATURE_NOT_SUPPORTED', 'NUMBER_REQUIRED'].includes(code)
  return status < 300 || [403, 409, 422].includes(status)
}

for (const [collection, runAll] of [
  ['postman', runPostman],
  ['bruno', runBruno],
] as const) {
  // [clients.made.9]
  test(`every request of the collection of ${collection} is taken as it stands, with either key`, async (t) => {
    const service = await joinService()
    const number = await service.pairNumber()
    const statuses: Record<string, number>[] = []
    for (const key of [number.key, service.tenantKey]) {
      const folder = await temporaryDirectory()
      t.teardown(() => folder.remove())
      await cp(join(CLIENTS, collection), folder.path, { recursive: true })
      const answered = await runAll(folder.path, service.base, key)
      t.deepEqual(
        answered.filter((one) => !isTaken(one)),
        [],
      )
      statuses.push(Object.fromEntries(answered.map(({ name, status }) => [name, status])))
    }
    const [ofNumber, ofTenant] = statuses
    const wanted = { 'Send a message': 202, 'Place a call': 201, 'Create a webhook for a number': 201 }
    t.like(ofNumber, { ...wanted, 'Read a call': 404, 'List the numbers of the tenant, oldest first': 403 })
    t.like(ofTenant, { 'List the numbers of the tenant, oldest first': 200, 'Keep a text to answer with': 201 })
  })
}
