import { z } from 'zod'
import { isUpstreamId } from '../../../domain/lead-page.ts'
import { PAGE_WEBHOOK_STATUSES } from '../../../domain/lead.ts'
import { BACKFILL_STATUSES } from '../../../ports/stores/lead-backfill-store.ts'
import { INSTANT } from '../instant.ts'
import { upstreamSecret } from '../numbers/schema.ts'
import { timestamp } from '../phone-schema.ts'

const digits = z
  .string()
  .refine(isUpstreamId, 'must be an id of the official platform: digits, as a text')
  .meta({ description: 'Upstream’s id: digits, longer than a number can hold' })
const pageAccessToken = upstreamSecret(4_096).meta({
  description: 'A Page token that may read its leads. Checked upstream before it is stored; never shown',
})
const appSecret = upstreamSecret(256).meta({ description: 'Verifies the webhook of the app; never shown' })
const channelNumberId = z.string().max(64).nullish()

export const linkInput = z
  .object({
    pageId: digits,
    pageAccessToken,
    channelNumberId: channelNumberId.meta({ description: 'The number its leads go to, unless the header names it' }),
    appId: digits.nullish().meta({ description: 'That of the OFFICIAL number when absent' }),
    appSecret: appSecret.nullish(),
  })
  .meta({ id: 'LeadPageLink' })

export const patchInput = z
  .object({
    channelNumberId: channelNumberId.meta({ description: 'The number that its leads go to from now on' }),
    pageAccessToken: pageAccessToken.nullish(),
    appSecret: appSecret.nullish(),
  })
  .meta({ id: 'LeadPagePatch' })

const pageId = z.string().max(64).meta({ description: 'Upstream’s id of the Page' })
export const pageParams = z.object({ pageId })
export const formParams = z.object({
  pageId,
  formId: z.string().max(64).meta({ description: 'Upstream’s id of the form' }),
})

export const readQuery = z.object({
  refresh: z.enum(['0', '1'], { error: 'must be 0 or 1' }).optional().meta({ description: '`1` asks upstream now' }),
})

const pageFields = {
  pageId: z.string(),
  pageName: z.string().nullable(),
  channelNumberId: z.string(),
  appId: z.string(),
  webhook: z.object({
    url: z.string().meta({ description: 'Where upstream delivers what it tells of the Pages of this app' }),
    status: z.enum(PAGE_WEBHOOK_STATUSES).meta({
      description: '`OTHER_CALLBACK`: the app delivers elsewhere, which is left so: its leads are found once an hour',
    }),
  }),
  isTokenValid: z
    .boolean()
    .meta({ description: 'False: upstream refuses the token, and what it told of waits for another' }),
  pendingLeads: z.int().meta({ description: 'Leads that upstream told of and that are not read yet' }),
  lastLeadAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
}
export const leadPage = z.object(pageFields).meta({ id: 'LeadPageLinked' })
export const createdPage = z
  .object({
    ...pageFields,
    verifyToken: z.string().meta({
      description: 'What upstream shows when it verifies the address: for an app whose webhook is set by hand',
    }),
  })
  .meta({ id: 'CreatedLeadPage' })
export const deletedPage = z.object({ deleted: z.literal(true), id: z.string() }).meta({ id: 'DeletedLeadPage' })

/**
 * our choice of lengths: upstream makes keys of questions out of their texts, and auto-send cuts a longer value anyway
 * ([leads.auto-send.15]).
 */
const key = z.string().min(1).max(1_000)
const text = z.string().max(1_024)

const variable = z
  .object({
    field: key.optional().meta({ description: 'The answer to this question' }),
    fallback: text.optional().meta({ description: 'Where the answer is empty' }),
    value: text.optional().meta({ description: 'This text' }),
  })
  .transform(({ field, fallback, value }, context) => {
    if (field !== undefined && value === undefined) return fallback === undefined ? { field } : { field, fallback }
    if (value !== undefined && field === undefined && fallback === undefined) return { value }
    context.addIssue({ code: 'custom', message: 'must be {field, fallback?} or {value}' })
    return z.NEVER
  })

/** our choice: no template has as many. */
const MOST_VARIABLES = 100

const autoSendInput = z
  .object({
    templateId: z.string().min(1).max(512).meta({ description: 'Id or name of a template of the Page’s number' }),
    variables: z
      .record(z.string().max(100), variable)
      .refine((given) => Object.keys(given).length <= MOST_VARIABLES, `holds at most ${MOST_VARIABLES}`)
      .optional()
      .meta({ description: 'Where each variable of the template comes from' }),
    onlyWithConsent: z
      .boolean()
      .optional()
      .meta({ description: 'Default true: only where the checkbox of `consentKey` says yes' }),
    skipRecentConversationDays: z
      .int()
      .min(0)
      .max(90)
      .optional()
      .meta({ description: 'Not to whom either side wrote within so many days; default 0: off' }),
  })
  .meta({ id: 'AutoSendInput' })

export const formInput = z
  .object({
    consentKey: z
      .string()
      .max(1_000)
      .nullish()
      .meta({ description: 'Key of the checkbox that says yes; null: consent is not asked for' }),
    autoSend: autoSendInput.nullish().meta({ description: 'What leads of the form are answered with; null: nothing' }),
  })
  .meta({ id: 'LeadFormSettings' })

const autoSend = z
  .object({
    templateId: z.string(),
    variables: z.record(
      z.string(),
      z.union([z.object({ field: z.string(), fallback: z.string().optional() }), z.object({ value: z.string() })]),
    ),
    onlyWithConsent: z.boolean(),
    skipRecentConversationDays: z.int(),
  })
  .meta({ id: 'AutoSend' })

export const form = z
  .object({
    formId: z.string(),
    formName: z.string().nullable(),
    pageId: z.string(),
    status: z.string().meta({ description: 'Upstream’s own word' }),
    questions: z.array(z.object({ key: z.string(), label: z.string(), type: z.string() })),
    checkboxes: z.array(z.object({ key: z.string(), text: z.string(), isRequired: z.boolean() })),
    consentKey: z.string().nullable(),
    autoSend: autoSend.nullable(),
    hasBackfill: z.boolean().meta({ description: 'Its leads were, or are being, imported' }),
  })
  .meta({ id: 'LeadForm' })
export const forms = z.object({ forms: z.array(form) }).meta({ id: 'LeadForms' })

/** The handler reads the date, because a wrong one has a code of its own ([leads.routes.10]). */
const date = (description: string) =>
  z
    .unknown()
    .optional()
    .meta({ type: ['string', 'null'], ...INSTANT, description })
export const backfillInput = z
  .object({
    since: date('From then on; 90 days before `until` when absent'),
    until: date('Until then, a date with its whole day; now when absent'),
  })
  .nullish()
  .meta({ id: 'BackfillStart' })

export const backfill = z
  .object({
    id: z.string(),
    pageId: z.string(),
    formId: z.string(),
    status: z.enum(BACKFILL_STATUSES),
    since: timestamp,
    until: timestamp,
    read: z.int().meta({ description: 'Leads read so far' }),
    imported: z.int(),
    duplicates: z.int().meta({ description: 'Known already, erased, or about to come by the webhook' }),
    waitingUntil: timestamp.nullable().meta({ description: 'Upstream throttles: it goes on then' }),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'LeadBackfill' })
