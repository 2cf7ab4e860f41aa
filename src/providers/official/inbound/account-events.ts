import { flowNewsOf } from '../../../domain/flow-events.ts'
import { templateRefOf } from '../../../domain/template-events.ts'
import type { TemplateEventKind } from '../../../domain/template-events.ts'
import { isAccountField, type AccountField } from '../../../domain/upstream-fields.ts'
import type { OfficialAccountEvent } from '../../../ports/official/changes.ts'
import { nameIn, objectIn } from '../values/loose.ts'
import { parseWhole } from '../values/whole-json.ts'

type Reader = (value: string) => OfficialAccountEvent[]

/** A change of limits, whatever it says: what is possible now is asked of upstream, not read from it. */
function limitsOf(): OfficialAccountEvent[] {
  return [{ type: 'limitsMayHaveRisen' }]
}

/** Reads a change of a template; nothing when it has neither a name nor an id. */
function templateOf(kind: TemplateEventKind): Reader {
  return (text) => {
    const value = parseWhole(text)
    if (!value) return []
    const ref = templateRefOf(value)
    return ref.externalId === null && ref.name === null ? [] : [{ type: 'templateTold', kind, ref, value }]
  }
}

function flowOf(text: string): OfficialAccountEvent[] {
  const value = parseWhole(text)
  const news = value && flowNewsOf(value)
  return news ? [{ type: 'flowTold', news }] : []
}

/** Of all news of an account one says that its marketing messages are let in. */
function accountOf(text: string): OfficialAccountEvent[] {
  const value = parseWhole(text)
  if (value?.['event'] !== 'MM_LITE_TERMS_SIGNED') return []
  return [{ type: 'marketingSigned', accountId: nameIn(objectIn(value, 'waba_info'), 'waba_id') }]
}

/** Field -> what its value (JSON text) says of the account. */
const READERS: Readonly<Record<AccountField, Reader>> = {
  account_update: accountOf,
  business_capability_update: limitsOf,
  phone_number_quality_update: limitsOf,
  flows: flowOf,
  message_template_status_update: templateOf('STATUS'),
  message_template_quality_update: templateOf('QUALITY'),
  message_template_components_update: templateOf('COMPONENTS'),
  template_category_update: templateOf('CATEGORY'),
  template_correct_category_detection: templateOf('CORRECT_CATEGORY'),
}

/** Reads what a change says of its account. Other fields give nothing. Never throws. */
export function readAccountEvents(field: string, value: string): readonly OfficialAccountEvent[] {
  return isAccountField(field) ? READERS[field](value) : []
}
