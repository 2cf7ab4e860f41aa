import { listIn, own, textIn, type Fields } from '../../../src/domain/json-fields.ts'
import type { Change } from '../webhooks/webhooks.ts'
import type { PlatformTemplate } from './template.ts'

/** A number in JSON with all of its digits, which a number of JavaScript would lose. */
function bigNumber(digits: string): unknown {
  return (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON(digits)
}

function changeOf(
  template: PlatformTemplate,
  field: string,
  parts: object,
  language: string = template.language,
): Change {
  const { id, name, accountId } = template
  const value = {
    ...parts,
    message_template_id: bigNumber(id),
    message_template_name: name,
    message_template_language: language,
  }
  return { accountId, phoneId: null, field, value }
}

/** What a change of status says besides the status. */
export interface StatusWords {
  readonly reason?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** Titles that upstream gives when none is named. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['PAUSED', 'FIRST_PAUSE'],
  ['DISABLED', 'DISABLED'],
])
const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['PAUSED', 'Your template was paused because its quality is low. It can be sent again once the pause is over.'],
  ['DISABLED', 'Your template was disabled because its quality stayed low.'],
])

/** A change of status, with `language` as the webhook writes it, and `nowMs` since the epoch. */
export function statusChange(
  template: PlatformTemplate,
  event: string,
  { reason, title, description }: StatusWords,
  nowMs: number,
  language?: string,
): Change {
  const titled = title ?? TITLES.get(event)
  const described = description ?? DESCRIPTIONS.get(event)
  return changeOf(
    template,
    'message_template_status_update',
    {
      event,
      reason: reason ?? 'NONE',
      message_template_category: template.category,
      ...(event === 'DISABLED' ? { disable_info: { disable_date: String(Math.floor(nowMs / 1_000)) } } : {}),
      ...(event !== 'REJECTED' && titled !== undefined
        ? { other_info: { title: titled, ...(described === undefined ? {} : { description: described }) } }
        : {}),
      ...(event === 'REJECTED' && description !== undefined
        ? { rejection_info: { reason: description, ...(title === undefined ? {} : { recommendation: title }) } }
        : {}),
    },
    language,
  )
}

export function qualityChange(template: PlatformTemplate, before: string, language?: string): Change {
  return changeOf(
    template,
    'message_template_quality_update',
    { previous_quality_score: before, new_quality_score: template.quality },
    language,
  )
}

/** The change that tells a new category. */
export function categoryChange(template: PlatformTemplate, before: string, language?: string): Change {
  return changeOf(
    template,
    'template_category_update',
    { previous_category: before, new_category: template.category },
    language,
  )
}

/** The notice of a coming category; its `new_category` is the present one. */
export function categoryNotice(
  template: PlatformTemplate,
  correctCategory: string,
  atMs: number,
  language?: string,
): Change {
  const parts = {
    correct_category: correctCategory,
    new_category: template.category,
    category_update_timestamp: Math.floor(atMs / 1_000),
  }
  return changeOf(template, 'template_category_update', parts, language)
}

export function categoryDetection(template: PlatformTemplate, correctCategory: string, language?: string): Change {
  return changeOf(
    template,
    'template_correct_category_detection',
    { category: template.category, correct_category: correctCategory },
    language,
  )
}

function ofType(components: readonly Fields[], type: string): Fields {
  return components.find((one) => own(one, 'type') === type) ?? {}
}

/** The change that tells a new wording, by its texts alone. */
export function componentsChange(template: PlatformTemplate, language?: string): Change {
  const { components } = template
  const [body, header, footer] = ['BODY', 'HEADER', 'FOOTER'].map((type) => textIn(ofType(components, type), 'text'))
  const buttons = listIn(ofType(components, 'BUTTONS'), 'buttons').map((button) => ({
    message_template_button_type: own(button, 'type'),
    message_template_button_text: own(button, 'text'),
    message_template_button_url: own(button, 'url'),
    message_template_button_phone_number: own(button, 'phone_number'),
  }))
  return changeOf(
    template,
    'message_template_components_update',
    {
      message_template_element: body ?? '',
      ...(header ? { message_template_title: header } : {}),
      ...(footer ? { message_template_footer: footer } : {}),
      ...(buttons.length === 0 ? {} : { message_template_buttons: buttons }),
    },
    language,
  )
}
