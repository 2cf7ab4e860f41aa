import test from 'ava'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { copyMigrated } from '../helpers/migrated-folder.ts'
import { Receiver } from '../helpers/receiver.ts'
import { call, Program } from '../helpers/service.ts'

test('an address that may not be reached any more is refused at the connection, not only when the webhook is made', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cms-test-'))
  await copyMigrated(dataDir)
  const receiver = await Receiver.open()
  const key = generateApiKey()
  const env = {
    PORT: '0',
    MEDIA_PORT: '0',
    MEDIA_CONTROL_PORT: '0',
    SANDBOX_PORT: '0',
    SANDBOX: 'on',
    DATA_DIR: dataDir,
    BOOTSTRAP_TENANT_KEY: key,
    LOG_LEVEL: 'debug',
  }
  let gateway = new Program('src/main.ts', env)
  t.teardown(async () => {
    await gateway.kill('SIGTERM')
    await receiver.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const base = async (): Promise<string> => `http://127.0.0.1:${(await gateway.listening)['port']}`
  const created = await call('POST', `${await base()}/v1/numbers`, {
    key,
    body: { name: 'Egress', number: '5511900000001' },
  })
  const made = await call('POST', `${await base()}/v1/webhooks`, {
    key,
    body: { url: receiver.endpoint('/hook'), events: ['*'], channelNumberId: created.body.id },
  })
  t.is(made.status, 201)
  const path = `/v1/webhooks/${made.body.id}/test`
  t.like((await call('POST', (await base()) + path, { key })).body, { status: 'SUCCESS', statusCode: 204 })
  const before = receiver.arrivals.length

  await gateway.kill('SIGTERM')
  gateway = new Program('src/main.ts', { ...env, EGRESS_ALLOW: '198.51.100.0/24' })
  const refused = await call('POST', (await base()) + path, { key })
  t.is(refused.status, 200)
  t.like(refused.body, { status: 'FAILED', statusCode: 0 })
  t.regex(refused.body.response, /not.*public/)
  t.is(receiver.arrivals.length, before, 'nothing was sent')
})
