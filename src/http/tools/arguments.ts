import { RefusalError, refuse } from '../../domain/errors.ts'
import type { ArgumentFault, Tool, ToolField } from './tool.ts'

/** The arguments of a call, as JSON has them. */
export type Arguments = Readonly<Record<string, unknown>>

/** A request to a route, as its tool's arguments make it. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>
  /** Without the question mark; empty where there is none. */
  readonly query: string
  /** Undefined: no body. */
  readonly body: unknown
  /** What the header Idempotency-Key would say; null: nothing. */
  readonly idempotencyKey: string | null
}

/** Our choice: as long as an address may be, in characters. */
const MAX_ADDRESS_TEXT = 4_096
/** Our choice: nobody reads more. */
const MOST_DETAILS = 100
/** Our choice: enough of an invented name to know it by. */
const SHOWN_NAME = 64

/** The number that arguments name; null: none, or nothing that could be one. */
export function numberIn(args: Arguments): string | null {
  const { channelNumberId } = args
  return typeof channelNumberId === 'string' && channelNumberId !== '' ? channelNumberId : null
}

/**
 * Spreads the arguments of a tool over path, query and body of its route, under their own names. Refuses (400,
 * `details [{path, message}]`) names that the tool does not have, and in path and query values of another type than
 * listed: as texts they could not be told apart. What stands in the body is the route's to look at.
 */
export function requestOf(tool: Tool, args: Arguments): RouteRequest {
  const faults = faultsOf(tool, args)
  if (faults.length > 0) throw invalid(faults)
  // Of every call: one walk, and no query where nothing stands in it, for what it takes is a good part of a call.
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
