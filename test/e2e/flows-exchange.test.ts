import { execFile, spawn } from 'node:child_process'
import { createPublicKey, randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import test from 'ava'
import { askedFlowDesk } from '../../src/gateway/flow-desk.ts'
import { freePort } from '../helpers/free-port.ts'
import { flowOf, FLOW_JSON } from '../helpers/flow-service.ts'
import { askSignature, phoneAsk, tampered } from '../helpers/flow-phone.ts'
import type { OfficialNumber } from '../helpers/official-service.ts'
import { Receiver, verified } from '../helpers/receiver.ts'
import type { AnswerArrival } from '../helpers/receiver.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { connectTemplates, failTemplates, taken } from '../helpers/template-service.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

const PEER = '5511999990006'
const SCREENS = ['START', 'CITY', 'DONE']

let service: Service
let receiver: Receiver

test.before(async () => {
  service = await joinService()
  receiver = await Receiver.open()
})
test.after.always(() => receiver?.close())

interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

async function run(...args: string[]): Promise<Ran> {
  const env = { ...process.env, DATABASE_URL: undefined, DATA_DIR: service.dataDir, NODE_NO_WARNINGS: '1' }
  return await promisify(execFile)(process.execPath, ['src/flows.ts', ...args], { env, timeout: PATIENCE_MS }).then(
    (ran) => ({ ...ran, code: 0 }),
    ({ stdout, stderr, code }: Ran) => ({ stdout, stderr, code }),
  )
}

/** Asks the running gateway directly for what the command would ask, because starting a program takes seconds. */
async function atDesk<T>(work: (desk: ReturnType<typeof askedFlowDesk>) => Promise<T | null>): Promise<T> {
  const done = await work(askedFlowDesk(service.dataDir))
  if (done === null) throw new Error('no gateway answers')
  return done
}

/** Answers with the next screen, or with the previous one when the user goes back. */
const nextScreen: AnswerArrival = (arrival, response) => {
  const { action, screen, data } = JSON.parse(arrival.body.toString())
  const at = action === 'INIT' ? 0 : SCREENS.indexOf(screen) + (action === 'BACK' ? -1 : 1)
  const body =
    data?.error === undefined
      ? { screen: SCREENS[at], data: { said: data?.city ?? null } }
      : { data: { acknowledged: true } }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** A draft whose endpoint is the receiver, and a message with it that has reached the peer. */
async function story(name: string, answer: AnswerArrival = nextScreen) {
  const number = await connectTemplates(service)
  const key = await atDesk((desk) => desk.createKey(number.id))
  const flow = await flowOf(service, number, name, false)
  const path = `/${name.replaceAll(' ', '-')}`
  const endpoint = await atDesk((desk) => desk.setEndpoint(flow.id, receiver.endpoint(path, answer)))
  const ask = (action: string, more: object = {}) =>
    service.control('POST', `/peers/${PEER}/flows/exchange`, { to: number.digits, action, ...more })
  return { number, key, flow, path, endpoint, ask }
}

async function send(number: OfficialNumber, flowId: string): Promise<void> {
  taken(await service.control('POST', `/peers/${PEER}/messages`, { to: number.digits, type: 'text', text: 'hi' }), 201)
  const flow = { flowId, text: 'Tell us', cta: 'Begin', action: 'data_exchange' }
  await until(
    'the Flow is taken',
    async () =>
      (await service.api('POST', '/v1/messages/send', number.key, { destinationNumber: PEER, flow })).status === 202,
  )
  await until('it reached the peer', async () => {
    const { messages } = (await service.control('GET', `/peers/${PEER}/inbox`)).body
    return messages.some((one: any) => one.from === number.digits && one.type === 'interactive')
  })
}

test("a phone is led through a Flow by the tenant's endpoint, encrypted on one side and signed on the other", async (t) => {
  const { number, flow, path, endpoint, ask } = await story('round trip')
  await send(number, flow.id)
  const steps = [
    ['INIT', {}, { screen: 'START', data: { said: null } }],
    [
      'data_exchange',
      { screen: 'START', data: { city: 'São Paulo 🌆' } },
      { screen: 'CITY', data: { said: 'São Paulo 🌆' } },
    ],
    ['BACK', { screen: 'CITY' }, { screen: 'START', data: { said: null } }],
    [
      'data_exchange',
      { screen: 'START', data: { error: 'INVALID_SCREEN_TRANSITION', error_message: 'no' } },
      { data: { acknowledged: true } },
    ],
  ] as const
  for (const [action, more, answered] of steps) {
    t.deepEqual((await ask(action, more)).body, { status: 200, body: answered }, action)
    const [last] = receiver.at(path).slice(-1)
    const { flow_token: token, ...told } = last && verified(last, endpoint.secret)
    t.regex(token, /^ft_[\w-]{43}$/)
    t.deepEqual(told, { version: '3.0', action, ...more, flowId: flow.id })
  }
  t.deepEqual((await ask('ping')).body, { status: 200, body: { data: { status: 'active' } } })
  t.is(receiver.at(path).length, steps.length, 'a ping is not passed on')
})

// [flows.data-exchange.2] [flows.data-exchange.3] [flows.data-exchange.5]
test('upstream is given the public half for each number of the account, those that come later too, and the address of the Flow; a document that asks it can be published', async (t) => {
  const { number, key, flow, endpoint } = await story('published')
  const phoneId = String(randomInt(1e12, 9e12))
  await failTemplates(service, 'encryption.set', phoneId, { status: 500 })
  const neighbour = await connectTemplates(service, { appId: number.appId, accountId: number.accountId, phoneId })
  const later = await connectTemplates(service, { appId: number.appId, accountId: number.accountId })
  t.is(createPublicKey(key.publicKey).asymmetricKeyDetails?.modulusLength, 2_048)
  t.deepEqual(
    { ...key, publicKey: '' },
    { accountId: number.accountId, publicKey: '', numbers: [{ numberId: number.id, status: 'UPLOADED' }] },
  )
  t.regex(endpoint.endpointUri, new RegExp(`^http://localhost:\\d+/flows/exchange/${flow.id}$`))
  t.regex(endpoint.secret, /^whsec_/)
  const held = (await service.control('GET', `/official/flows?accountId=${number.accountId}`)).body.flows
  t.deepEqual(
    held.map(({ id, endpointUri }: any) => [id, endpointUri]),
    [[flow.officialFlowId, endpoint.endpointUri]],
  )
  const shown = await run('key', 'show', '--number', neighbour.id, '--json')
  t.deepEqual(JSON.parse(shown.stdout), {
    ...key,
    numbers: [
      [number, 'UPLOADED'],
      [neighbour, 'MISSING'],
      [later, 'UPLOADED'],
    ].map(([{ id }, status]: any) => ({ numberId: id, status })),
  })
  t.is(shown.code, 1, 'a number lacks it')
  const rotated = await atDesk((desk) => desk.createKey(neighbour.id))
  t.not(rotated.publicKey, key.publicKey)
  t.deepEqual(
    rotated.numbers,
    [number, neighbour, later].map(({ id }) => ({ numberId: id, status: 'UPLOADED' })),
  )
  const document = { ...JSON.parse(FLOW_JSON), version: '6.0', data_api_version: '3.0', routing_model: { START: [] } }
  taken(await service.api('POST', `/v1/flows/${flow.id}/json`, number.key, { flowJson: JSON.stringify(document) }), 200)
  taken(await service.api('POST', `/v1/flows/${flow.id}/publish`, number.key, { confirm: true }), 200)
  const moved = await atDesk((desk) => desk.setEndpoint(flow.id, 'https://flows.example.com/x'))
  t.is(moved.endpointUri, endpoint.endpointUri, 'one that was published can be passed on elsewhere')
  t.not(moved.secret, endpoint.secret)
})

test('a wrong signature is 432, a tampered tag and a foreign key are 421, a key that was replaced reads on', async (t) => {
  const { number, key, flow, path, endpoint } = await story('refused')
  const post = async (body: object, secret = number.appSecret) => {
    const text = JSON.stringify(body)
    const response = await fetch(`${service.base}/flows/exchange/${flow.id}`, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': askSignature(secret, text) },
    })
    return { status: response.status, text: await response.text() }
  }
  const ask = phoneAsk(key.publicKey, { version: '3.0', action: 'INIT', flow_token: 'x' })
  t.is((await post(ask.body, 'wrong')).status, 432)
  t.is((await post({ ...ask.body, encrypted_flow_data: tampered(ask.body.encrypted_flow_data, -1) })).status, 421)
  const foreign = await story('foreign')
  t.is((await post(phoneAsk(foreign.key.publicKey, { action: 'INIT' }).body)).status, 421)
  t.is(receiver.at(path).length, 0)
  t.like(ask.read((await post(ask.body)).text), { screen: 'START' })
  await atDesk((desk) => desk.createKey(number.id))
  t.like(ask.read((await post(ask.body)).text), { screen: 'START' })
  t.deepEqual(await atDesk((desk) => desk.clearEndpoint(flow.id)), { flowId: flow.id, upstream: 'CLEARED' })
  t.is((await post(ask.body)).status, 502)
  const [held] = (await service.control('GET', `/official/flows?accountId=${number.accountId}`)).body.flows
  t.is(held.endpointUri, null, endpoint.endpointUri)
})

test('an endpoint that redirects to a private address, answers HTML or 10 MB is 502 to the phone, its 427 is told', async (t) => {
  const { number, flow, path, ask } = await story('useless')
  await send(number, flow.id)
  const useless: AnswerArrival[] = [
    (_arrival, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end('{}'),
    (_arrival, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
    (_arrival, response) => void response.end(`{"data":"${'x'.repeat(10_000_000)}"}`),
  ]
  for (const answer of useless) {
    receiver.endpoint(path, answer)
    t.is((await ask('INIT')).body.status, 502)
  }
  receiver.endpoint(path, (_arrival, response) => void response.writeHead(427).end('{"error_msg":"Too late"}'))
  t.deepEqual((await ask('INIT')).body, { status: 427, body: { error_msg: 'Too late' } })
})

test('npm run flows says what stands in the way, and shows private keys to nobody', async (t) => {
  const { number, flow } = await story('told')
  const faults: [string[], RegExp][] = [
    [['key', 'create'], /^usage:/],
    [['key', 'create', '--number', 'num_01kb0000000000000000000000'], /There is no number/],
    [['endpoint', 'set', '--flow', flow.id, '--url', 'http://10.0.0.1/'], /not a public one/],
  ]
  await Promise.all(
    faults.map(async ([args, wanted]) => {
      const { code, stderr, stdout } = await run(...args)
      t.deepEqual([code, stdout], [1, ''], args.join(' '))
      t.regex(stderr.replace(/^database:.*\n/, ''), wanted)
    }),
  )
  const said = await Promise.all([
    run('key', 'create', '--number', number.id),
    run('key', 'show', '--number', number.id),
    run('key', 'create', '--number', number.id, '--json'),
  ])
  t.true(said.every(({ stdout }) => stdout.includes('BEGIN PUBLIC KEY')))
  const requests = await service.control('GET', '/requests?op=')
  t.false(
    [...said.flatMap(({ stdout, stderr }) => [stdout, stderr]), requests.text].some((text) => /PRIVATE/.test(text)),
  )
})

test('the endpoint in the document, twenty lines of it, leads a phone through a Flow and refuses what is not signed', async (t) => {
  const page = await readFile(new URL('../../docs/flows.md', import.meta.url), 'utf8')
  const code = /```js\n([^]*?)\n```/.exec(page)?.[1] ?? ''
  const lines = code.split('\n').filter((line) => line !== '' && !line.startsWith('import'))
  t.true(lines.length > 5 && lines.length <= 20, `${lines.length} lines`)
  const { number, flow, ask } = await story('documented')
  const port = await freePort()
  const { secret } = await atDesk((desk) => desk.setEndpoint(flow.id, `http://127.0.0.1:${port}/`))
  const endpoint = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { SECRET: secret, PORT: String(port) },
    stdio: 'ignore',
  })
  t.teardown(() => endpoint.kill('SIGKILL'))
  await send(number, flow.id)
  const first = { screen: 'VISIT', data: { days: ['2026-01-12', '2026-01-13'] } }
  await until('the endpoint listens', async () => (await ask('INIT')).body.status === 200)
  t.deepEqual((await ask('BACK', { screen: 'VISIT' })).body.body, first)
  const { params } = (await ask('data_exchange', { screen: 'VISIT', data: { day: '2026-01-13' } })).body.body.data
    .extension_message_response
  t.is(params.day, '2026-01-13')
  t.regex(params.flow_token, /^ft_/)
  t.deepEqual((await ask('data_exchange', { data: { error: 'X', error_message: 'y' } })).body.body, {
    data: { acknowledged: true },
  })
  t.is((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"action":"INIT"}' })).status, 401)
})
