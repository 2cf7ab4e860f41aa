import { listIn, own, textIn } from './json-fields.ts'
import type { Fields } from './json-fields.ts'

function wordIn(fields: Fields, key: string): string {
  return textIn(fields, key)?.trim().toUpperCase() ?? ''
}

/** Outer white space is no part of the wording. */
function trimmedIn(fields: Fields, key: string): string | null {
  return textIn(fields, key)?.trim() ?? null
}

/** True for a button of a code. Upstream shows it as it was made, or as the URL that it has become. */
function isCode(button: Fields): boolean {
  return wordIn(button, 'type') === 'OTP' || /[?&]otp_type=/i.test(textIn(button, 'url') ?? '')
}

/** Keeps of a button what upstream keeps as it was given: no samples, and no label where upstream writes its own. */
function buttonEssence(button: Fields): unknown[] {
  if (isCode(button))
    return [
      'CODE',
      (wordIn(button, 'otp_type') || /otp_type=(\w+)/i.exec(textIn(button, 'url') ?? '')?.[1]?.toUpperCase())
        ?? 'COPY_CODE',
    ]
  const type = wordIn(button, 'type')
  const text = trimmedIn(button, 'text')
  switch (type) {
    case 'URL':
      return [type, text, textIn(button, 'url')]
    case 'PHONE_NUMBER':
      return [type, text, (textIn(button, 'phone_number') ?? '').replaceAll(/\D/g, '')]
    case 'FLOW':
      return [type, text, String(own(button, 'flow_id'))]
    case 'COPY_CODE':
    case 'PAYMENT_REQUEST':
      return [type]
    default:
      return [type, text]
  }
}

function componentEssence(component: Fields, isOtp: boolean): unknown[] {
  const type = wordIn(component, 'type')
  switch (type) {
    case 'HEADER':
      return [
        type,
        wordIn(component, 'format'),
        wordIn(component, 'format') === 'TEXT' ? trimmedIn(component, 'text') : null,
      ]
    case 'BODY':
      return isOtp
        ? [type, own(component, 'add_security_recommendation') === true]
        : [type, trimmedIn(component, 'text')]
    case 'FOOTER':
      return isOtp ? [type, own(component, 'code_expiration_minutes') ?? null] : [type, trimmedIn(component, 'text')]
    case 'BUTTONS':
      return [type, listIn(component, 'buttons').map(buttonEssence)]
    case 'CAROUSEL':
      return [type, listIn(component, 'cards').map((card) => essenceOf(listIn(card, 'components'), isOtp))]
    default:
      return [type]
  }
}

/** Describes components in a fixed order, whatever their own order. */
function essenceOf(components: readonly Fields[], isOtp: boolean): string[] {
  return components.map((component) => JSON.stringify(componentEssence(component, isOtp))).sort()
}

/**
 * True when upstream shows what was submitted. Files and samples are left out, since upstream shows others, and so are
 * the texts of codes (AUTHENTICATION), which upstream writes itself.
 */
export function isAsSubmitted(submitted: readonly Fields[], shown: readonly Fields[], isOtp: boolean): boolean {
  return JSON.stringify(essenceOf(submitted, isOtp)) === JSON.stringify(essenceOf(shown, isOtp))
}
