/** Collections of requests, in the forms of two programs that people try interfaces with. */

/** A request as the converter of Bruno makes it. */
interface BrunoRequest {
  readonly url: string
  readonly method: string
  readonly docs?: string
  readonly params: readonly BrunoParameter[]
  readonly body: { readonly mode: string; readonly json: string | null }
}

interface BrunoParameter {
  readonly name: string
  readonly type: string
}

export interface BrunoItem {
  readonly name: string
  readonly request?: BrunoRequest
  readonly items?: readonly BrunoItem[]
}

/** The file of a request of Bruno, by fields as its language names them. */
export type BruFile = Readonly<Record<string, unknown>>

/** Where an installation on this machine is. */
const LOCAL = 'http://localhost:3000'

/** What Postman's converter makes anew each time, answers, and what the whole collection says. */
const LEFT_OUT = new Set(['id', '_postman_id', 'response', 'event', 'protocolProfileBehavior', 'auth'])

/** A folder or a request of Postman. */
interface PostmanItem {
  readonly item?: readonly PostmanItem[]
}

export interface PostmanCollection extends PostmanItem {
  readonly info: object
}

/** A collection of Postman that is the same each time it is made, with the key and the address as its variables. */
export function steadyPostman({ info, item = [] }: PostmanCollection): object {
  const folders = item.filter((one) => one.item === undefined || one.item.length > 0)
  return {
    info: steady(info),
    item: steady(folders),
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'x-api-key' },
        { key: 'value', value: '{{apiKey}}' },
        { key: 'in', value: 'header' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: LOCAL },
      { key: 'apiKey', value: '' },
    ],
  }
}

/**
 * Values of parameters are made up, so whoever sends the request fills them in. Queries are switched off till then, and
 * a parameter of the path has its name as its value, because an empty one makes another path.
 */
function steady(node: unknown, name: string = ''): unknown {
  if (Array.isArray(node)) return node.map((one) => steady(one, name))
  if (typeof node !== 'object' || node === null) return node
  const fields = Object.entries(node).filter(([field]) => !LEFT_OUT.has(field))
  const kept = Object.fromEntries(fields.map(([field, part]) => [field, steady(part, field)]))
  if (name === 'query') return { ...kept, value: '', disabled: true }
  return name === 'variable' ? { ...kept, value: kept['key'] } : kept
}

/** The files of a collection of Bruno, by path: a folder a group, a file a request. */
export function bruFiles(items: readonly BrunoItem[], folder: string = ''): Map<string, BruFile> {
  const files = new Map<string, BruFile>()
  for (const [at, { name, request, items: inside }] of items.entries()) {
    const path = `${folder}${name.replaceAll(/[^\w ,-]/g, '').trim()}`
    if (inside) for (const [file, one] of bruFiles(inside, `${path}/`)) files.set(file, one)
    if (request) files.set(`${path}.bru`, bruFile(name, request, at + 1))
  }
  return files
}

function bruFile(name: string, { url, method, docs, params, body }: BrunoRequest, seq: number): BruFile {
  const hasBody = body.mode === 'json' && body.json !== null
  return {
    meta: { name, type: 'http', seq },
    http: { method: method.toLowerCase(), url, body: hasBody ? 'json' : 'none', auth: 'inherit' },
    params: params.map(bruParameter),
    ...(hasBody ? { body: { json: body.json } } : {}),
    ...(docs === undefined ? {} : { docs }),
  }
}

/** As in the collection of Postman: a query is switched off, and a parameter of the path has its name as its value. */
function bruParameter({ name, type }: BrunoParameter): object {
  const isOfPath = type === 'path'
  return { name, type, value: isOfPath ? name : '', enabled: isOfPath }
}

/** What all requests of the collection of Bruno share: the key. */
export const BRUNO_COLLECTION = {
  auth: { mode: 'apikey', apikey: { key: 'x-api-key', value: '{{apiKey}}', placement: 'header' } },
}

/** Values of an installation on this machine. */
export const BRUNO_ENVIRONMENT = {
  variables: [
    { name: 'baseUrl', value: LOCAL, enabled: true, secret: false },
    { name: 'apiKey', value: '', enabled: true, secret: true },
  ],
}
