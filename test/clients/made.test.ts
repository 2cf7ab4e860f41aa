import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { readDocuments } from '../../tools/clients/documents.ts'
import { methodName, methodsOf } from '../../tools/clients/keyed.ts'
import { headOf, MADE_FROM, madeFromText } from '../../tools/clients/made-from.ts'
import { eventsN8n, operationsN8n } from '../../tools/clients/n8n.ts'
import { resourcesPython } from '../../tools/clients/python.ts'
import { resourcesText } from '../../tools/clients/typescript.ts'

const CLIENTS = new URL('../../clients/', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, CLIENTS), 'utf8')
const documents = readDocuments()

// [clients.made.1]
test('what is committed was made of the documents as they are: else run `npm run clients`', (t) => {
  t.is(read(MADE_FROM), madeFromText(documents.hash))
  t.is(read('typescript/src/resources.gen.ts'), resourcesText(documents.openapi, headOf('//')))
  t.is(read('python/channel_client/resources.py'), resourcesPython(documents.openapi, headOf('#')))
  t.is(read('n8n/nodes/Channel/operations.gen.ts'), operationsN8n(documents.openapi, headOf('//')))
  t.is(read('n8n/nodes/ChannelTrigger/events.gen.ts'), eventsN8n(documents.openapi, headOf('//')))
})

// [clients.made.8]
test('by hand are written sending, errors, verification and the realtime session alone', (t) => {
  const written = readdirSync(new URL('typescript/src', CLIENTS)).filter((name) => !name.endsWith('.gen.ts'))
  t.deepEqual(written.toSorted(), [
    'client.ts',
    'error.ts',
    'index.ts',
    'realtime.ts',
    'request.ts',
    'socket-browser.ts',
    'socket-node.ts',
    'webhook.ts',
  ])
  t.deepEqual(Object.keys(JSON.parse(read('typescript/package.json')).dependencies), ['ws'])
})

test('every operation that a key opens is one method, under a name that no other has', (t) => {
  const methods = methodsOf(documents.openapi)
  const names = methods.map(({ resource, name }) => `${resource}.${name}`)
  t.is(new Set(names).size, names.length)
  for (const name of ['calls.create', 'messages.send', 'webhooks.rotateSecret', 'cannedReplies.list'])
    t.true(names.includes(name), name)
  t.false(names.some((name) => name.startsWith('docs') || name.startsWith('remotePairing')))
  for (const { name } of methods) t.regex(name, /^[a-z][A-Za-z]+$/)
})

test('a method is named by its operation without the noun of its resource', (t) => {
  const named = [
    ['getCallSettings', 'calls', 'getSettings'],
    ['listCannedReplies', 'cannedReplies', 'list'],
    ['getStatus', 'status', 'get'],
    ['createOfficialNumber', 'numbers', 'createOfficial'],
    ['placeCall', 'calls', 'create'],
  ] as const
  for (const [operation, resource, name] of named) t.is(methodName(operation, resource), name)
})
