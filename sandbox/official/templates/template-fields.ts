import { isFields, type Fields } from '../../../src/domain/json-fields.ts'
import { pick } from '../http/fields.ts'
import type { PlatformTemplate } from './template.ts'

/** Fields shown when none are named. */
const DEFAULT_FIELDS = [
  'name',
  'parameter_format',
  'components',
  'language',
  'status',
  'category',
  'previous_category',
  'id',
]

/** Replaces handles of samples by addresses, at any depth. */
function withAddresses(value: unknown, urlOf: (handle: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => withAddresses(one, urlOf))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'header_handle' && Array.isArray(one)
        ? one.map((handle) => urlOf(String(handle)))
        : withAddresses(one, urlOf),
    ]),
  )
}

/**
 * A template as read: the fields asked for, or those that upstream gives by itself. `urlOf` gives the address where a
 * sample can be seen.
 */
export function templateFields(
  template: PlatformTemplate,
  query: string | null,
  urlOf: (handle: string) => string,
): Fields {
  const {
    id,
    name,
    language,
    status,
    category,
    components,
    parameterFormat,
    quality,
    rejectedReason,
    previousCategory,
    correctCategory,
  } = template
  const fields = {
    id,
    name,
    language,
    status,
    category,
    parameter_format: parameterFormat,
    components: withAddresses(components, urlOf),
    quality_score: { score: quality },
    rejected_reason: rejectedReason,
    // Absent when there is none.
    previous_category: previousCategory ?? undefined,
    correct_category: correctCategory ?? undefined,
    sub_category: undefined,
    cta_url_link_tracking_opted_out: false,
    message_send_ttl_seconds: undefined,
    library_template_name: undefined,
  }
  return pick(fields, query, DEFAULT_FIELDS, 'WhatsAppBusinessHSM')
}
