import { isFields } from '../../domain/json-fields.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { Arguments } from './arguments.ts'

/** A usual message, which nearly all are: one well-formed request for the list of tools, or for a call of one. */
export interface UsualMessage {
  /** The id of JSON-RPC. */
  readonly id: string | number
  /** What each request of revision 2026-07-28 says of its client; null for an earlier revision. */
  readonly envelope: Fields | null
  /** The call; null when the list is asked for. */
  readonly call: { readonly name: string; readonly args: Arguments } | null
}

type Headers = Readonly<Record<string, string>>

const PREFIX = 'io.modelcontextprotocol/'
const VERSION = `${PREFIX}protocolVersion`
const CURRENT = '2026-07-28'
const FIELDS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const CALL_PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta'])
const LIST_PARAMS: ReadonlySet<string> = new Set(['_meta'])

/**
 * Reads a usual message; null when any part of it is not usual, which does not mean that it is wrong. `earlier` are the
 * revisions that come with `initialize`. What the envelope holds is not checked.
 */
export function usualMessage(json: unknown, headers: Headers, earlier: readonly string[]): UsualMessage | null {
  if (
    !isFields(json)
    || json['jsonrpc'] !== '2.0'
    || !hasOnly(json, FIELDS)
    || !/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')
  )
    return null
  const { id, method, params = {} } = json
  if (!isId(id) || !isFields(params) || (method !== 'tools/call' && method !== 'tools/list')) return null
  const call = method === 'tools/call' ? callIn(params) : null
  if (method === 'tools/call' ? !call : !hasOnly(params, LIST_PARAMS)) return null
  const { _meta: meta } = params
  if (meta !== undefined && !isFields(meta)) return null
  const isCurrent = meta !== undefined && meta[VERSION] === CURRENT
  const isUsual = isCurrent
    ? isNamedAlike(headers, method, call?.name)
    : isUnclaimed(meta) && isOfEarlier(headers, earlier)
  return isUsual ? { id, envelope: isCurrent ? meta : null, call } : null
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function hasOnly(fields: Fields, known: ReadonlySet<string>): boolean {
  return Object.keys(fields).every((name) => known.has(name))
}

function callIn(params: Fields): UsualMessage['call'] {
  const { name, arguments: args = {} } = params
  return hasOnly(params, CALL_PARAMS) && typeof name === 'string' && isFields(args) ? { name, args } : null
}

/** Whether the headers name the same as the message (revision 2026-07-28). A name in another spelling is not usual. */
function isNamedAlike(headers: Headers, method: string, name: string | undefined): boolean {
  return headers['mcp-protocol-version'] === CURRENT && headers['mcp-method'] === method && headers['mcp-name'] === name
}

function isUnclaimed(meta: Fields | undefined): boolean {
  return meta === undefined || !Object.keys(meta).some((name) => name.startsWith(PREFIX))
}

function isOfEarlier(headers: Headers, earlier: readonly string[]): boolean {
  const { accept = '', 'mcp-protocol-version': version } = headers
  return (
    (version === undefined || earlier.includes(version))
    && accept.includes('application/json')
    && accept.includes('text/event-stream')
  )
}
