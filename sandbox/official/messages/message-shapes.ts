import { z } from 'zod'
import { GraphError } from '../http/graph-error.ts'
import { mediaShape, type MediaReference } from '../media/media-reference.ts'
import { MEDIA_TYPES, type MediaType } from '../media/media-rules.ts'
import { templateMessageShape } from '../templates/message-shape.ts'
import { interactiveSchemas } from './interactive-shapes.ts'

/** Upstream's limits of the objects named after a type. */
const CAPTION = z.string().max(1_024).optional()
const coordinate = (max: number) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^-?\d+(\.\d+)?$/)
        .transform(Number),
    ])
    .pipe(z.number().min(-max).max(max))

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  text: z.strictObject({
    body: z.string().min(1).max(4_096).regex(/\S/, 'is blank'),
    preview_url: z.boolean().optional(),
  }),
  image: mediaShape({ caption: CAPTION }),
  video: mediaShape({ caption: CAPTION }),
  audio: mediaShape({ voice: z.boolean().optional() }),
  document: mediaShape({ caption: CAPTION, filename: z.string().min(1).max(240).optional() }),
  sticker: mediaShape({}),
  location: z.strictObject({
    latitude: coordinate(90),
    longitude: coordinate(180),
    name: z.string().optional(),
    address: z.string().optional(),
  }),
  contacts: z
    .array(
      z.looseObject({
        name: z
          .looseObject({ formatted_name: z.string().min(1) })
          .refine((name) => Object.keys(name).length > 1, 'needs another part of the name beside formatted_name'),
        phones: z.array(z.looseObject({ phone: z.string().optional() })).optional(),
        emails: z.array(z.looseObject({})).optional(),
        addresses: z.array(z.looseObject({})).optional(),
        urls: z.array(z.looseObject({})).optional(),
        org: z.looseObject({}).optional(),
        birthday: z.string().optional(),
      }),
    )
    .min(1),
  reaction: z.strictObject({ message_id: z.string().min(1), emoji: z.string().max(32) }),
  template: templateMessageShape,
}

/** The `type` of an interactive message; null for all others. */
export function interactiveKind(type: string, content: unknown): string | null {
  if (type !== 'interactive' || typeof content !== 'object' || content === null || !('type' in content)) return null
  return typeof content.type === 'string' ? content.type : null
}

function schemaOf(type: string, content: unknown): z.ZodType {
  const kind = interactiveKind(type, content)
  const schema = kind === null ? SCHEMAS[type] : interactiveSchemas[kind]
  if (schema) return schema
  if (type === 'interactive' && kind === null)
    throw new GraphError(131008, { details: 'interactive.type: is required' })
  throw new GraphError(131051, { details: `Messages of type ${kind ?? type} are not part of this platform` })
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  )
}

/** Reads a part of a body. Missing fields are refused with 131008, wrong ones with 131009, unknown ones with 100. */
export function readPart<T>(schema: z.ZodType<T>, value: unknown, within: string = ''): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const details = issues
    .map(({ path, message }) => `${[within, ...path].filter((key) => key !== '').join('.')}: ${message}`)
    .join('; ')
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys')
  if (unknown)
    throw new GraphError(100, {
      details: `Unexpected key "${unknown.keys.join('", "')}" on param "${[within, ...unknown.path].join('.')}"`,
    })
  const isMissing = issues.some(({ path }) => valueAt(value, path) === undefined)
  throw new GraphError(isMissing ? 131008 : 131009, { details })
}

/** Refuses a message whose object does not fit its type. Answers the object with its defaults. */
export function readContent(type: string, content: unknown): unknown {
  return readPart(schemaOf(type, content), content, type)
}

function isMedia(type: string): type is MediaType {
  return (MEDIA_TYPES as readonly string[]).includes(type)
}

/** The file of a header whose type is a file's, or nothing. */
function ofHeader(header: unknown): MediaReference[] {
  const type = valueAt(header, ['type'])
  return typeof type === 'string' && isMedia(type) ? [toReference(type, valueAt(header, [type]))] : []
}

function toReference(type: MediaType, media: unknown): MediaReference {
  const [id, link] = [valueAt(media, ['id']), valueAt(media, ['link'])]
  return { type, id: typeof id === 'string' ? id : null, link: typeof link === 'string' ? link : null }
}

/** Components of a template in the order in which they show; cards by their index. */
function partsOfTemplate(components: unknown): unknown[] {
  if (!Array.isArray(components)) return []
  return components.flatMap((component: unknown) => {
    const cards = valueAt(component, ['cards'])
    if (!Array.isArray(cards)) return [component]
    const ordered = (cards as unknown[]).toSorted(
      (a, b) => Number(valueAt(a, ['card_index'])) - Number(valueAt(b, ['card_index'])),
    )
    return ordered.flatMap((card) => partsOfTemplate(valueAt(card, ['components'])))
  })
}

/** The files that headers of a template were sent with. */
function ofTemplate(content: unknown): MediaReference[] {
  return partsOfTemplate(valueAt(content, ['components'])).flatMap((component) => {
    const parameters = valueAt(component, ['parameters'])
    return valueAt(component, ['type']) === 'header' && Array.isArray(parameters) ? parameters.flatMap(ofHeader) : []
  })
}

/** The files that a valid message refers to, in their order. */
export function mediaOf(type: string, content: unknown): MediaReference[] {
  if (isMedia(type)) return [toReference(type, content)]
  if (type === 'template') return ofTemplate(content)
  if (type !== 'interactive') return []
  const cards = valueAt(content, ['action', 'cards'])
  return [content, ...(Array.isArray(cards) ? cards : [])].flatMap((part) => ofHeader(valueAt(part, ['header'])))
}

function bodyOf(content: unknown): string | null {
  const body = valueAt(content, ['body'])
  return typeof body === 'string' ? body : null
}

/** What a message says: its body or caption; null when it has none. */
export function textOf(type: string, content: unknown): string | null {
  if (type === 'template') return bodyOf(content)
  const text =
    type === 'interactive'
      ? valueAt(content, ['body', 'text'])
      : valueAt(content, [type === 'text' ? 'body' : 'caption'])
  return typeof text === 'string' ? text : null
}
