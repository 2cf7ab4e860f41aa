import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import { cutOf, type Fault, type Faults } from '../faults.ts'
import type { Ledger } from '../ledger.ts'
import { answerGraph } from './graph-routes.ts'
import type { Acted } from './http/acted.ts'
import { GraphError, invalid } from './http/graph-error.ts'
import { readMultipart, type Multipart } from './http/multipart.ts'
import { isProof, type Opened } from './leads/tokens.ts'
import type { RawBody } from './objects/object.ts'
import { operationOf } from './operations.ts'
import type { OfficialPlatform } from './platform/platform.ts'

/** Any version works; after it an id and an edge. */
const PATH = /^\/official(?:\/v(\d+\.\d+))?\/(upload:[\w=+-]+|[\w.]+)(?:\/(\w+))?\/?$/
const DEFAULT_VERSION = '24.0'
const MAX_BODY_BYTES = 1024 * 1024
/** Above the ceiling of documents, so that a file that is slightly too large gets its own refusal. */
const MAX_FORM_BYTES = 110 * 1024 * 1024
/** Stands in place of an id for downloads of media. */
const ATTACHMENTS = 'attachments'
/** Stands in place of an id for samples of templates. */
const SAMPLES = 'samples'
/** Stands in place of an id for documents of Flows. */
const FLOW_DOCUMENTS = 'flow_documents'
/** Management requests that an account may make in an hour; the usage headers count against it. */
const REQUESTS_PER_HOUR = 5_000
const HOUR_MS = 3_600_000

export interface GraphServerParts {
  readonly platform: OfficialPlatform
  readonly faults: Faults
  readonly ledger: Ledger
  /** Real time, for the ledger and injected delays. */
  readonly clock: Clock
  readonly log: Log
}

interface Incoming {
  readonly method: string
  readonly path: string
  readonly url: string
  readonly version: string
  readonly id: string
  readonly edge: string
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  /** The multipart body; its text fields are in `body` too. */
  readonly form: Multipart | null
  readonly raw: RawBody | null
  readonly token: string | null
}

interface Outgoing extends Acted {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
  }
  if (bytes > maxBytes)
    throw new GraphError(1, { status: 413, message: 'Please reduce the amount of data you are sending' })
  return Buffer.concat(chunks)
}

/** Reads a JSON object, or a form in which nested objects are JSON text. */
async function readBody(request: IncomingMessage): Promise<{ body: Record<string, unknown>; form: Multipart | null }> {
  const type = request.headers['content-type'] ?? ''
  const isMultipart = type.startsWith('multipart/form-data')
  const bytes = await readBytes(request, isMultipart ? MAX_FORM_BYTES : MAX_BODY_BYTES)
  if (bytes.length === 0) return { body: {}, form: null }
  if (isMultipart) {
    const form = readMultipart(bytes, type)
    return { body: readFields(Object.entries(form.fields)), form }
  }
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { body: readFields([...new URLSearchParams(bytes.toString())]), form: null }
  const value = parseJson(bytes.toString())
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('The body is no JSON object')
  return { body: { ...value }, form: null }
}

function readFields(fields: readonly (readonly [string, string])[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(([name, text]) => [name, /^[[{]/.test(text) ? parseJson(text) : text]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The body is not valid JSON')
  }
}

function tokenOf(request: IncomingMessage, query: URLSearchParams): string | null {
  const [, token] = /^(?:Bearer|OAuth) (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  return token ?? query.get('access_token')
}

/** The bytes of an upload, with the facts of its headers. */
async function readRaw(request: IncomingMessage): Promise<RawBody> {
  const [scheme = ''] = (request.headers.authorization ?? '').split(' ')
  const offset = request.headers['file_offset']
  return {
    bytes: await readBytes(request, MAX_FORM_BYTES),
    scheme,
    offset: typeof offset === 'string' && /^\d+$/.test(offset) ? Number(offset) : null,
  }
}

async function readIncoming(request: IncomingMessage): Promise<Incoming> {
  const { pathname: path, searchParams: query } =
    URL.parse(request.url ?? '/', 'http://sandbox') ?? new URL('http://sandbox')
  const [, version = DEFAULT_VERSION, id, edge = ''] = PATH.exec(path) ?? []
  const token = tokenOf(request, query)
  query.delete('access_token')
  const raw = id?.startsWith('upload:') ? await readRaw(request) : null
  const { body, form } = raw ? { body: {}, form: null } : await readBody(request)
  if (id === undefined)
    throw new GraphError(2500, { message: `Unknown path components: ${path.replace(/^\/official(\/v[\d.]+)?/, '')}` })
  return {
    method: request.method ?? 'GET',
    path,
    url: `http://${request.headers.host ?? 'sandbox'}${path}`,
    version,
    id,
    edge,
    query,
    body,
    form,
    raw,
    token,
  }
}

/** Fields for the ledger, without session descriptions, tokens, signatures and secrets. */
function presentFields({ query, body, form, raw }: Incoming): object {
  const { sig, oh, appsecret_proof = body['appsecret_proof'], ...asked } = Object.fromEntries<unknown>(query)
  const { session, connection, access_token, verify_token, appsecret_proof: _, ...rest } = body
  const hidden = { session, connection, access_token, verify_token, appsecret_proof, sig, oh }
  return {
    ...(Object.keys(asked).length === 0 ? {} : { query: asked }),
    ...rest,
    ...(form?.file
      ? { file: { fileName: form.file.fileName, mimeType: form.file.mimeType, sizeBytes: form.file.bytes.length } }
      : {}),
    ...(raw ? { scheme: raw.scheme, offset: raw.offset, sizeBytes: raw.bytes.length } : {}),
    ...Object.fromEntries(
      Object.entries(hidden)
        .filter(([, value]) => value !== undefined)
        .map(([name]) => [`has_${name}`, true]),
    ),
  }
}

/** The answer of a fault: its body as it is, or the envelope of the code it names; null when it has none. */
function injected({ status, body, error, headers = {} }: Fault): Outgoing | null {
  if (body !== undefined) return { status: status ?? 400, body: body as object, headers }
  if (error === undefined && status === undefined) return null
  const { code = '2', message = undefined } = typeof error === 'string' ? { code: error } : (error ?? {})
  const refused = new GraphError(Number(code) || 1, {
    details: message ?? 'Injected by a fault',
    ...(status === undefined ? {} : { status }),
  })
  return { status: refused.status, body: refused.envelope(), headers }
}

/** Serves the platform's API under `/official`. */
export class GraphServer {
  readonly #parts: GraphServerParts
  /** Requests in the present hour, by account. */
  readonly #usage = new Map<string, { hour: number; requests: number }>()

  constructor(parts: GraphServerParts) {
    this.#parts = parts
  }

  /** Takes a request whose path begins with `/official`. It never throws. */
  async listen(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#serve(await readIncoming(request), response)
    } catch (error) {
      if (!(error instanceof GraphError))
        this.#parts.log.error({ method: request.method, error: String(error) }, 'official request failed')
      const refused = error instanceof GraphError ? error : new GraphError(131000)
      if (!response.headersSent) write(response, { status: refused.status, body: refused.envelope() })
      request.resume()
    }
  }

  async #serve(incoming: Incoming, response: ServerResponse): Promise<void> {
    const { faults, ledger, clock, platform } = this.#parts
    const { method, path, id } = incoming
    const number = platform.registry.number(id)
    const op = operationOf(platform, incoming)
    ledger.add({
      atMs: clock.now(),
      kind: 'official',
      method,
      path,
      op,
      numberId: number?.phoneId ?? null,
      number: number?.number ?? null,
      fields: presentFields(incoming),
    })
    const fault = faults.take({ path, method, ...(op === null ? {} : { op }) })
    if (fault?.delayMs) await new Promise<void>((resolve) => clock.after(fault.delayMs ?? 0, resolve))
    const cut = fault && cutOf(fault)
    if (cut === 'before') return void response.destroy()
    const outgoing = await this.#answer(incoming, fault)
    if (fault?.answerDelayMs) await new Promise<void>((resolve) => clock.after(fault.answerDelayMs ?? 0, resolve))
    // Webhooks follow the answer, whatever became of it: `close` comes after both.
    response.once('close', () => outgoing.after?.())
    if (cut === 'after') response.destroy()
    else
      write(response, { ...outgoing, headers: { ...outgoing.headers, 'facebook-api-version': `v${incoming.version}` } })
  }

  /** With `after` the request takes effect, and only its answer is replaced by the fault's. */
  async #answer(incoming: Incoming, fault: Fault | null): Promise<Outgoing> {
    const refused = fault && injected(fault)
    if (refused && fault?.after !== true) return refused
    const outgoing = await this.#perform(incoming)
    return refused ? { ...refused, ...(outgoing.after ? { after: outgoing.after } : {}) } : outgoing
  }

  async #perform(incoming: Incoming): Promise<Outgoing> {
    if (incoming.id === ATTACHMENTS) return this.#download(incoming)
    if (incoming.id === SAMPLES) return this.#showSample(incoming)
    if (incoming.id === FLOW_DOCUMENTS) return this.#showDocument(incoming)
    try {
      const opened = this.#authorize(incoming)
      const acted = await answerGraph(this.#parts.platform, { ...incoming, opened, accounts: opened.accounts })
      return { status: 200, ...acted, headers: this.#usageHeaders(incoming.id) }
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      const isToken = error.code === 190 || error.code === 104
      const headers = isToken
        ? { 'www-authenticate': `OAuth "Platform" "invalid_token" "${error.message}"` }
        : this.#usageHeaders(incoming.id)
      return { status: error.status, body: error.envelope(), headers }
    }
  }

  /** Bytes of a file. Without a valid token and address nothing is found. */
  #download({ method, token, query }: Incoming): Outgoing {
    const { registry, messaging } = this.#parts.platform
    const media = method === 'GET' ? messaging.media.open(query) : null
    const accounts = token === null ? null : registry.opens(token)
    const bytes = media && messaging.media.bytesOf(media)
    const owner = media && registry.number(media.phoneId)
    if (!bytes || !owner || accounts === null || accounts === 'expired' || !accounts.has(owner.accountId))
      return { status: 404, body: Buffer.alloc(0) }
    return { status: 200, body: bytes, headers: { 'content-type': media.mimeType } }
  }

  /** Bytes of a sample, for anybody with its address. */
  #showSample({ method, query }: Incoming): Outgoing {
    const sample = method === 'GET' ? this.#parts.platform.templates.uploads.open(query) : null
    return sample
      ? { status: 200, body: sample.bytes, headers: { 'content-type': sample.mimeType } }
      : { status: 403, body: Buffer.alloc(0) }
  }

  /** A document of a Flow, byte for byte, for anybody with its address. */
  #showDocument({ method, query }: Incoming): Outgoing {
    const bytes = method === 'GET' ? this.#parts.platform.flows.open(query) : null
    return bytes
      ? { status: 200, body: bytes, headers: { 'content-type': 'application/octet-stream' } }
      : { status: 403, body: Buffer.alloc(0) }
  }

  #authorize({ token, query, body }: Incoming): Opened {
    if (token === null)
      throw new GraphError(104, { message: '(#104) An access token is required to request this resource.' })
    const { platform } = this.#parts
    const opened = platform.leadAds.opens(token)
    if (opened === null)
      throw new GraphError(190, { message: 'Invalid OAuth access token - Cannot parse access token' })
    if (opened === 'expired')
      throw new GraphError(190, { subcode: 463, message: 'Error validating access token: Session has expired.' })
    const proof = query.get('appsecret_proof') ?? body['appsecret_proof']
    if (proof !== undefined && !isProof(platform.registry, platform.leadAds.pages, token, String(proof)))
      throw new GraphError(100, {
        type: 'GraphMethodException',
        message: 'Invalid appsecret_proof provided in the API argument',
      })
    return opened
  }

  /** Usage in percent, in upstream's headers; none for an object without an account. */
  #usageHeaders(id: string): Record<string, string> {
    const { registry, clock } = this.#parts.platform
    const accountId = registry.number(id)?.accountId ?? registry.account(id)?.id
    if (accountId === undefined) return {}
    const hour = Math.floor(clock.now() / HOUR_MS)
    const before = this.#usage.get(accountId)
    const requests = before?.hour === hour ? before.requests + 1 : 1
    this.#usage.set(accountId, { hour, requests })
    const usage = {
      call_count: Math.min(100, Math.ceil((requests * 100) / REQUESTS_PER_HOUR)),
      total_cputime: 1,
      total_time: 1,
    }
    return {
      'x-app-usage': JSON.stringify(usage),
      'x-business-use-case-usage': JSON.stringify({
        [accountId]: [{ type: 'whatsapp', ...usage, estimated_time_to_regain_access: 0 }],
      }),
    }
  }
}

function write(response: ServerResponse, { status, body, headers = {} }: Outgoing): void {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': bytes.length,
    ...headers,
  })
  response.end(bytes)
}
