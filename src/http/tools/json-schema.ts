import { z } from 'zod'
import { isFields } from '../../domain/json-fields.ts'
import { isOtherName } from '../request/other-name.ts'

/** JSON Schema 2020-12, as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Named parts of schemas, which others may refer to. */
export type SchemaParts = ReadonlyMap<string, JsonSchema>

/** How documents name a part of theirs; the schemas of some bodies are written for documents. */
const REFERENCE = /^#\/(?:\$defs|components\/schemas)\/(.+)$/
/** What holds schemas by names of fields, which are no words of JSON Schema. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', 'patternProperties'])
/**
 * What says nothing to a reader of tools: bounds of every integer, names of parts, what names of fields are, and any
 * further field.
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

/** The parts that these schemas name. */
export function partsOf(schemas: readonly z.ZodType[]): SchemaParts {
  return new Map(
    schemas.flatMap((schema) => Object.entries(written(schema, 'output')['$defs'] ?? {}) as [string, JsonSchema][]),
  )
}

/**
 * A schema as a model reads it: whole, without references, and without what only programs want. More fields than it
 * names may come or go unless it says otherwise elsewhere.
 */
export function schemaOf(schema: z.ZodType, side: 'input' | 'output', parts: SchemaParts): JsonSchema {
  const whole = written(schema, side)
  return plain(whole, new Map([...parts, ...Object.entries((whole['$defs'] ?? {}) as Record<string, JsonSchema>)]))
}

/**
 * What schemas say, by themselves: they do not change, and most are asked for by more than one application, or tool.
 */
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
  // The format of a date says it all; its pattern takes 300 characters to.
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

/** The schema of the object in one that may also be nothing; anything else as it is. */
export function objectIn(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema
  const object = Array.isArray(anyOf) ? anyOf.find((one) => isFields(one) && one['type'] === 'object') : undefined
  return isFields(object) ? object : schema
}

/** The fields of the schema of an object. */
export function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return isFields(properties) ? (properties as Readonly<Record<string, JsonSchema>>) : {}
}
