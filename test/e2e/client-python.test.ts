/** The Python client in an empty folder, against a service with its sandbox. */
import { execFile } from 'node:child_process'
import { copyFile, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { makeSecret } from '../../src/domain/webhook-secret.ts'
import { sign } from '../../src/webhooks/sign.ts'
import { findPython } from '../helpers/python.ts'
import { joinService } from '../helpers/shared-service.ts'
import { TONE_PEER } from '../helpers/speaking-bot.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { within } from '../helpers/until.ts'

const run = promisify(execFile)
const CLIENT = fileURLToPath(new URL('../../clients/python', import.meta.url))

const PYTHON = findPython('its client')
const inPython = PYTHON === undefined ? test.skip : test

/** An empty folder with the client in it, as an installation would put it there. */
async function emptyFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const folder = await temporaryDirectory()
  await cp(join(CLIENT, 'channel_client'), join(folder.path, 'channel_client'), { recursive: true })
  return folder
}

// [clients.made.3]
inPython('in an empty folder it sends once, reads pages, is refused with a code, calls and hears', async (t) => {
  const service = await joinService()
  const number = await service.pairNumber()
  const folder = await emptyFolder()
  t.teardown(() => folder.remove())
  await copyFile(join(CLIENT, 'example/example.py'), join(folder.path, 'example.py'))
  const env = { PATH: process.env['PATH'] ?? '', BASE: service.base, KEY: number.key, TO: TONE_PEER }
  const { stdout } = await within('the example ends', run(PYTHON ?? '', ['example.py'], { cwd: folder.path, env }))
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const of = (what: string) => told.find((one) => one.what === what)
  const { id, again } = of('message')
  t.regex(id, /^msg_/)
  t.is(again, id)
  t.deepEqual(of('page').ids, [id])
  t.like(of('refusal'), { status: 404, code: 'CALL_NOT_FOUND', hasId: true })
  t.is(of('start').rate, 16_000)
  t.true(of('heard').isLoud)
  t.is(of('end').code, 1000)
})

/** Says the id of each delivery that is verified, and what else became of the others. */
const VERIFY = `
import json, sys
from channel_client import WebhookVerificationError, verify_webhook
for body, headers, secret, now in json.load(sys.stdin):
    try:
        print(verify_webhook(body.encode(), headers, secret, now)["id"])
    except WebhookVerificationError as error:
        print(error)
`

// [clients.made.3]
inPython('a delivery that the service signed is verified; another secret, time or body is not', async (t) => {
  const folder = await emptyFolder()
  t.teardown(() => folder.remove())
  const [secret, old] = [makeSecret(), makeSecret()]
  const id = newId('evt')
  const body = JSON.stringify({ id, text: 'bom dia, João' })
  const headers = (timestamp: number, secrets: readonly string[]) => ({
    'Webhook-Id': id,
    'Webhook-Timestamp': `${timestamp}`,
    'Webhook-Signature': sign(secrets, { id, timestamp, body: Buffer.from(body) }),
  })
  const now = 1_767_614_400
  const deliveries = [
    [body, headers(now, [old, secret]), secret, now],
    [body, headers(now - 300, [secret]), secret, now],
    [body, headers(now, [old]), secret, now],
    [body, headers(now - 301, [secret]), secret, now],
    [`${body} `, headers(now, [secret]), secret, now],
    [body, {}, secret, now],
  ]
  const ran = run(PYTHON ?? '', ['-c', VERIFY], { cwd: folder.path })
  ran.child.stdin?.end(JSON.stringify(deliveries))
  const { stdout } = await within('deliveries are verified', ran)
  t.deepEqual(stdout.trim().split('\n'), [
    id,
    id,
    'signed with another secret',
    'signed at another time',
    'signed with another secret',
    "no usable header: 'webhook-id'",
  ])
})
