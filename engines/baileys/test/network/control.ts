/**
 * The network's control interface: JSON over HTTP on loopback, for tests that run it as a process of its own (main.ts).
 *
 *   GET /control/phones/{number}
 *     devices, calls, receipts; the phone is made on first use, as everywhere below
 *   POST /control/phones/{number}/{verb}
 *     a verb of control-verbs.ts: scan, text, media, story, read, call, history, unlink, drop...
 *   GET /control/phones/{number}/messages?after=N&waitMs=M
 *     received from position N on, waiting up to M ms (10,000 at most) for the first
 *   GET /control/phones/{number}/messages/{id}/media
 *     the bytes of received media, digests checked
 *   POST /control/groups {owner, subject, members, hidden?} : {id}
 *   POST /control/newsletters {owner, name, description?, followers?} : {id}
 *   POST /control/newsletters/{id}/posts {text} : {id}
 *   POST /control/faults {refuseLogins?, throttled?, refuseUploads?}
 *     null or false ends a fault
 *   POST /control/drop, POST /control/close {code}
 *     the sockets of all
 *   GET /control/sockets
 *     by number of a linked device: open, most, overlaps, again, late, logins, scans (socket-counts.ts), and how many
 *     stanzas are waiting
 *   GET /control/statistics
 *     connections, handshakes, peakHandshakes, logins, registrations, refusedLogins, refusedSockets, unheardMessages
 *     (of numbers that stalled), lastBuild
 *
 * 400 {error} says what is wrong with a request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ControlRefusal, type Fields, needed, shownPhone, VERBS } from './control-verbs.ts'
import type { Network } from './network.ts'
import type { Phone } from './phone.ts'
import { readBody } from './request-body.ts'

/** What a body may hold, bytes: the largest media in base64. Our choice. */
const MAX_BODY_BYTES = 140 * 1024 * 1024
const LONGEST_WAIT_MS = 10_000

async function fieldsOf(request: IncomingMessage): Promise<Fields> {
  const bytes = await readBody(request, MAX_BODY_BYTES, () => new ControlRefusal('the body is too large'))
  if (bytes.length === 0) return {}
  const body: unknown = JSON.parse(bytes.toString())
  if (typeof body !== 'object' || body === null) throw new ControlRefusal('the body is no object')
  return body as Fields
}

async function received(phone: Phone, query: URLSearchParams): Promise<object> {
  const after = Number(query.get('after') ?? 0)
  const waitMs = Math.min(Number(query.get('waitMs') ?? 0), LONGEST_WAIT_MS)
  const arrived = phone.find(({ position }) => position >= after, Math.max(waitMs, 1))
  await arrived.catch(() => undefined)
  return { messages: phone.received.slice(after), next: phone.received.length }
}

const textsIn = (fields: Fields, name: string): string[] =>
  Array.isArray(fields[name]) ? fields[name].map(String) : []

function makeGroup(network: Network, fields: Fields): object {
  const members = textsIn(fields, 'members').map((number) => network.phone(number))
  const options = { hidden: fields['hidden'] === true }
  return {
    id: network.createGroup(network.phone(needed(fields, 'owner')), needed(fields, 'subject'), members, options).id,
  }
}

function makeNewsletter(network: Network, fields: Fields): object {
  const description = typeof fields['description'] === 'string' ? fields['description'] : undefined
  const newsletter = network.createNewsletter(
    network.phone(needed(fields, 'owner')),
    needed(fields, 'name'),
    description,
  )
  for (const number of textsIn(fields, 'followers'))
    network.newsletters.follow(network.phone(number).account, newsletter.id)
  return { id: newsletter.id }
}

function post(network: Network, id: string, fields: Fields): object {
  const newsletter = network.newsletters.all.get(id)
  if (!newsletter) throw new ControlRefusal('there is no such newsletter')
  return { id: network.newsletters.post(newsletter, { conversation: needed(fields, 'text') }) }
}

function shownSockets(network: Network): object {
  return Object.fromEntries(
    [...network.sockets].map(([number, count]) => {
      const waiting = network.devices(number).reduce((sum, { mailbox }) => sum + mailbox.waiting().length, 0)
      return [number, { ...count, waiting }]
    }),
  )
}

function setFaults(network: Network, fields: Fields): void {
  if ('refuseLogins' in fields)
    network.faults.refuseLogins = fields['refuseLogins'] === null ? undefined : Number(fields['refuseLogins'])
  if ('throttled' in fields) network.faults.throttled = fields['throttled'] === true
  if ('refuseUploads' in fields) network.media.faults.refuseUploads = fields['refuseUploads'] === true
}

async function onPhone(
  network: Network,
  phone: Phone,
  rest: string[],
  query: URLSearchParams,
  request: IncomingMessage,
): Promise<unknown> {
  const [verb, id, part] = rest
  if (request.method === 'GET' && verb === undefined) return shownPhone(network, phone)
  if (request.method === 'GET' && verb === 'messages' && part === 'media') {
    const message = phone.received.findLast((one) => one.id === id)
    if (!message) throw new ControlRefusal('this phone received no message with that id')
    return await phone.open(message)
  }
  if (request.method === 'GET' && verb === 'messages') return await received(phone, query)
  const run = VERBS[verb ?? '']
  if (!run) throw new ControlRefusal(`a phone has no verb ${verb}: ${Object.keys(VERBS).join(', ')}`)
  return await run(phone, await fieldsOf(request), network)
}

async function answer(network: Network, request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://control')
  const [, root, kind, name, ...rest] = url.pathname.split('/').map(decodeURIComponent)
  if (root !== 'control') throw new ControlRefusal('routes begin with /control/')
  if (kind === 'phones' && name) return await onPhone(network, network.phone(name), rest, url.searchParams, request)
  if (kind === 'statistics') return network.statistics
  if (kind === 'sockets') return shownSockets(network)
  const fields = await fieldsOf(request)
  if (kind === 'groups') return makeGroup(network, fields)
  if (kind === 'newsletters') return name ? post(network, name, fields) : makeNewsletter(network, fields)
  if (kind === 'faults') return setFaults(network, fields)
  if (kind === 'drop') return network.drop()
  if (kind === 'close') return network.closeWith(Number(fields['code']))
  throw new ControlRefusal(`there is no ${kind}`)
}

async function serve(network: Network, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const json = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  }
  try {
    const body = await answer(network, request)
    if (Buffer.isBuffer(body)) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body)
    else json(200, body)
  } catch (error) {
    json(400, { error: error instanceof Error ? error.message : String(error) })
  }
}

/** Starts the control interface on loopback; resolves with its address. */
export async function openControl(network: Network, port = 0): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void serve(network, request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
