import { readdirSync } from 'node:fs'
import test from 'ava'
import { readDocuments } from '../../tools/clients/documents.ts'
import { displayName, propertyOf } from '../../tools/clients/n8n-fields.ts'
import { OPERATIONS } from '../../tools/clients/n8n-operations.ts'
import { eventsN8n, operationsN8n } from '../../tools/clients/n8n.ts'

const { openapi } = readDocuments()
/** What stands behind a `=` of a made file, which is JSON up to the next declaration. */
const valueIn = (text: string, name: string): any =>
  JSON.parse(new RegExp(`export const ${name}: [^=]* = ([^]*?)\\n(?:\\nexport|$)`).exec(text)?.[1] ?? '')

// [clients.made.5]
test('every field of a send, with each of its modes, is in an operation of the node', (t) => {
  const { properties } = openapi.components.schemas['MessageSend'] as { properties: object }
  const sends = OPERATIONS.filter(({ operationId }) => operationId === 'sendMessage')
  const fields = new Set(sends.flatMap(({ shown, added }) => [...shown, ...added]))
  t.deepEqual([...fields].toSorted(), Object.keys(properties).toSorted())
})

// [clients.made.5]
test('the trigger offers each event that a webhook takes, with what it means', (t) => {
  const options = valueIn(eventsN8n(openapi, ''), 'events') as { name: string; value: string; description: string }[]
  const values = options.map(({ value }) => value)
  t.deepEqual(values.toSorted(), ['*', ...Object.keys(openapi.webhooks)].toSorted())
  t.is(new Set(options.map(({ name }) => name)).size, options.length)
  for (const { value, description } of options) t.regex(description, /\w/, value)
})

test('an operation is shown with its own fields alone, and those of JSON begin with a value that parses', (t) => {
  const properties = valueIn(operationsN8n(openapi, ''), 'properties') as any[]
  for (const { resource, operation, shown } of OPERATIONS) {
    const own = properties.filter(
      ({ displayOptions }) =>
        displayOptions?.show.operation?.[0] === operation && displayOptions.show.resource[0] === resource,
    )
    const names = own.map(({ name }) => name).filter((name) => name !== 'additionalFields')
    t.deepEqual(names, [...shown], `${resource} ${operation}`)
    for (const one of own.filter(({ type }) => type === 'json')) t.notThrows(() => JSON.parse(one.default), one.name)
  }
})

test('a field that the document has no more is told when the node is made', (t) => {
  const { MessageSend } = openapi.components.schemas
  const { poll: _, ...left } = (MessageSend?.['properties'] ?? {}) as Record<string, unknown>
  const schemas = { ...openapi.components.schemas, MessageSend: { ...MessageSend, properties: left } }
  t.throws(() => operationsN8n({ ...openapi, components: { schemas } }, ''), {
    message: 'sendMessage has no field poll',
  })
})

test('a field is called by its words, and is of the kind that its schema has', (t) => {
  t.is(displayName('destinationNumber'), 'Destination Number')
  t.is(displayName('quotedMessageId'), 'Quoted Message ID')
  t.is(displayName('call.permission_updated'), 'Call Permission Updated')
  t.is(displayName('OUTBOUND'), 'OUTBOUND')
  const typed = (schema: object): unknown =>
    propertyOf({ name: 'a', in: 'body', schema: schema as Record<string, unknown>, description: undefined }, undefined)
  t.like(typed({ type: 'integer', minimum: 1 }), { type: 'number', default: 1 })
  t.like(typed({ type: ['string', 'null'] }), { type: 'string', default: '' })
  t.like(typed({ type: 'string', enum: ['image', 'audio'] }), { type: 'options', default: 'image' })
  t.like(typed({ type: 'array' }), { type: 'json', default: '[]' })
})

// [clients.made.8]
test('by hand are written the classes that n8n asks for, sending and verification alone', (t) => {
  const files = ['credentials', 'nodes'].flatMap((folder) =>
    readdirSync(new URL(`../../clients/n8n/${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' }),
  )
  t.deepEqual(files.filter((name) => /(?<!\.gen)\.ts$/.test(name)).toSorted(), [
    'Channel/Channel.node.ts',
    'ChannelApi.credentials.ts',
    'ChannelTrigger/ChannelTrigger.node.ts',
    'shared/request.ts',
    'shared/signature.ts',
  ])
})
