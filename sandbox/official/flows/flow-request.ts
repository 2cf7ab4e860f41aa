import { z } from 'zod'
import type { Fields } from '../http/fields.ts'
import { managed } from '../http/graph-error.ts'
import type { Multipart } from '../http/multipart.ts'
import { readComponent } from '../http/read-component.ts'
import { FLOW_CATEGORIES } from './flow.ts'

/** Upstream's limit of a document, bytes. */
const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024
const NAME_MAX = 200

const nameSchema = z
  .string()
  .min(1)
  .max(NAME_MAX)
  .refine((name) => name.trim() !== '', 'is blank')
const categoriesSchema = z.array(z.enum(FLOW_CATEGORIES)).min(1)
/** A form has texts in place of JSON's types. */
const flagSchema = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
const creationSchema = z.object({
  name: nameSchema,
  categories: categoriesSchema,
  clone_flow_id: z.string().regex(/^\d+$/).optional(),
  // A form has parsed it into an object already.
  flow_json: z
    .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
    .optional(),
  publish: flagSchema.optional(),
  endpoint_uri: z.string().optional(),
})
const updateSchema = z.object({
  name: nameSchema.optional(),
  categories: categoriesSchema.optional(),
  endpoint_uri: z.string().optional(),
  application_id: z.string().regex(/^\d+$/).optional(),
})

export type FlowCreation = z.infer<typeof creationSchema>

/** Body of `POST /{accountId}/flows`. */
export function readCreation(body: Fields): FlowCreation & { readonly endpointUri: string | null } {
  const creation = readComponent(creationSchema, body, '')
  if (creation.clone_flow_id !== undefined && creation.flow_json !== undefined)
    throw managed(
      100,
      'Only one clone source can be set',
      'A Flow is made of another Flow or of a document, not of both.',
    )
  return { ...creation, endpointUri: readEndpoint(creation.endpoint_uri) ?? null }
}

/** Reads the body of `POST /{flowId}`; absent fields stay. An empty endpoint removes the present one. */
export function readUpdate(body: Fields): {
  readonly name?: string | undefined
  readonly categories?: readonly string[] | undefined
  readonly applicationId?: string | undefined
  readonly endpointUri?: string | null | undefined
} {
  const { name, categories, application_id: applicationId, endpoint_uri: uri } = readComponent(updateSchema, body, '')
  if ([name, categories, applicationId, uri].every((given) => given === undefined))
    throw managed(
      100,
      'Nothing to update',
      'Give the name, the categories, the endpoint or the application of the Flow.',
    )
  return { name, categories, applicationId, endpointUri: readEndpoint(uri) }
}

function readEndpoint(uri: string | undefined): string | null | undefined {
  if (uri === undefined || uri === '') return uri === '' ? null : undefined
  const parsed = URL.parse(uri)
  // Plain http is allowed for this machine only.
  const isGood =
    parsed
    && (parsed.protocol === 'https:'
      || (parsed.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname)))
  if (!isGood) throw managed(100, 'Invalid Endpoint URI', 'The endpoint of a Flow has to be a full https address.')
  return uri
}

/** The document in the form of `POST /{flowId}/assets`. */
export function readAsset(form: Multipart | null): Buffer {
  const file = form?.file
  if (!file) throw managed(100, 'File is missing', 'Send the document as a file of a form, called file.')
  if (form.fields['asset_type'] !== 'FLOW_JSON')
    throw managed(100, 'Unknown type of asset', 'The asset_type of a document is FLOW_JSON.')
  if (form.fields['name'] !== 'flow.json')
    throw managed(100, 'Name of the asset', 'The name of a document is flow.json.')
  if (!/^application\/json\b/.test(file.mimeType))
    throw managed(100, 'Type of the file', `A document is of type application/json, not ${file.mimeType}.`)
  if (file.bytes.length > MAX_DOCUMENT_BYTES)
    throw managed(100, 'File is too large', `A document has ${MAX_DOCUMENT_BYTES} bytes at most.`)
  return file.bytes
}
