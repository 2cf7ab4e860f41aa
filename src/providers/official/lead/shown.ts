import type { Fields } from '../../../domain/json-fields.ts'
import type { LeadPlatform } from '../../../domain/lead.ts'
import { storableDate } from '../../../domain/storable.ts'
import type { UpstreamForm, UpstreamLead } from '../../../ports/official/pages.ts'
import { digitIdIn, idIn, nonZeroIdIn, objectIn, objectsIn, textIn, timeIn, wordIn } from '../values/loose.ts'

/** The field of a Page's webhooks that tells of leads. */
export const LEADGEN = 'leadgen'
/** Fields read of a lead ([leads.fetching.2]); when none are named upstream gives three. */
export const LEAD_FIELDS =
  'id,created_time,form_id,ad_id,ad_name,adset_name,campaign_name,field_data,custom_disclaimer_responses,is_organic,platform'
/**
 * Fields read of a form. Nested ones are narrowed, because the rest is texts of its pages and answers to choose from.
 */
export const FORM_FIELDS =
  'id,name,status,page_id,questions{key,label,type},legal_content{custom_disclaimer{checkboxes{key,text,is_required}}}'

/** A form as upstream shows it; null when the fields have no id. */
export function shownForm(fields: Fields): UpstreamForm | null {
  const formId = idIn(fields)
  if (formId === null) return null
  const disclaimer = objectIn(objectIn(fields, 'legal_content'), 'custom_disclaimer')
  return {
    formId,
    formName: textIn(fields, 'name'),
    pageId: digitIdIn(fields, 'page_id') ?? idIn(objectIn(fields, 'page')),
    status: wordIn(fields, 'status') ?? '',
    questions: itemsIn(fields, 'questions').flatMap((question) => {
      const key = textIn(question, 'key')
      return key === null
        ? []
        : [{ key, label: textIn(question, 'label') ?? key, type: wordIn(question, 'type') ?? '' }]
    }),
    checkboxes: itemsIn(disclaimer, 'checkboxes').flatMap((checkbox) => {
      const key = textIn(checkbox, 'key')
      return key === null
        ? []
        : [{ key, text: textIn(checkbox, 'text') ?? '', isRequired: checkbox['is_required'] === true }]
    }),
  }
}

/** The objects of a list, or of a list in the form of an edge. */
function itemsIn(fields: Fields | null, key: string): Fields[] {
  const edge = objectIn(fields, key)
  return edge ? objectsIn(edge, 'data') : objectsIn(fields, key)
}

/** A lead as upstream shows it; null when the fields have no id. */
export function shownLead(fields: Fields): UpstreamLead | null {
  const leadgenId = nonZeroIdIn(fields, 'id')
  if (leadgenId === null) return null
  return {
    leadgenId,
    createdAt: timeIn(fields, 'created_time') ?? timeOf(fields['created_time']),
    formId: nonZeroIdIn(fields, 'form_id'),
    adId: nonZeroIdIn(fields, 'ad_id'),
    adName: textIn(fields, 'ad_name'),
    adsetName: textIn(fields, 'adset_name'),
    campaignName: textIn(fields, 'campaign_name'),
    answers: objectsIn(fields, 'field_data').flatMap((answer) => {
      const key = textIn(answer, 'name')
      return key === null ? [] : [{ key, values: valuesOf(answer['values']) }]
    }),
    consents: consentsOf(fields),
    isOrganic: typeof fields['is_organic'] === 'boolean' ? fields['is_organic'] : null,
    platform: PLATFORMS.get(fields['platform']) ?? null,
  }
}

const PLATFORMS: ReadonlyMap<unknown, LeadPlatform> = new Map([
  ['fb', 'fb'],
  ['ig', 'ig'],
])

/** Values as typed: nothing is trimmed, and an empty answer counts. */
function valuesOf(values: unknown): string[] {
  return (Array.isArray(values) ? values : [values]).flatMap((value: unknown) => {
    if (typeof value === 'string') return [value]
    return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []
  })
}

function consentsOf(fields: Fields): UpstreamLead['consents'] {
  if (!Array.isArray(fields['custom_disclaimer_responses'])) return null
  return objectsIn(fields, 'custom_disclaimer_responses').flatMap((response) => {
    const key = textIn(response, 'checkbox_key')
    return key === null ? [] : [{ key, isChecked: CHECKED.get(response['is_checked']) ?? null }]
  })
}

/** Values of a checkbox ([leads.stored.10]): upstream writes "1" and "", and may write the JSON values for it. */
const CHECKED: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['1', true],
  [1, true],
  [true, true],
  ['', false],
  ['0', false],
  [0, false],
  [false, false],
])

/**
 * Reads `2015-02-28T08:49:14+0000`, with or without a colon in its offset, and with or without a fraction of a second,
 * which is dropped. Null for anything else, for a day that does not exist, and for a time that cannot be stored.
 */
function timeOf(written: unknown): Date | null {
  const [, local, sign, hours, minutes] = typeof written === 'string' ? (TIME.exec(written) ?? []) : []
  if (local === undefined) return null
  // A day that does not exist is parsed as another day, or not at all.
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(local)) return null
  const offsetMinutes = hours === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  return storableDate(new Date(asUtc - offsetMinutes * 60_000))
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))$/
