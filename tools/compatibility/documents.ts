import { schemaFaults } from './schema.ts'
import type { Fault, Parts, Schema, Side } from './schema.ts'

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

export interface Operation {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Body>>
}

/** What is compared of an OpenAPI document. */
export interface OpenApi {
  readonly security?: readonly unknown[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** What is compared of an AsyncAPI document. */
export interface AsyncApi {
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly messages: Readonly<Record<string, { readonly payload: Schema; readonly headers?: Schema }>>
  }
}

function partsOf({ components: { schemas } }: Pick<OpenApi, 'components'>): Parts {
  return new Map(Object.entries(schemas).map(([name, schema]) => [`#/components/schemas/${name}`, schema]))
}

/** Compares schemas of both documents, in one direction. */
type Compare = (before: Schema, after: Schema, at: string, side: Side) => Fault[]

function comparing(before: Pick<OpenApi, 'components'>, after: Pick<OpenApi, 'components'>): Compare {
  const parts = { before: partsOf(before), after: partsOf(after) }
  return (old, now, at, side) => schemaFaults(old, now, at, { ...parts, side, open: new Set() })
}

/** Names what a client that was made of the one document does not stand of the other. */
export function openApiFaults(before: OpenApi, after: OpenApi): Fault[] {
  const compare = comparing(before, after)
  return Object.entries(before.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, old]) => {
      const at = `${verb.toUpperCase()} ${path}`
      const now = after.paths[path]?.[verb]
      if (now === undefined) return [{ at, what: 'is gone' }]
      return [
        ...(now.operationId === old.operationId ? [] : [{ at, what: `is ${now.operationId}, was ${old.operationId}` }]),
        ...doorFaults(old.security ?? before.security, now.security ?? after.security, at),
        ...parameterFaults(old, now, at, compare),
        ...bodyFaults(old, now, at, compare),
        ...answerFaults(old, now, at, compare),
      ]
    }),
  )
}

/** Kinds of callers that are no longer let in. */
function doorFaults(before: readonly unknown[] = [], after: readonly unknown[] = [], at: string): Fault[] {
  const open = new Set(after.map((one) => JSON.stringify(one)))
  const closed = before.map((one) => JSON.stringify(one)).filter((one) => !open.has(one))
  if (before.length === 0 && after.length > 0) return [{ at, what: 'asks for a key now' }]
  return after.length === 0 ? [] : closed.map((one) => ({ at, what: `no longer opens to ${one}` }))
}

function parameterFaults(before: Operation, after: Operation, at: string, compare: Compare): Fault[] {
  const named = ({ parameters = [] }: Operation) => new Map(parameters.map((one) => [`${one.in} ${one.name}`, one]))
  const [olds, news] = [named(before), named(after)]
  const faults = [...olds].flatMap(([name, old]) => {
    const now = news.get(name)
    return now
      ? compare(old.schema, now.schema, `${at} ${name}`, 'written')
      : [{ at: `${at} ${name}`, what: 'is gone' }]
  })
  const demanded = [...news].filter(([name, { required }]) => required === true && olds.get(name)?.required !== true)
  return [...faults, ...demanded.map(([name]) => ({ at: `${at} ${name}`, what: 'is required now' }))]
}

function bodyFaults(
  { requestBody: before }: Operation,
  { requestBody: after }: Operation,
  path: string,
  compare: Compare,
) {
  const at = `${path} body`
  if (!before) return after?.required === true ? [{ at, what: 'is required now' }] : []
  if (!after) return [{ at, what: 'is gone' }]
  return [
    ...(after.required === true && before.required !== true ? [{ at, what: 'is required now' }] : []),
    ...contentFaults(before, after, at, (old, now, place) => compare(old, now, place, 'written')),
  ]
}

/** Of answers that succeed: refusals are known by their codes. */
function answerFaults(
  { responses: before }: Operation,
  { responses: after }: Operation,
  path: string,
  compare: Compare,
) {
  return Object.entries(before)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, old]): Fault[] => {
      const at = `${path} ${status}`
      const now = after[status]
      if (!now) return [{ at, what: 'is gone' }]
      return contentFaults(old, now, at, (one, other, place) => compare(one, other, place, 'read'))
    })
}

function contentFaults(
  before: Body,
  after: Body,
  at: string,
  compare: (before: Schema, after: Schema, at: string) => Fault[],
): Fault[] {
  return Object.entries(before.content ?? {}).flatMap(([type, { schema: old = {} }]) => {
    const now = after.content?.[type]
    return now ? compare(old, now.schema ?? {}, at) : [{ at, what: `no longer is ${type}` }]
  })
}

/** Names what a reader of events, or a client of realtime sessions, does not stand of the other document. */
export function asyncApiFaults(before: AsyncApi, after: AsyncApi): Fault[] {
  const compare = comparing(before, after)
  return Object.entries(before.components.messages).flatMap(([name, old]) => {
    const now = after.components.messages[name]
    if (!now) return [{ at: name, what: 'is gone' }]
    const side = name.startsWith('client.') ? 'written' : 'read'
    return [
      ...compare(old.payload, now.payload, name, side),
      ...compare(old.headers ?? {}, now.headers ?? {}, `${name} headers`, side),
    ]
  })
}
