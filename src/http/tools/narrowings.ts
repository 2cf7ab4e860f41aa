import { fieldsIn, listIn } from '../../domain/json-fields.ts'
import { hasEncodedHeader } from '../../domain/template-form.ts'
import { propertiesOf } from './json-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import type { ArgumentFault, Narrowing } from './tool.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

const ADDRESS = /^https?:\/\//i
const WANTED = 'must be an http or https URL: tools take no data URIs'

/**
 * Media of messages by address only ([tools.list.3]): a file among the arguments would go through the model, and exceed
 * its limits.
 */
export const ADDRESSES_ONLY: Narrowing = {
  schema: ({ media = {}, carousel = {}, ...others }) => ({
    ...others,
    media: described(media, "http(s) URL; with `templateId` in place of the header's file"),
    carousel: deep(carousel, 'image', (image) => described(image, 'http(s) URL')),
  }),
  fault: (args) =>
    addressFault('media', args['media'])
    ?? listIn(fieldsIn(args, 'carousel'), 'cards')
      .map((card, at) => addressFault(`carousel.cards.${at}.image`, card['image']))
      .find((fault) => fault !== null)
    ?? null,
}

/** The same for each message of a batch. Its schema names the fields of a send without their descriptions. */
export const EACH_BY_ADDRESS: Narrowing = {
  schema: (fields) => fields,
  fault: (args) =>
    listIn(args, 'messages')
      .map((message, at) => {
        const fault = ADDRESSES_ONLY.fault(message)
        return fault && { ...fault, path: `messages.${at}.${fault.path}` }
      })
      .find((fault) => fault !== null) ?? null,
}

/** The sample of a header by address only ([tools.list.6]). */
export const SAMPLE_BY_ADDRESS: Narrowing = {
  schema: ({ body = {}, ...others }) => ({ ...others, body: without(body, 'base64') }),
  fault: ({ body }) =>
    hasEncodedHeader(body)
      ? { path: 'body.header.base64', message: 'is not taken here: give header.url, an http or https URL' }
      : null,
}

/**
 * As SAMPLE_BY_ADDRESS, and `language` goes into the query only, where it says which template is meant: a template's
 * language never changes.
 */
export const WORDING_BY_ADDRESS: Narrowing = {
  ...SAMPLE_BY_ADDRESS,
  schema: (fields) => SAMPLE_BY_ADDRESS.schema(except(fields, 'language')),
}

/** The fault of a text that is no address. The route refuses what is no text. */
function addressFault(path: string, value: unknown): ArgumentFault | null {
  return typeof value === 'string' && !ADDRESS.test(value) ? { path, message: WANTED } : null
}

function described(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description }
}

/** The schema with `change` made to every field of that name, however deep. */
function deep(schema: JsonSchema, name: string, change: (field: JsonSchema) => JsonSchema): JsonSchema {
  return walked(schema, (fields) => (fields[name] ? { ...fields, [name]: change(fields[name]) } : fields))
}

function without(schema: JsonSchema, name: string): JsonSchema {
  return walked(schema, (fields) => except(fields, name))
}

function except(fields: Schemas, name: string): Schemas {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name))
}

function walked(schema: JsonSchema, change: (fields: Schemas) => Schemas): JsonSchema {
  const inner = Object.fromEntries(
    Object.entries(schema).map(([word, value]) => [word, word === 'properties' ? value : step(value, change)]),
  )
  if (!('properties' in schema)) return inner
  const fields = Object.entries(change(propertiesOf(schema))).map(
    ([name, field]) => [name, walked(field, change)] as const,
  )
  return { ...inner, properties: Object.fromEntries(fields) }
}

function step(value: unknown, change: (fields: Schemas) => Schemas): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => step(item, change))
  return typeof value === 'object' && value !== null ? walked(value as JsonSchema, change) : value
}
