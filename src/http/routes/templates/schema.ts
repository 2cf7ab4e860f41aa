import { z } from 'zod'
import { templateLanguageOf } from '../../../domain/template-language.ts'
import { TEMPLATE_NAME_LENGTH } from '../../../domain/template-name.ts'
import {
  TEMPLATE_CATEGORIES,
  TEMPLATE_QUALITIES,
  TEMPLATE_SOURCES,
  TEMPLATE_STATUSES,
} from '../../../domain/template.ts'
import { isWithinReach, OUT_OF_REACH, pageFields } from '../paging.ts'
import { timestamp } from '../phone-schema.ts'

const category = z.enum(TEMPLATE_CATEGORIES, { error: `must be one of ${TEMPLATE_CATEGORIES.join(', ')}` })

const header = z
  .object({
    type: z.string().meta({
      description:
        '`NONE`, `TEXT`, `IMAGE`, `VIDEO`, `DOCUMENT`; others may be imported and are listed in `unsupported`',
    }),
    text: z.string().optional(),
    url: z
      .string()
      .optional()
      .meta({ description: 'Of media: where the sample is. One that came as base64 has an address of the service' }),
  })
  .meta({ id: 'TemplateHeader' })

const button = z
  .object({
    type: z.string().meta({
      description: '`QUICK_REPLY`, `URL`, `PHONE_NUMBER`, `COPY_CODE`, `PAYMENT_REQUEST`, `FLOW`, `ORDER_DETAILS`',
    }),
    text: z.string().optional().meta({ description: 'Label, 25 characters' }),
    url: z.string().optional().meta({ description: 'May end in one variable' }),
    phone_number: z.string().optional(),
    example: z
      .array(z.string())
      .optional()
      .meta({ description: 'COPY_CODE: one code, or one variable. PAYMENT_REQUEST: one variable' }),
    flowId: z.string().optional(),
    action: z.string().optional(),
    screen: z.string().optional(),
  })
  .meta({ id: 'TemplateButton' })

const card = z
  .object({
    media: z.object({ url: z.string() }),
    body: z.object({ text: z.string() }).nullable(),
    buttons: z.array(button),
  })
  .meta({ id: 'TemplateCard' })

/** The body as reads give it, and as PUT takes it back unchanged ([templates.body.2], [templates.body.3]). */
const templateBody = z
  .object({
    header,
    body: z.object({ text: z.string(), addSecurityRecommendation: z.boolean().optional() }).nullable(),
    footer: z.object({ text: z.string().optional(), codeExpirationMinutes: z.number().optional() }).nullable(),
    buttons: z.array(button),
    carousel: z.object({ cards: z.array(card) }).nullable(),
  })
  .meta({ id: 'TemplateBody' })

/** A body of any type, because the rules read its form and have codes of their own ([templates.checks.2]). */
const bodyInput = z.unknown().meta({
  anyOf: [
    {
      type: 'object',
      properties: {
        header: {
          type: 'object',
          properties: {
            type: { type: 'string' },
            text: { type: 'string' },
            url: { type: 'string' },
            base64: { type: 'string' },
          },
        },
        body: {
          type: 'object',
          properties: { text: { type: 'string' }, addSecurityRecommendation: { type: 'boolean' } },
        },
        footer: {
          type: 'object',
          properties: { text: { type: 'string' }, codeExpirationMinutes: { type: 'integer' } },
        },
        buttons: { type: 'array', items: { $ref: '#/components/schemas/TemplateButton' } },
        carousel: {
          type: 'object',
          properties: { cards: { type: 'array', items: { $ref: '#/components/schemas/TemplateCard' } } },
        },
      },
    },
    { type: 'string' },
  ],
  description:
    'An object with `header`, `body`, `footer`, `buttons`, `carousel`; the same as JSON text; or any other text, which is the text of the body',
})

const examplesInput = z
  .unknown()
  .optional()
  .meta({
    type: 'object',
    additionalProperties: { type: ['string', 'number'] },
    description: 'A sample of each variable, under its key',
  })

const variablesInput = z
  .unknown()
  .optional()
  .meta({
    type: 'object',
    additionalProperties: { type: ['string', 'number'] },
    description: 'Values to fill in; the examples where one is missing',
  })

const name = z.string().meta({
  description: `Letters, digits, \`_\`, at most ${TEMPLATE_NAME_LENGTH}; capitals, accents, white space, \`-\`, \`.\` and \`/\` are turned into these`,
})
const language = z.string().meta({ description: 'Such as `en`, `pt_BR` or `pt-BR`' })

export const createInput = z
  .object({ name, category, language, body: bodyInput, examples: examplesInput })
  .meta({ id: 'TemplateCreate' })
export const previewInput = z
  .object({ name, category, language, body: bodyInput, examples: examplesInput, variables: variablesInput })
  .meta({ id: 'TemplatePreview' })
export const updateInput = z
  .object({
    name: name.nullish(),
    category: category.nullish(),
    language: language.nullish(),
    body: bodyInput,
    examples: examplesInput,
  })
  .meta({ id: 'TemplateUpdate' })

export const templateParams = z.object({
  id: z.string().meta({ description: 'Id or name of the template', example: 'order_shipped' }),
})

const languageFilter = z
  .string()
  .transform((text, context) => {
    const read = templateLanguageOf(text)
    if (read !== null) return read
    context.addIssue({ code: 'custom', message: 'must be a language such as en or pt_BR' })
    return z.NEVER
  })
  .meta({ type: 'string' })

export const oneQuery = z.object({
  language: languageFilter.optional().meta({ type: 'string', description: 'Which, where languages share the name' }),
})

export const readQuery = z.object({
  ...oneQuery.shape,
  refresh: z.enum(['0', '1'], { error: 'must be 0 or 1' }).optional().meta({ description: '`1` reads upstream first' }),
})

export const listQuery = z
  .object({
    ...pageFields,
    name: z.string().max(TEMPLATE_NAME_LENGTH).optional().meta({ description: 'A part of the name' }),
    category: category.optional(),
    language: languageFilter.optional(),
    source: z.enum(TEMPLATE_SOURCES, { error: `must be one of ${TEMPLATE_SOURCES.join(', ')}` }).optional(),
    officialStatus: z.enum(TEMPLATE_STATUSES, { error: `must be one of ${TEMPLATE_STATUSES.join(', ')}` }).optional(),
    sendable: z.enum(['true', 'false'], { error: 'must be true or false' }).optional(),
  })
  .refine(isWithinReach, OUT_OF_REACH)

export const template = z
  .object({
    id: z.string(),
    name: z.string(),
    category: z.enum(TEMPLATE_CATEGORIES),
    language: z.string(),
    source: z.enum(TEMPLATE_SOURCES).meta({ description: '`LOCAL`: of an UNOFFICIAL number, sendable at once' }),
    officialStatus: z.enum(TEMPLATE_STATUSES).nullable(),
    officialLanguage: z.string().nullable(),
    sendable: z.boolean(),
    variables: z.array(z.string()).meta({ description: 'The keys that a send gives, each once' }),
    body: templateBody,
    examples: z.record(z.string(), z.union([z.string(), z.number()])),
    externalId: z.string().nullable().meta({ description: 'Upstream’s id: digits, longer than a number can hold' }),
    upstreamStatus: z.string().nullable().meta({ description: 'Upstream’s own word' }),
    statusReason: z.string().nullable(),
    statusDescription: z.string().nullable(),
    quality: z.enum(TEMPLATE_QUALITIES).nullable(),
    requestedCategory: z
      .enum(TEMPLATE_CATEGORIES)
      .nullable()
      .meta({ description: 'As it was asked for; upstream may have put it into another' }),
    correctCategory: z.enum(TEMPLATE_CATEGORIES).nullable().meta({ description: 'What upstream would call it' }),
    unsupported: z.array(z.string()).meta({ description: 'What of it cannot be sent; with any it is not sendable' }),
    submittedAt: timestamp.nullable().meta({ description: 'When upstream took it' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Template' })

export const templatePage = z
  .object({
    templates: z.array(template),
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    totalPages: z.int(),
  })
  .meta({ id: 'TemplatePage' })

export const previewAnswer = z
  .object({ name: z.string(), variables: z.array(z.string()), preview: templateBody })
  .meta({ id: 'TemplatePreviewed' })
export const deletedTemplate = z.object({ deleted: z.literal(true), id: z.string() }).meta({ id: 'DeletedTemplate' })
export const syncAnswer = z
  .object({
    imported: z.int(),
    updated: z.int(),
    removed: z.int(),
    total: z.int().meta({ description: 'Templates that upstream has' }),
  })
  .meta({ id: 'TemplateSync' })
