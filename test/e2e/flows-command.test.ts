import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import test from 'ava'
import { flowOf } from '../helpers/flow-service.ts'
import { askSignature, phoneAsk } from '../helpers/flow-phone.ts'
import { Receiver } from '../helpers/receiver.ts'
import { Service } from '../helpers/service.ts'
import { connectTemplates } from '../helpers/template-service.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

// [flows.data-exchange.2] [flows.data-exchange.3] [flows.data-exchange.5]
test('npm run flows sets keys and endpoints without a gateway, on either database, and the gateway answers phones with them later; private keys and questions are in no output, row or request', async (t) => {
  const secrets = {
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    INTERNAL_SECRET: randomBytes(24).toString('hex'),
  }
  let databaseUrl: string | undefined
  const service = await Service.start({
    isSplit: true,
    env: { ...secrets, EGRESS_ALLOW: '127.0.0.1' },
    databaseWay: async (url) => (databaseUrl = url),
  })
  const receiver = await Receiver.open()
  t.teardown(() => Promise.all([service.stop(), receiver.close()]))
  const number = await connectTemplates(service)
  const flow = await flowOf(service, number, 'Asks', false)
  await service.gateway.kill('SIGTERM')

  const env = {
    ...secrets,
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    DATA_DIR: service.dataDir,
    NODE_NO_WARNINGS: '1',
    BASE_URL: 'https://api.example.com/',
    EGRESS_ALLOW: '127.0.0.1',
    OFFICIAL_API_URL: `http://127.0.0.1:${service.ports['sandboxPort']}/official/v24.0`,
  }
  const said: string[] = []
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['src/flows.ts', ...args, '--json'], {
      env,
      timeout: PATIENCE_MS,
    })
    said.push(stdout, stderr)
    t.regex(stderr, databaseUrl === undefined ? /^database: embedded, / : /^database: PostgreSQL /)
    return JSON.parse(stdout)
  }
  const key = await run('key', 'create', '--number', number.id)
  t.deepEqual(key.numbers, [{ numberId: number.id, status: 'UPLOADED' }])
  t.deepEqual(await run('key', 'show', '--number', number.id), key)
  const answer = '{"screen":"A","data":{"said":"private answer"}}'
  const endpoint = await run(
    'endpoint',
    'set',
    '--flow',
    flow.id,
    '--url',
    receiver.endpoint('/ask', (_arrival, response) => void response.end(answer)),
  )
  t.is(endpoint.endpointUri, `https://api.example.com/flows/exchange/${flow.id}`)

  await service.startGateway()
  const ask = phoneAsk(key.publicKey, { version: '3.0', action: 'INIT', data: { said: 'private question' } })
  const body = JSON.stringify(ask.body)
  const post = (signature: string) =>
    fetch(`${service.base}/flows/exchange/${flow.id}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    })
  const reply = await post(askSignature(number.appSecret, body))
  t.is(reply.status, 200)
  t.deepEqual(ask.read(await reply.text()), JSON.parse(answer))
  t.is((await post(askSignature('wrong', body))).status, 432)
  receiver.endpoint('/ask', (_arrival, response) => void response.writeHead(500).end(answer))
  t.is((await post(askSignature(number.appSecret, body))).status, 502)

  const requests = await service.control('GET', '/requests')
  await service.gateway.kill('SIGTERM')
  const rows = await service.rows(
    'select f::text as row from flows f union all select k::text from flow_keys k union all select m::text from messages m union all select e::text from events e',
  )
  const kept = [...said, ...service.gateway.output, requests.text, JSON.stringify(rows)].join('\n')
  t.true(rows.length > 0)
  for (const hidden of ['PRIVATE KEY', 'private answer', 'private question']) t.false(kept.includes(hidden), hidden)
  t.false([...service.gateway.output, JSON.stringify(rows)].join('\n').includes(endpoint.secret))
})
