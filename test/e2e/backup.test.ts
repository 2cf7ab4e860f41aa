import { execFile } from 'node:child_process'
import { copyFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { newPeer } from '../helpers/message-service.ts'
import { Program, Service } from '../helpers/service.ts'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { until } from '../helpers/until.ts'

const run = promisify(execFile)

/** Without these the gateway makes its own secrets and keeps them in the data directory. */
const OWN_SECRETS = { ENCRYPTION_KEY: '', INTERNAL_SECRET: '' }

/** Runs `npm run backup` as an operator does. */
async function backUp(
  dataDir: string,
  to: string,
  env: Record<string, string> = {},
): Promise<{ files: number; bytes: number; to: string }> {
  const { stdout } = await run(process.execPath, [...NODE_ARGUMENTS, 'src/backup.ts', '--to', to, '--json'], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...env },
  })
  return JSON.parse(stdout)
}

/** Starts a gateway on a copy, while the gateway on the original runs. */
async function openCopy(t: ExecutionContext, dataDir: string): Promise<Service> {
  const program = new Program('src/main.ts', {
    PORT: '0',
    MEDIA_PORT: '0',
    MEDIA_CONTROL_PORT: '0',
    SANDBOX: 'off',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
  })
  t.teardown(() => program.kill())
  return Service.at({ dataDir, ports: await program.listening, tenantKey: service.tenantKey, place: 1 }, {})
}

// Only an embedded database is inside the folder.
const isEmbedded = !process.env['TEST_DATABASE_URL']
const story = isEmbedded ? test.serial : test.serial.skip

let service: Service
let folder: Awaited<ReturnType<typeof temporaryDirectory>>

test.before(async () => {
  folder = await temporaryDirectory()
  if (isEmbedded) service = await Service.start({ env: OWN_SECRETS })
})

test.after.always(async () => {
  await service?.stop()
  await folder?.remove()
})

story(
  'a running installation is backed up while messages are accepted: the copy starts beside it and has each that was accepted before',
  async (t) => {
    const number = await service.pairNumber()
    const accepted: string[] = []
    const over = new AbortController()
    const sending = (async () => {
      while (!over.signal.aborted) {
        const { status, body } = await service.api('POST', '/v1/messages/send', number.key, {
          destinationNumber: newPeer(),
          text: 'hello',
        })
        if (status === 202) accepted.push(body.id)
      }
    })()
    await until('messages are accepted', () => accepted.length > 20)
    const before = [...accepted]
    const to = join(folder.path, 'copies', 'first')
    const made = await backUp(service.dataDir, to)
    over.abort()
    await sending
    t.is(made.to, to)
    t.deepEqual(await readdir(join(folder.path, 'copies')), ['first'], 'nothing unfinished is left')
    t.is((await stat(to)).mode & 0o777, 0o700)
    t.is((await stat(join(to, 'encryption-key'))).mode & 0o777, 0o600)
    t.false((await readdir(to)).some((name) => name.startsWith('lock') || name.endsWith('.sock')))
    const error = (await t.throwsAsync(backUp(service.dataDir, to))) as Error & { stderr: string }
    t.regex(error.stderr, /is not empty: name a folder that is not there yet/)

    const copied = await openCopy(t, to)
    for (const id of before) {
      const { status } = await copied.api('GET', `/v1/messages/${id}`, number.key)
      t.is(status, 200, id)
    }
    t.is((await service.api('GET', '/v1/status', number.key)).status, 200, 'the installation itself goes on')
  },
)

story('an installation at rest is backed up too, and one on PostgreSQL is told where to read', async (t) => {
  const { dataDir } = service
  const empty = (await t.throwsAsync(backUp(join(folder.path, 'none'), join(folder.path, 'copy')))) as Error & {
    stderr: string
  }
  t.regex(empty.stderr, /holds no embedded database/)
  await service.gateway.kill('SIGKILL')
  const { files } = await backUp(dataDir, join(folder.path, 'copy'))
  t.true(files > 100)
  await run('cp', ['-a', dataDir, join(folder.path, 'copied')])
  const postgres = (await t.throwsAsync(
    backUp(dataDir, join(folder.path, 'other'), {
      DATABASE_URL: 'postgres://a:b@127.0.0.1/c',
      INTERNAL_SECRET: 'an internal secret',
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    }),
  )) as Error & { stderr: string }
  t.regex(postgres.stderr, /docs\/scale\.md/)
  const inside = (await t.throwsAsync(backUp(dataDir, join(dataDir, 'copy')))) as Error & { stderr: string }
  t.regex(inside.stderr, /is in the data directory itself/)
})

story(
  'a copied data directory opens beside the one it is of, with the lock files of the living gateway that came along',
  async (t) => {
    const copied = join(folder.path, 'copied')
    await service.startGateway()
    for (const lock of ['lock', 'database.lock']) await copyFile(join(service.dataDir, lock), join(copied, lock))
    await openCopy(t, copied)
    t.is((await service.api('GET', '/v1/numbers', service.tenantKey)).status, 200)
  },
)
