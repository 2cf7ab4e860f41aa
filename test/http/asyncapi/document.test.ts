import test from 'ava'
import { CLIENT_MESSAGES, SERVER_MESSAGES } from '../../../src/domain/realtime-messages.ts'
import { EVENT_NAMES } from '../../../src/domain/events.ts'
import { NATIVE_FIELDS } from '../../../src/domain/upstream-fields.ts'
import { describeEvents } from '../../../src/http/asyncapi/document.ts'
import { CLIENT_WORDS, SERVER_WORDS } from '../../../src/http/asyncapi/realtime-words.ts'
import { INBOX_EVENTS } from '../../../src/http/routes/inbox/stream-schema.ts'
import { serve } from '../../helpers/http-app.ts'
import { asDescribed } from '../../helpers/inbox-events.ts'
import { World } from '../../helpers/world.ts'

const document: any = describeEvents('https://gateway.test/below')

/** Names of the messages of a channel that begin so, without the beginning. */
function messagesOf(channel: string, beginning: string = ''): string[] {
  return Object.keys(document.channels[channel].messages)
    .filter((name) => name.startsWith(beginning))
    .map((name) => name.slice(beginning.length))
    .toSorted()
}

// [clients.described.1]
test('the document is AsyncAPI 3.0, version 1.0.0 of the interface, and every reference in it resolves', (t) => {
  t.is(document.asyncapi, '3.0.0')
  t.is(document.info.version, '1.0.0')
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '')
  t.true(references.length > 100)
  for (const path of references) {
    const found = path.split('/').reduce((node: any, name) => node?.[name], document)
    t.truthy(found, path)
  }
})

// [clients.described.2]
test('every event and every field that is passed on is a message to webhooks, with its headers and an example', (t) => {
  t.deepEqual(messagesOf('webhooks'), [...EVENT_NAMES, ...NATIVE_FIELDS].toSorted())
  for (const name of messagesOf('webhooks')) {
    const { headers, payload, examples } = document.components.messages[name]
    t.deepEqual(Object.keys(examples[0].headers), Object.keys(headers.properties), name)
    t.deepEqual(
      headers.required,
      Object.keys(headers.properties).filter((header) => header !== 'traceparent'),
      name,
    )
    t.is(examples[0].headers['x-channel-event'], name)
    t.deepEqual(Object.keys(examples[0].payload), Object.keys(payload.properties), name)
  }
})

// [clients.described.3]
test('every message of the realtime protocol is described for its side, with an example that fits it', (t) => {
  t.deepEqual(messagesOf('realtime', 'server.'), ['audio', ...Object.keys(SERVER_MESSAGES)].toSorted())
  t.deepEqual(messagesOf('realtime', 'client.'), ['audio', ...Object.keys(CLIENT_MESSAGES)].toSorted())
  for (const [name, schema] of Object.entries(SERVER_MESSAGES)) {
    const { t: told, ...example } = SERVER_WORDS[name as keyof typeof SERVER_WORDS].example
    t.is(typeof told, 'number', name)
    t.deepEqual(schema.parse(example) as object, example, name)
    t.true(document.components.messages[`server.${name}`].payload.required.includes('t'), name)
  }
  for (const [name, schema] of Object.entries(CLIENT_MESSAGES)) {
    const { example } = CLIENT_WORDS[name as keyof typeof CLIENT_WORDS]
    t.deepEqual(schema.parse(example) as object, example, name)
  }
})

// [clients.described.4]
test('every event of an inbox is described, with an example that fits it', (t) => {
  t.deepEqual(messagesOf('inbox', 'inbox.'), Object.keys(INBOX_EVENTS).toSorted())
  for (const event of Object.keys(INBOX_EVENTS)) {
    const [{ payload, headers }] = document.components.messages[`inbox.${event}`].examples
    t.is(headers.event, event)
    t.is(asDescribed({ id: null, event, data: payload }), null)
  }
})

test('each message is of one operation, which names the side that sends it', (t) => {
  const actions = Object.entries<any>(document.operations).map(([name, { action }]) => [name, action])
  t.deepEqual(actions, [
    ['deliverEvent', 'send'],
    ['tellClient', 'send'],
    ['hearClient', 'receive'],
    ['streamInbox', 'send'],
  ])
  const listed = Object.values<any>(document.operations).flatMap(({ messages }) =>
    messages.map(({ $ref }: any) => $ref),
  )
  const all = Object.keys(document.channels).flatMap((channel) =>
    messagesOf(channel).map((name) => `#/channels/${channel}/messages/${name}`),
  )
  t.deepEqual(listed.toSorted(), all.toSorted())
})

test('no object says that it has no further fields, so that later ones break no reader', (t) => {
  t.false(JSON.stringify(document).includes('"additionalProperties":false'))
})

test('the gateway serves it under its own address, and it may be kept', async (t) => {
  const client = await serve(t, new World(), { baseUrl: 'https://gateway.test/below' })
  const { status, body, headers, text } = await client.send('GET', '/asyncapi.json')
  t.is(status, 200)
  t.deepEqual(body, JSON.parse(JSON.stringify(document)))
  t.like(body.servers.gateway, { host: 'gateway.test', protocol: 'https', pathname: '/below' })
  t.is(headers.get('cache-control'), 'no-cache')
  t.true(Number(headers.get('content-length')) < text.length / 8)
})
