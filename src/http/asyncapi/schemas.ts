import { z } from 'zod'

/** A JSON Schema (draft 7), as an object. */
export type JsonSchema = Record<string, unknown>

const LOCAL = '#/definitions/'
const SHARED = '#/components/schemas/'

/**
 * Writes schemas as JSON Schema, and gathers their named parts, to which they refer. Receivers take further fields, so
 * no object says that it has no others.
 */
export class SchemaWriter {
  readonly #parts = new Map<string, unknown>()

  /** Every named part of what was written so far, by name. */
  get parts(): Record<string, unknown> {
    return Object.fromEntries([...this.#parts].toSorted(([a], [b]) => a.localeCompare(b)))
  }

  /** `io` says whether it is read as it is sent (`output`), or as it is taken (`input`). */
  write(schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonSchema {
    const {
      $schema: _,
      definitions = {},
      ...written
    } = z.toJSONSchema(schema, {
      target: 'draft-7',
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        // The name of a part, which draft 7 would read as its address.
        delete jsonSchema['id']
      },
    })
    for (const [name, part] of Object.entries(definitions as Record<string, JsonSchema>))
      this.#parts.set(name, shared(part))
    return shared(written) as JsonSchema
  }
}

/** The schema with references to where the document holds its parts. */
function shared(schema: object): unknown {
  const text = JSON.stringify(schema).replaceAll(`"$ref":"${LOCAL}`, `"$ref":"${SHARED}`)
  return JSON.parse(text)
}
