import type { PlatformAd } from '../ads/ad-book.ts'
import type { Fields } from '../http/fields.ts'
import { pickNested } from '../http/nested-fields.ts'
import type { PlatformForm, PlatformLead, PlatformPage } from './page.ts'

const DEFAULT_FORM_FIELDS = ['id', 'name', 'status', 'locale']
/** Fields that upstream gives when none are named. */
const DEFAULT_LEAD_FIELDS = ['id', 'created_time', 'field_data']

/** A Page as read: the fields asked for, or those that upstream gives by itself. */
export function pageFields({ id, name }: PlatformPage, query: string | null): Fields {
  return pickNested(
    { id, name, category: 'Local business', link: `https://sandbox.invalid/pages/${id}` },
    query,
    ['id', 'name'],
    'Page',
  )
}

/** A form as read. Empty fields are absent. */
export function formFields(
  { id, pageId, name, status, questions, checkboxes }: PlatformForm,
  query: string | null,
): Fields {
  const fields = {
    id,
    name,
    status,
    locale: 'en_US',
    page_id: pageId,
    page: { id: pageId },
    questions: questions.map((question, at) => ({ id: `${id}${at}`, ...question })),
    legal_content: {
      id: `${id}9`,
      privacy_policy: { url: 'https://sandbox.invalid/privacy', link_text: 'Privacy' },
      ...(checkboxes.length === 0
        ? {}
        : {
            custom_disclaimer: {
              title: 'Terms',
              body: { text: 'What you agree to', url_entities: [] },
              checkboxes: checkboxes.map(({ key, text, isRequired }, at) => ({
                id: `${id}8${at}`,
                key,
                text,
                is_required: isRequired,
                is_checked_by_default: false,
              })),
            },
          }),
    },
  }
  return pickNested(fields, query, DEFAULT_FORM_FIELDS, 'LeadGenData')
}

/** A lead as read. `ad` is the one it came from when the token sees it; empty fields are absent. */
export function leadFields(lead: PlatformLead, ad: PlatformAd | null, query: string | null): Fields {
  const { id, formId, createdAtMs, adId, isOrganic, platform, answers, consents } = lead
  const fields = {
    id,
    form_id: formId,
    created_time: new Date(createdAtMs).toISOString().replace(/\.\d+Z$/, '+0000'),
    ad_id: adId ?? undefined,
    ad_name: ad?.name,
    adset_id: ad?.adset.id,
    adset_name: ad?.adset.name,
    campaign_id: ad?.campaign.id,
    campaign_name: ad?.campaign.name,
    field_data: answers.map(({ key, values }) => ({ name: key, values })),
    custom_disclaimer_responses: consents?.map(({ key, isChecked }) => ({ checkbox_key: key, is_checked: isChecked })),
    is_organic: isOrganic,
    platform: platform ?? undefined,
    partner_name: undefined,
    post: undefined,
    home_listing: undefined,
    retailer_item_id: undefined,
    vehicle: undefined,
  }
  return pickNested(fields, query, DEFAULT_LEAD_FIELDS, 'LeadGenData')
}
