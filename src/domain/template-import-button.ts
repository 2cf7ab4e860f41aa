import { own, textIn } from './json-fields.ts'
import type { Fields } from './json-fields.ts'
import { buttonKeyOf } from './template-keys.ts'
import { scanText } from './template-placeholders.ts'
import type { ParameterFormat, TemplateButton, TemplateCategory } from './template.ts'

/** The facts that are needed to read a template of upstream's. */
export interface ImportFacts {
  readonly category: TemplateCategory
  readonly format: ParameterFormat
  /** Finds the service's id of a Flow of upstream's; null when the service does not know that Flow. */
  flowIdOf(officialFlowId: string): string | null
}

export interface ImportedButton {
  readonly button: TemplateButton
  readonly unsupported: readonly string[]
  /** The key of a URL's variable with the sample that upstream shows; null when there is none. */
  readonly sample: { readonly key: string; readonly value: string } | null
}

/** The ways of AUTHENTICATION other than a button that copies a code ([templates.checks.5]). */
const OTHER_CODES = /otp_type=(ONE_TAP|ZERO_TAP)/i

function textsIn(fields: Fields, key: string): string[] {
  const value = own(fields, key)
  return (Array.isArray(value) ? (value as unknown[]) : [value]).filter((one) => typeof one === 'string')
}

/** Reads the button of a code, which upstream shows as it was made, or as the URL that it has become. */
function codeButton(fields: Fields): ImportedButton {
  const way =
    textIn(fields, 'otp_type')?.toUpperCase()
    ?? OTHER_CODES.exec(textIn(fields, 'url') ?? '')?.[1]?.toUpperCase()
    ?? 'COPY_CODE'
  const text = textIn(fields, 'text')
  return {
    button: { type: way, ...(text === null ? {} : { text }) },
    unsupported: way === 'COPY_CODE' ? [] : [way],
    sample: null,
  }
}

function urlSample(url: string, shown: string | undefined, key: string): ImportedButton['sample'] {
  const [variable] = scanText(url).placeholders
  if (variable === undefined || shown === undefined) return null
  const fixed = url.slice(0, variable.start)
  const value = shown.startsWith(fixed) ? shown.slice(fixed.length) : shown
  return value.trim() === '' ? null : { key, value }
}

/** Reads upstream's id of the Flow of a button; null when it has none. */
export function officialFlowIdIn(button: Fields): string | null {
  const id = own(button, 'flow_id')
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}

/** Reads a button of type FLOW. One on a card cannot be sent. */
function flowButton(
  fields: Fields,
  label: { text?: string },
  card: number | null,
  { flowIdOf }: ImportFacts,
): ImportedButton {
  const official = officialFlowIdIn(fields)
  const flowId = official === null ? null : flowIdOf(official)
  const [action, screen] = [textIn(fields, 'flow_action'), textIn(fields, 'navigate_screen')]
  return {
    button: {
      type: 'FLOW',
      ...label,
      ...(flowId === null ? {} : { flowId }),
      ...(action === null ? {} : { action: action.toLowerCase() }),
      ...(screen === null ? {} : { screen }),
    },
    unsupported: flowId === null || card !== null ? ['FLOW'] : [],
    sample: null,
  }
}

/** Converts a button of upstream's to the service's form. */
export function importedButton(
  fields: Fields,
  at: { readonly card: number | null; readonly button: number },
  facts: ImportFacts,
): ImportedButton {
  const type = textIn(fields, 'type')?.trim().toUpperCase() ?? ''
  const text = textIn(fields, 'text')
  const label = text === null ? {} : { text }
  const plain = { unsupported: [], sample: null }
  if (type === 'OTP' || (type === 'URL' && facts.category === 'OTP')) return codeButton(fields)
  switch (type) {
    case 'QUICK_REPLY':
      return { button: { type, ...label }, ...plain }
    case 'URL': {
      const url = textIn(fields, 'url') ?? ''
      return {
        button: { type, ...label, url },
        unsupported: [],
        sample: urlSample(url, textsIn(fields, 'example')[0], buttonKeyOf(at)),
      }
    }
    case 'PHONE_NUMBER':
      return { button: { type, ...label, phone_number: textIn(fields, 'phone_number') ?? '' }, ...plain }
    case 'COPY_CODE':
    case 'PAYMENT_REQUEST': {
      const example = textsIn(fields, 'example').slice(0, 1)
      return { button: { type, ...label, ...(example.length > 0 ? { example } : {}) }, ...plain }
    }
    case 'FLOW':
      return flowButton(fields, label, at.card, facts)
    default:
      return { button: { type, ...label }, unsupported: [type || 'BUTTON'], sample: null }
  }
}
