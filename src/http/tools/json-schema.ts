import { z } from 'zod'
import { isFields } from '../../domain/json-fields.ts'
import { isOtherName } from '../request/other-name.ts'

/** JSON Schema 2020-12, as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Named parts of schemas, which schemas refer to. */
export type SchemaParts = ReadonlyMap<string, JsonSchema>

/** How a schema refers to a part; the schemas of some bodies are written for the OpenAPI document. */
const REFERENCE = /^#\/(?:\$defs|components\/schemas)\/(.+)$/
/** Words of JSON Schema whose value holds schemas by name of field. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', 'patternProperties'])
/**
 * What tells a reader of tools nothing: bounds of every integer, names of parts, the type of field names, and that
 * further fields may come.
 */
const IDLE: readonly (readonly [word: string, value?: unknown])[] = [
  ['$schema'],
  ['$defs'],
  ['id'],
  ['propertyNames'],
  ['minimum', Number.MIN_SAFE_INTEGER],
  ['maximum', Number.MAX_SAFE_INTEGER],
  ['additionalProperties', false],
]

/** The named parts of these schemas. */
export function partsOf(schemas: readonly z.ZodType[]): SchemaParts {
  return new Map(
    schemas.flatMap((schema) => Object.entries(written(schema, 'output')['$defs'] ?? {}) as [string, JsonSchema][]),
  )
}

/**
 * A schema as a model reads it: whole, without references, and without what only programs need. More fields than it
 * names may come or go, unless the tool says otherwise.
 */
export function schemaOf(schema: z.ZodType, side: 'input' | 'output', parts: SchemaParts): JsonSchema {
  const whole = written(schema, side)
  return plain(whole, new Map([...parts, ...Object.entries((whole['$defs'] ?? {}) as Record<string, JsonSchema>)]))
}

/** Schemas as JSON Schema. They never change, and most are asked for by more than one application or tool. */
const WRITTEN = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() }

function written(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const known = WRITTEN[io].get(schema)
  if (known) return known
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  WRITTEN[io].set(schema, made)
  return made
}

function plain(schema: JsonSchema, parts: SchemaParts): JsonSchema {
  const { $ref, ...rest } = schema
  const referred = typeof $ref === 'string' ? parts.get(REFERENCE.exec($ref)?.[1] ?? '') : undefined
  const merged = referred ? { ...referred, ...rest } : rest
  const entries = Object.entries(merged).filter(([word, value]) => !isIdle(word, value, merged))
  return Object.fromEntries(
    entries.map(([word, value]) => [word, BY_NAME.has(word) ? byName(value, parts) : inside(value, parts)]),
  )
}

function isIdle(word: string, value: unknown, { format }: JsonSchema): boolean {
  // The format of a date says as much as its pattern, which has 300 characters.
  if ((word === 'pattern' || word === 'examples') && format === 'date-time') return true
  return IDLE.some((one) => one[0] === word && (one.length === 1 || one[1] === value))
}

function byName(fields: unknown, parts: SchemaParts): unknown {
  if (!isFields(fields)) return fields
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => !isOtherName(value))
      .map(([name, value]) => [name, inside(value, parts)]),
  )
}

function inside(value: unknown, parts: SchemaParts): unknown {
  if (Array.isArray(value)) return value.map((item) => inside(item, parts))
  return isFields(value) ? plain(value, parts) : value
}

/** The object's schema of one that may also be null; any other schema as it is. */
export function objectIn(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema
  const object = Array.isArray(anyOf) ? anyOf.find((one) => isFields(one) && one['type'] === 'object') : undefined
  return isFields(object) ? object : schema
}

/** The fields of an object's schema. */
export function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return isFields(properties) ? (properties as Readonly<Record<string, JsonSchema>>) : {}
}
