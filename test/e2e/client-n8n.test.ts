/** The nodes of n8n, built and loaded as a package is, against a service with its sandbox. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import { sign } from '../../src/webhooks/sign.ts'
import { newId } from '../../src/domain/ids.ts'
import { makeSecret } from '../../src/domain/webhook-secret.ts'
import { newPeer, write } from '../helpers/message-service.ts'
import { buildPackage, installLibrary, loadPackage, n8n, NodeRun, type LoadedPackage } from '../helpers/n8n-host.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { until } from '../helpers/until.ts'

const EXAMPLE = JSON.parse(
  readFileSync(new URL('../../clients/n8n/example/answer-messages.json', import.meta.url), 'utf8'),
)
const SEND = { resource: 'message', operation: 'sendText' }
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let said: string
let loaded: LoadedPackage
let service: Service
let number: PairedNumber

test.before(async () => {
  await installLibrary()
  directory = await temporaryDirectory()
  said = await buildPackage(directory.path)
  loaded = loadPackage(directory.path)
  service = await joinService()
  number = await service.pairNumber()
})

test.after.always(async () => await directory?.remove())

const credentials = (apiKey = number.key) => ({ baseUrl: service.base, apiKey })
const channel = (parameters: object, key = number.key) =>
  new NodeRun(loaded, { type: 'n8n-nodes-channel.channel', parameters }, credentials(key))
const trigger = (events: readonly string[], key = number.key) =>
  new NodeRun(loaded, { type: 'n8n-nodes-channel.channelTrigger', parameters: { events } }, credentials(key))

/** A server that hands what it is sent to the webhook of a trigger. */
async function reached(run: NodeRun) {
  const started: any[] = []
  const statuses: number[] = []
  const server = createServer((request, response) => {
    response.on('finish', () => statuses.push(response.statusCode))
    run.receive(request, response).then(
      (items) => void (items && started.push(...items)),
      () => response.writeHead(500).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook/1/webhook`
  return { url, started, statuses, close: () => void server.close() }
}

// [clients.made.5]
test('the package is what the library of n8n has types for, and its icons are where its nodes say', (t) => {
  t.is(said, '')
  t.deepEqual(Object.keys(loaded.nodes), ['n8n-nodes-channel.channel', 'n8n-nodes-channel.channelTrigger'])
  for (const [one, folder] of loaded.folders)
    for (const icon of Object.values<string>((one.description ?? one).icon))
      t.true(existsSync(join(folder, icon.replace('file:', ''))), icon)
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(directory.path, 'package.json'), 'utf8'))
  t.is(dependencies, undefined)
  t.deepEqual(peerDependencies, { 'n8n-workflow': '*' })
})

test('the credentials are tried by a route that any key opens, and a wrong key is told', async (t) => {
  const tried = async (key: string) =>
    await new NodeRun(loaded, channel({}).node, credentials(key)).testCredentials('channelApi')
  t.is(await tried(number.key), 200)
  t.is(await tried(service.tenantKey), 200)
  t.is(await tried('cms_wrong'), 401)
})

// [clients.made.5]
test('a text, a file of the item, a place and a template are sent, and found again', async (t) => {
  const destinationNumber = newPeer()
  const [text] = await channel({
    ...SEND,
    destinationNumber,
    text: '={{ $json.greeting }}',
    additionalFields: { correlationId: 'order-1', idempotencyKey: 'order-1' },
  }).execute([{ json: { greeting: 'Good morning' } }])
  t.regex(text.json.id, /^msg_/)
  t.deepEqual(text.pairedItem, { item: 0 })
  const file = { json: {}, binary: { data: { mimeType: 'image/png', bytes: Buffer.from(PNG, 'base64') } } }
  const media = { resource: 'message', operation: 'sendMedia', destinationNumber, mediaType: 'image' }
  const [image] = await channel({ ...media, binaryPropertyName: 'data' }).execute([file])
  const location = '{"latitude": -23.5, "longitude": -46.6}'
  await channel({ resource: 'message', operation: 'sendLocation', destinationNumber, location }).execute()
  const name = `greeting_${number.digits}`
  const template = {
    name,
    language: 'en',
    category: 'UTILITY',
    body: { body: { text: 'Hello {{name}}.' } },
    examples: { name: 'Ana' },
  }
  const made = await service.api('POST', '/v1/templates', number.key, template)
  t.is(made.status, 201, made.text)
  const additionalFields = { variables: '{"name": "Ana"}' }
  const sent = { resource: 'message', operation: 'sendTemplate', destinationNumber, templateId: name, additionalFields }
  await channel(sent).execute()

  const get = channel({ resource: 'message', operation: 'get', id: 'order-1' })
  t.is((await get.execute())[0].json.id, text.json.id)
  const getAll = channel({
    resource: 'message',
    operation: 'getAll',
    additionalFields: { direction: 'OUTBOUND', peer: destinationNumber },
  })
  const found = await until('all four are sent', async () => {
    const items = await getAll.execute()
    return items.length === 4 ? items.map(({ json }) => json) : null
  })
  t.true(found.some(({ id }) => id === image.json.id))
  t.true(JSON.stringify(found).includes('Hello Ana.'))
})

// [clients.made.5]
test('a call is placed, read, listed and ended', async (t) => {
  const to = newPeer()
  const [placed] = await channel({ resource: 'call', operation: 'create', to }).execute()
  const callId = placed.json.id
  t.regex(callId, /^call_/)
  const [read] = await channel({ resource: 'call', operation: 'get', callId }).execute()
  t.is(read.json.id, callId)
  const listed = await channel({ resource: 'call', operation: 'getAll', additionalFields: { limit: 100 } }).execute()
  t.true(listed.some(({ json }) => json.id === callId))
  await channel({ resource: 'call', operation: 'terminate', callId }).execute()
  await until('it is over', async () => {
    const [{ json }] = await channel({ resource: 'call', operation: 'get', callId }).execute()
    return json.endedAt !== null
  })
})

test('a refusal has the words and the code of the service, and a workflow may go on', async (t) => {
  const wrong = channel({ resource: 'call', operation: 'get', callId: 'call_none' })
  const error: any = await t.throwsAsync(wrong.execute(), { instanceOf: n8n().NodeApiError })
  t.is(error.httpCode, '404')
  t.regex(error.description, /\(CALL_NOT_FOUND\)$/)
  t.is(error.context.itemIndex, 0)
  const [{ json }] = await wrong.execute(undefined, true)
  t.is(json.error, error.description)
  t.is(json.status, '404')
  const noJson = channel({
    resource: 'message',
    operation: 'sendLocation',
    destinationNumber: newPeer(),
    location: '{',
  })
  await t.throwsAsync(noJson.execute(), { instanceOf: n8n().NodeOperationError, message: 'location is no JSON' })
})

// [clients.made.5]
test('a trigger registers a webhook, starts with what it verified, refuses what is forged, and leaves none', async (t) => {
  // No other test writes to it.
  const own = await service.pairNumber()
  const run = trigger(['message.received'], own.key)
  const server = await reached(run)
  t.teardown(server.close)
  t.false(await run.hook('checkExists', server.url))
  t.true(await run.hook('create', server.url))
  t.true(await run.hook('checkExists', server.url))
  t.false(await run.hook('checkExists', `${server.url}/elsewhere`))
  const secret = String(run.kept['secret'])

  await write(service, newPeer(), own, { text: 'hello' })
  const { json } = await until('the workflow is started', () => server.started[0])
  t.is(json.event, 'message.received')
  t.is(json.data.content, 'hello')

  const id = newId('evt')
  const body = Buffer.from(JSON.stringify({ id, event: 'message.received', data: {} }))
  const post = async (secrets: readonly string[], timestamp: number, sent: Buffer = body): Promise<number> => {
    const signature = sign(secrets, { id, timestamp, body })
    const headers = { 'webhook-id': id, 'webhook-timestamp': `${timestamp}`, 'webhook-signature': signature }
    return (await fetch(server.url, { method: 'POST', headers, body: Uint8Array.from(sent) })).status
  }
  const now = Math.floor(Date.now() / 1_000)
  t.is(await post([makeSecret()], now), 401)
  t.is(await post([secret], now - 400), 401)
  t.is(await post([secret], now, Buffer.concat([body, Buffer.from(' ')])), 401)
  t.is((await fetch(server.url, { method: 'POST', body: '{}' })).status, 401)
  t.is(server.started.length, 1)
  t.is(await post([makeSecret(), secret], now), 200)

  t.true(await run.hook('delete', server.url))
  t.deepEqual(run.kept, {})
  const left = await service.api('GET', '/v1/webhooks', own.key)
  t.deepEqual(left.body, [])
  t.is(await post([secret], now), 401)
})

test('a webhook that somebody removed is made anew, and one that is gone is no fault', async (t) => {
  const run = trigger(['call.ended'])
  const url = 'http://127.0.0.1:9/webhook'
  await run.hook('create', url)
  const first = run.kept['webhookId']
  await service.api('DELETE', `/v1/webhooks/${first}`, number.key)
  t.false(await run.hook('checkExists', url))
  await run.hook('create', url)
  t.not(run.kept['webhookId'], first)
  await service.api('DELETE', `/v1/webhooks/${run.kept['webhookId']}`, number.key)
  t.true(await run.hook('delete', url))
})

// [clients.made.5]
test('the example has nodes and parameters that exist, and answers a message and calls back', async (t) => {
  for (const node of EXAMPLE.nodes) {
    const { description } = loaded.nodes[node.type]
    const named = (given: object, properties: readonly any[], at: string): void => {
      const names = properties.map(({ name }) => name)
      t.deepEqual(
        Object.keys(given).filter((name) => !names.includes(name)),
        [],
        at,
      )
    }
    named(node.parameters, description.properties, node.name)
    const added = description.properties.find(
      ({ name, displayOptions }: any) =>
        name === 'additionalFields' && displayOptions.show.operation[0] === node.parameters.operation,
    )
    named(node.parameters.additionalFields ?? {}, added?.options ?? [], node.name)
    t.is(n8n().NodeHelpers.getNodeParametersIssues(description.properties, node, description), null)
  }
  const names = EXAMPLE.nodes.map(({ name }: { name: string }) => name)
  const [[source, { main }]] = Object.entries<any>(EXAMPLE.connections) as [[string, any]]
  for (const name of [source, ...main[0].map(({ node }: { node: string }) => node)]) t.true(names.includes(name))

  const runs = EXAMPLE.nodes.map((node: object) => new NodeRun(loaded, node, credentials()))
  const server = await reached(runs[0])
  t.teardown(server.close)
  await runs[0].hook('create', server.url)
  const peer = newPeer()
  await write(service, peer, number, { text: 'hello' })
  const item = await until('it is told of the message', () =>
    server.started.find(({ json }) => json.data.from.endsWith(peer)),
  )
  const [[answered], [called]] = [await runs[1].execute([item]), await runs[2].execute([item])]
  const message = await service.api('GET', `/v1/messages/${answered.json.id}`, number.key)
  t.is(message.status, 200)
  t.regex(called.json.id, /^call_/)
  await service.endCall(number, called.json.id)
  await runs[0].hook('delete', server.url)
})
