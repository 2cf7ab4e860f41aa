import { z } from 'zod'
import type { Outcome } from '../../../domain/errors.ts'
import {
  FLOW_NAME_LENGTH,
  readFlowConfirmation,
  readFlowCreation,
  readFlowDocument,
  readFlowPatch,
  readFlowSuccessor,
  readNoFields,
} from '../../../domain/flow-form.ts'
import { FLOW_CATEGORIES, FLOW_HEALTHS, FLOW_STATUSES } from '../../../domain/flow.ts'
import { isInOrder, NOT_IN_ORDER, rangeFields } from '../date-range.ts'
import { isWithinReach, OUT_OF_REACH, pagedAnswer, pageFields } from '../paging.ts'
import { timestamp } from '../phone-schema.ts'

type Property = Readonly<Record<string, unknown>>

/**
 * A body that the domain reads, because its faults have codes and an order of their own ([flows.scope.3]). The result
 * is an outcome. It is read during validation, so that a large body takes its turn like all large bodies.
 */
function bodyInput<T>(
  id: string,
  read: (body: unknown) => Outcome<T>,
  properties: Readonly<Record<string, Property>>,
  required: readonly string[] = [],
) {
  const form = {
    type: 'object' as const,
    properties,
    additionalProperties: false,
    ...(required.length > 0 ? { required: [...required] } : {}),
  }
  return z
    .unknown()
    .meta({ id, ...form })
    .transform(read)
}

const name: Property = {
  type: 'string',
  minLength: 1,
  maxLength: FLOW_NAME_LENGTH,
  description: 'Unique in the account',
}
const categories: Property = {
  type: 'array',
  minItems: 1,
  uniqueItems: true,
  items: { type: 'string', enum: [...FLOW_CATEGORIES] },
}

export const createInput = bodyInput(
  'FlowCreate',
  readFlowCreation,
  {
    name,
    categories: { ...categories, description: 'Default `["OTHER"]`, of a clone those of its source' },
    cloneFromFlowId: {
      type: ['string', 'null'],
      description: 'Takes over the document of this Flow, as upstream holds it',
    },
  },
  ['name'],
)
export const patchInput = bodyInput('FlowPatch', readFlowPatch, { name, categories })
export const documentInput = bodyInput(
  'FlowDocument',
  readFlowDocument,
  {
    flowJson: {
      type: 'string',
      description: 'The document as a text, at most 10 MB of UTF-8 and 100,000 values; it goes up byte for byte',
    },
  },
  ['flowJson'],
)
export const publishInput = bodyInput(
  'FlowPublish',
  readFlowConfirmation,
  { confirm: { type: 'boolean', const: true } },
  ['confirm'],
)
export const deprecateInput = bodyInput('FlowDeprecate', readFlowSuccessor, {
  supersededByFlowId: { type: ['string', 'null'], description: 'The Flow that takes its place' },
})
export const noInput = bodyInput('NoFields', readNoFields, {})

export const flowParams = z.object({
  id: z.string().meta({ description: 'Id of the Flow', example: 'flow_01kb0000000000000000000000' }),
})

export const readQuery = z.object({
  refresh: z.enum(['0', '1'], { error: 'must be 0 or 1' }).optional().meta({ description: '`1` reads upstream first' }),
})

export const listQuery = z
  .object({
    ...pageFields,
    officialStatus: z.enum(FLOW_STATUSES, { error: `must be one of ${FLOW_STATUSES.join(', ')}` }).optional(),
  })
  .refine(isWithinReach, OUT_OF_REACH)

export const responsesQuery = z
  .object({ ...rangeFields, ...pageFields })
  .refine(isInOrder, NOT_IN_ORDER)
  .refine(isWithinReach, OUT_OF_REACH)

const validationErrors = z.array(z.record(z.string(), z.unknown()))

export const flow = z
  .object({
    id: z.string(),
    officialFlowId: z
      .string()
      .nullable()
      .meta({ description: 'Upstream’s id: digits, longer than a number can hold; null until it is there' }),
    name: z.string(),
    officialStatus: z.enum(FLOW_STATUSES),
    categories: z.array(z.enum(FLOW_CATEGORIES)),
    jsonVersion: z.string().meta({ description: 'Empty without a document' }),
    healthStatus: z.enum(FLOW_HEALTHS),
    validationErrors: validationErrors.meta({
      description: 'What upstream finds wrong with the document, each with its lines and columns, in upstream’s words',
    }),
    previewUrl: z.string().nullable(),
    clonedFromFlowId: z.string().nullable(),
    supersededByFlowId: z.string().nullable(),
    syncError: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why upstream refused one that was to be brought up after it was answered' }),
    publishedAt: timestamp.nullable().meta({ description: 'Null where that was before it was known here' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Flow' })

export const flowPage = z
  .object({ flows: z.array(flow), total: z.int(), page: z.int(), pageSize: z.int(), totalPages: z.int() })
  .meta({ id: 'FlowPage' })

const response = z
  .object({
    id: z.string(),
    flowId: z.string(),
    contactNumber: z.string().meta({ description: 'Digits, or upstream’s id of a user who hides the number' }),
    contactName: z.string().nullable(),
    conversationId: z.string(),
    messageId: z.string().nullable().meta({ description: 'The Flow message that it answers' }),
    externalMessageId: z.string().meta({ description: 'Upstream’s id of the reply' }),
    flowToken: z.string().nullable(),
    response: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Its fields; files are as they were told, and are read by `GET /v1/media/{id}`' }),
    rawResponse: z.string().optional().meta({ description: 'As upstream told it, where it cannot be read' }),
    submittedAt: timestamp.meta({ description: 'By upstream’s clock' }),
  })
  .meta({ id: 'FlowResponse' })

export const responsePage = z.object({ responses: z.array(response), ...pagedAnswer }).meta({ id: 'FlowResponsePage' })
export const document = z
  .object({ flowJson: z.string().nullable().meta({ description: 'Null before the first' }) })
  .meta({ id: 'FlowDocumentRead' })
export const validated = z.object({ validationErrors: validationErrors.max(0) }).meta({ id: 'FlowDocumentTaken' })
export const deletedFlow = z.object({ deleted: z.literal(true), id: z.string() }).meta({ id: 'DeletedFlow' })
export const syncAnswer = z
  .object({
    imported: z.int(),
    updated: z.int(),
    removed: z.int(),
    total: z.int().meta({ description: 'Flows that upstream has' }),
  })
  .meta({ id: 'FlowSync' })
