import { z } from 'zod'
import { listIn, own, type Fields } from '../../../src/domain/json-fields.ts'
import { GraphError } from '../http/graph-error.ts'
import { readComponent } from '../http/read-component.ts'
import type { UploadShelf } from '../media/upload-shelf.ts'
import type { OfficialAccount } from '../registry/registry.ts'
import { checkComponents, type ComponentFacts } from './component-rules.ts'
import type { HandleCheck } from './header-files.ts'
import { checkSampleFile } from './sample-files.ts'
import { refusal } from './template-error.ts'
import { CATEGORIES, PARAMETER_FORMATS, type NewTemplate, type PlatformTemplate } from './template.ts'

/** The languages that upstream accepts for templates. */
const LANGUAGES: ReadonlySet<string> = new Set(
  `
  af ar ar_AE ar_EG ar_LB ar_MA ar_QA az be_BY bg bn bn_IN ca cs da de de_AT de_CH el en en_AE en_AU en_CA en_GB en_GH en_IE en_IN en_JM en_MY en_NZ
  en_QA en_SG en_UG en_US en_ZA es es_AR es_CL es_CO es_CR es_DO es_EC es_ES es_HN es_MX es_PA es_PE es_UY et fa fi fil fr fr_BE fr_CA fr_CH fr_CI fr_MA
  ga gu ha he hi hr hu id it ja ka kk kn ko ky_KG lo lt lv mk ml mr ms nb nl nl_BE pa pl prs_AF ps_AF pt_BR pt_PT ro ru rw_RW si_LK sk sl sq sr sv sw ta te
  th tr uk ur uz vi zh_CN zh_HK zh_TW zu
`
    .trim()
    .split(/\s+/),
)

const categorySchema = z.enum(CATEGORIES)
const formatSchema = z
  .string()
  .transform((format) => format.toUpperCase())
  .pipe(z.enum(PARAMETER_FORMATS))
/** Other fields are ignored, as Graph does. */
const submissionSchema = z.object({
  name: z.string(),
  language: z.string(),
  category: categorySchema,
  components: z.unknown(),
  parameter_format: formatSchema.default('POSITIONAL'),
})
const editSchema = z.object({
  components: z.unknown().optional(),
  category: categorySchema.optional(),
  parameter_format: formatSchema.optional(),
})

const deletionSchema = z.object({
  name: z.string().min(1).optional(),
  hsm_id: z.string().regex(/^\d+$/).optional(),
  hsm_ids: z.array(z.string()).optional(),
})

/** What templates need of the Flows of an account; `named` has `flow_id` or `flow_name`. */
export interface SendableFlows {
  /** Refuses a Flow that a button of a template cannot open. */
  assertPublished(accountId: string, named: Fields): void
  /** Counts a message with a Flow, or refuses it. */
  take(accountId: string, named: Fields, isDraft: boolean): void
}

/** Facts that submissions are checked by. */
export interface SubmissionFacts {
  readonly uploads: UploadShelf
  /** The account whose app's uploads count, and that says what its templates may have. */
  readonly account: OfficialAccount
  readonly flows: SendableFlows
}

function handleCheck({ uploads, account: { appId } }: SubmissionFacts): HandleCheck {
  return (handle, format) => checkSampleFile(uploads.byHandle(handle), appId, format)
}

function flowCheck({ flows, account: { id } }: SubmissionFacts): ComponentFacts['checkFlow'] {
  return (button) => flows.assertPublished(id, button)
}

function assertPayments(components: readonly Fields[], { account }: SubmissionFacts): void {
  const isAsking = components.some((component) =>
    listIn(component, 'buttons').some((button) => own(button, 'type') === 'PAYMENT_REQUEST'),
  )
  if (isAsking && !account.hasPaymentButtons)
    throw refusal(
      'payment',
      'Payment button not enabled',
      'Buttons that ask for a payment are not enabled for this account.',
    )
}

/** Reads a new template. Refuses what upstream refuses at once; the caller checks whether its name is free. */
export function readSubmission(body: Fields, facts: SubmissionFacts): Omit<NewTemplate, 'accountId' | 'status'> {
  const {
    name,
    language,
    category,
    components: given,
    parameter_format: parameterFormat,
  } = readComponent(submissionSchema, body, '')
  if (!/^[a-z0-9_]{1,512}$/.test(name))
    throw refusal('name', 'Template name is wrong', 'A name has 1 to 512 lower case letters, digits and underscores.')
  if (!LANGUAGES.has(language))
    throw new GraphError(100, {
      message: `(#100) Param language must be one of {${[...LANGUAGES].join(', ')}} - got "${language}".`,
    })
  const components = checkComponents(given, {
    category,
    language,
    format: parameterFormat,
    checkHandle: handleCheck(facts),
    checkFlow: flowCheck(facts),
  })
  assertPayments(components, facts)
  return { name, language, category, parameterFormat, components }
}

/** Reads a new wording or category of a template; absent fields stay. */
export function readEdit(
  template: PlatformTemplate,
  body: Fields,
  facts: SubmissionFacts,
): Pick<NewTemplate, 'category' | 'parameterFormat' | 'components'> {
  const { components: given, category: wanted, parameter_format: format } = readComponent(editSchema, body, '')
  if (given === undefined && wanted === undefined)
    throw new GraphError(100, { message: '(#100) The parameter components is required.' })
  const category = readComponent(categorySchema, wanted ?? template.category, 'category')
  const parameterFormat = format ?? template.parameterFormat
  const components =
    given === undefined
      ? template.components
      : checkComponents(given, {
          category,
          language: template.language,
          format: parameterFormat,
          checkHandle: handleCheck(facts),
          checkFlow: flowCheck(facts),
        })
  assertPayments(components, facts)
  return { category, parameterFormat, components }
}

/** Reads which templates to delete: those of a name, of ids, or of both; null means any. */
export function readDeletion(given: Fields): { readonly name: string | null; readonly ids: readonly string[] | null } {
  const { name, hsm_id: id, hsm_ids: ids } = readComponent(deletionSchema, given, '')
  if (name === undefined && ids === undefined)
    throw new GraphError(100, { message: '(#100) The parameter name is required.' })
  return { name: name ?? null, ids: ids ?? (id === undefined ? null : [id]) }
}
