import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { methodsOf } from '../../tools/clients/keyed.ts'
import { readDocuments } from '../../tools/clients/documents.ts'

const CLIENTS = new URL('../../clients/', import.meta.url)
const read = (path: string): string => readFileSync(new URL(encodeURI(path), CLIENTS), 'utf8')

interface Request {
  readonly name: string
  readonly verb: string
  /** With `:name` where a parameter stands. */
  readonly path: string
  readonly body: unknown
}

const byPlace = (one: Request, other: Request): number =>
  `${one.path} ${one.verb}`.localeCompare(`${other.path} ${other.verb}`)

/** The requests of the collection of Postman. */
function ofPostman(items: readonly any[]): Request[] {
  return items.flatMap(({ item, request }): Request[] => {
    if (item) return ofPostman(item)
    const { name, method, url, body } = request
    const path = `/${url.path.join('/')}`
    return [{ name, verb: method, path, body: body?.raw === undefined ? null : JSON.parse(body.raw) }]
  })
}

/** The requests of the collection of Bruno, read as its language has them: blocks that begin and end a line. */
function ofBruno(): Request[] {
  const files = readdirSync(new URL('bruno', CLIENTS), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.includes('/') && file.endsWith('.bru') && !file.startsWith('environments/'))
    .map((file) => {
      const text = read(`bruno/${file}`)
      const [, verb = '', url = ''] = /^(get|post|put|patch|delete) \{\n {2}url: (.*)$/m.exec(text) ?? []
      const [, body] = /^body:json \{\n([^]*?)\n\}$/m.exec(text) ?? []
      const [, name = ''] = /^ {2}name: (.*)$/m.exec(text) ?? []
      const path = url.replace('{{baseUrl}}', '').replace(/\?.*$/, '')
      return { name, verb: verb.toUpperCase(), path, body: body === undefined ? null : JSON.parse(body) }
    })
}

const collection = JSON.parse(read('postman/collection.json'))
const requests = ofPostman(collection.item).toSorted(byPlace)

// [clients.made.4]
test('both collections have a request for each operation that a key opens, the same in both', (t) => {
  const wanted = methodsOf(readDocuments().openapi).map(
    ({ verb, path }) => `${verb.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  )
  t.deepEqual(requests.map(({ verb, path }) => `${verb} ${path}`).toSorted(), wanted.toSorted())
  // Bruno tells two of one name apart by their verbs.
  const named = ofBruno().map((one) => ({ ...one, name: one.name.replace(/ \((?:GET|POST)\)$/, '') }))
  t.deepEqual(named.toSorted(byPlace), requests)
})

// [clients.made.4]
test('each request of the collections is one that the service takes, with the body that stands in it', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  // A replaced key would end all that come behind it.
  for (const { name, verb, path, body } of requests.filter(
    (one) => !(one.verb === 'POST' && one.path.startsWith('/v1/api-keys')),
  )) {
    const filled = path.replaceAll(/:\w+/g, 'id_1')
    const headers = { 'x-api-key': world.numberKey.raw }
    const { status, body: answer } = await client.send(verb, filled, { headers, ...(body === null ? {} : { body }) })
    t.false([401, 405, 415].includes(status), `${name}: ${status}`)
    t.not(answer?.code, 'ROUTE_NOT_FOUND', name)
    t.false(status === 400 && body !== null && answer?.code === undefined, `${name}: ${JSON.stringify(answer)}`)
  }
  const { status } = await client.send('POST', '/v1/messages/send', {
    headers: { 'x-api-key': world.numberKey.raw },
    body: requests.find(({ path }) => path === '/v1/messages/send')?.body,
  })
  t.is(status, 202)
})

test('the key is a variable of the collections, and no request has one of its own', (t) => {
  t.deepEqual(
    collection.variable.map(({ key }: any) => key),
    ['baseUrl', 'apiKey'],
  )
  t.is(collection.auth.apikey[1].value, '{{apiKey}}')
  t.false(JSON.stringify(collection.item).includes('apikey'))
  t.regex(read('bruno/collection.bru'), /value: \{\{apiKey\}\}/)
  t.regex(read('bruno/environments/local.bru'), /vars:secret \[\n {2}apiKey\n\]/)
})
