import { RefusalError, refuse } from '../../domain/errors.ts'
import type { ArgumentFault, Tool, ToolField } from './tool.ts'

/** The arguments of a call, as JSON values. */
export type Arguments = Readonly<Record<string, unknown>>

/** A request to a route, made of the arguments of its tool. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>
  /** The query without its question mark; empty when there is none. */
  readonly query: string
  /** The body; undefined when there is none. */
  readonly body: unknown
  /** What the header Idempotency-Key would say; null when it would be absent. */
  readonly idempotencyKey: string | null
}

/** our choice, in characters: as long as an address may be. */
const MAX_ADDRESS_TEXT = 4_096
/** our choice: nobody reads more faults than that. */
const MOST_DETAILS = 100
/** our choice: enough characters of an invented name to recognise it. */
const SHOWN_NAME = 64

/** The number that the arguments name; null when they name none, or something that cannot be one. */
export function numberIn(args: Arguments): string | null {
  const { channelNumberId } = args
  return typeof channelNumberId === 'string' && channelNumberId !== '' ? channelNumberId : null
}

/**
 * Spreads the arguments of a tool over path, query and body of its route, under their own names ([tools.calls.2]).
 * Refuses (400, `details [{path, message}]`) names that the tool does not have, and values of path and query of another
 * type than listed, because as texts they could not be told apart. The route checks the body.
 */
export function requestOf(tool: Tool, args: Arguments): RouteRequest {
  const faults = faultsOf(tool, args)
  if (faults.length > 0) throw invalid(faults)
  // It runs for every call and is a good part of its cost, so it walks once, and makes no query when there is none.
  const params: Record<string, string> = {}
  const query: [string, string][] = []
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    const at = tool.fields.get(name)?.at
    if (at === 'path') params[name] = String(value)
    else if (at === 'query') query.push([name, String(value)])
    else if (at === 'body') body[name] = value
  }
  const { idempotencyKey } = args
  return {
    params,
    query: query.length === 0 ? '' : new URLSearchParams(query).toString(),
    body: tool.route.body ? body : undefined,
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
  }
}

function faultsOf(tool: Tool, args: Arguments): ArgumentFault[] {
  const faults: ArgumentFault[] = []
  for (const name of Object.keys(args)) {
    if (!tool.fields.has(name)) faults.push({ path: name.slice(0, SHOWN_NAME), message: 'is no argument of this tool' })
  }
  for (const [name, field] of tool.fields) {
    const fault = faultOf(name, field, args)
    if (fault) faults.push(fault)
  }
  const narrowed = tool.facts.narrowed?.fault(args) ?? null
  if (narrowed) faults.push(narrowed)
  return faults
}

function faultOf(name: string, { at, schema, isRequired }: ToolField, args: Arguments): ArgumentFault | null {
  if (at === 'body') return null
  if (!Object.hasOwn(args, name)) return isRequired ? { path: name, message: 'is needed' } : null
  const message =
    typeFault(schema['type'], args[name]) ?? (at === 'path' && args[name] === '' ? 'must not be empty' : null)
  return message === null ? null : { path: name, message }
}

function typeFault(type: unknown, value: unknown): string | null {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value) ? null : 'must be a whole number'
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    default:
      return typeof value !== 'string'
        ? 'must be a text'
        : value.length > MAX_ADDRESS_TEXT
          ? `must be at most ${MAX_ADDRESS_TEXT} characters`
          : null
  }
}

function invalid(faults: readonly ArgumentFault[]): RefusalError {
  const details = faults.slice(0, MOST_DETAILS)
  const first = details[0]
  return new RefusalError(
    refuse('VALIDATION', `Invalid arguments: ${first?.path ?? ''} ${first?.message ?? ''}`, details),
  )
}
