import type { OpenApi, Operation, Schema } from './documents.ts'

/** A field of an operation, wherever the request has it. */
export interface Field {
  readonly name: string
  readonly in: 'path' | 'query' | 'body' | 'header'
  readonly schema: Schema
  readonly description: string | undefined
}

/** A parameter of a node, as n8n describes it. */
export type NodeProperty = Readonly<Record<string, unknown>>

/** Every field of an operation, those of the body resolved. */
export function fieldsOf(openapi: OpenApi, { parameters = [], requestBody }: Operation): Field[] {
  const body = requestBody?.content['application/json']?.schema ?? {}
  const { properties = {} } = resolved(openapi, body) as { properties?: Readonly<Record<string, Schema>> }
  return [
    ...parameters.map(({ name, in: place, schema, description }) => ({
      name,
      in: place,
      schema: plain(openapi, schema),
      description: description ?? textOf(schema),
    })),
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      in: 'body' as const,
      schema: plain(openapi, schema),
      description: textOf(schema) ?? textOf(plain(openapi, schema)),
    })),
  ]
}

function textOf({ description }: Schema): string | undefined {
  return typeof description === 'string' ? description : undefined
}

function resolved(openapi: OpenApi, schema: Schema): Schema {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  return openapi.components.schemas[$ref.replace('#/components/schemas/', '')] ?? {}
}

/** The schema without its null, which is what a node that leaves a field out says. */
function plain(openapi: OpenApi, schema: Schema): Schema {
  const forms = (schema['anyOf'] as readonly Schema[] | undefined)?.filter(({ type }) => type !== 'null')
  return forms?.length === 1 ? resolved(openapi, forms[0] ?? {}) : resolved(openapi, schema)
}

/** The parameter of a node for a field. `example` is what a field of JSON begins with. */
export function propertyOf({ name, schema, description }: Field, example: unknown): NodeProperty {
  return {
    displayName: displayName(name),
    name: nodeName(name),
    ...formOf(schema, example),
    ...(description === undefined ? {} : { description }),
  }
}

function formOf(schema: Schema, example: unknown): NodeProperty {
  const words = (schema['enum'] ?? (schema['const'] === undefined ? undefined : [schema['const']])) as
    | readonly string[]
    | undefined
  if (words)
    return { type: 'options', default: words[0], options: words.map((value) => ({ name: displayName(value), value })) }
  const type = Array.isArray(schema['type']) ? schema['type'].find((one) => one !== 'null') : schema['type']
  if (type === 'boolean') return { type: 'boolean', default: false }
  if (type === 'integer' || type === 'number') return { type: 'number', default: schema['minimum'] ?? 0 }
  if (type === 'object' || type === 'array')
    return { type: 'json', default: JSON.stringify(example ?? (type === 'array' ? [] : {}), null, 2) }
  return { type: 'string', default: '' }
}

/** `idempotency-key` is `idempotencyKey`: names of nodes are in camel case. */
export function nodeName(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, next: string) => next.toUpperCase())
}

/** `destinationNumber` is `Destination Number`, and `call.ended` `Call Ended`. */
export function displayName(name: string): string {
  if (/^[A-Z]+$/.test(name)) return name
  return nodeName(name)
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll(/(?<=^| )[a-z]/g, (letter) => letter.toUpperCase())
    .replaceAll(/\bId\b/g, 'ID')
    .replaceAll(/\bSdp\b/g, 'SDP')
}
