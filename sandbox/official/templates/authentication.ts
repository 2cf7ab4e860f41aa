import { z } from 'zod'
import { own, type Fields } from '../../../src/domain/json-fields.ts'
import { readComponent } from '../http/read-component.ts'
import { refusal } from './template-error.ts'

/** Words of the platform about a code, in one language. */
interface Wording {
  readonly code: string
  readonly warning: string
  readonly expiry: (minutes: number) => string
  readonly copy: string
}

const ENGLISH: Wording = {
  code: '*{{1}}* is your verification code.',
  warning: 'For your security, do not share this code.',
  expiry: (minutes) => `This code expires in ${minutes} minutes.`,
  copy: 'Copy code',
}
/** Words by the language without its country; English for others. */
const WORDINGS: ReadonlyMap<string, Wording> = new Map([
  [
    'pt',
    {
      code: '*{{1}}* é seu código de verificação.',
      warning: 'Para sua segurança, não o compartilhe.',
      expiry: (minutes: number) => `Este código expira em ${minutes} minutos.`,
      copy: 'Copiar código',
    },
  ],
  [
    'es',
    {
      code: 'Tu código de verificación es *{{1}}*.',
      warning: 'Por tu seguridad, no lo compartas.',
      expiry: (minutes: number) => `Este código caduca en ${minutes} minutos.`,
      copy: 'Copiar código',
    },
  ],
])
const SAMPLE_CODE = '123456'
const CODE_URL = 'https://www.whatsapp.com/otp/code/?otp_type='
const OTP_TYPES = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'] as const

const bodySchema = z.strictObject({ type: z.string(), add_security_recommendation: z.boolean().default(false) })
const footerSchema = z.strictObject({ type: z.string(), code_expiration_minutes: z.int().min(1).max(90) })
const buttonSchema = z.strictObject({
  type: z
    .string()
    .transform((type) => type.toUpperCase())
    .pipe(z.literal('OTP')),
  otp_type: z
    .string()
    .transform((type) => type.toUpperCase())
    .pipe(z.enum(OTP_TYPES)),
  text: z.string().max(25).optional(),
  autofill_text: z.string().max(25).optional(),
  package_name: z.string().optional(),
  signature_hash: z.string().optional(),
  supported_apps: z
    .array(z.strictObject({ package_name: z.string(), signature_hash: z.string() }))
    .max(5)
    .optional(),
  zero_tap_terms_accepted: z.boolean().optional(),
})
const buttonsSchema = z.strictObject({ type: z.string(), buttons: z.tuple([buttonSchema]) })

function showBody(given: Fields, { code, warning }: Wording): Fields {
  const { add_security_recommendation: isWarning } = readComponent(bodySchema, given, 'components.BODY')
  const text = isWarning ? `${code} ${warning}` : code
  return { type: 'BODY', text, add_security_recommendation: isWarning, example: { body_text: [[SAMPLE_CODE]] } }
}

function showFooter(given: Fields, { expiry }: Wording): Fields {
  const { code_expiration_minutes: minutes } = readComponent(footerSchema, given, 'components.FOOTER')
  return { type: 'FOOTER', text: expiry(minutes), code_expiration_minutes: minutes }
}

/** The button in the form of the address that it becomes. */
function showButton(given: Fields, { copy }: Wording): Fields {
  const {
    buttons: [{ otp_type, text }],
  } = readComponent(buttonsSchema, given, 'components.BUTTONS')
  const label = text ?? copy
  const url = `${CODE_URL}${otp_type}&code_name=${encodeURIComponent(label)}&code=otp`
  return {
    type: 'BUTTONS',
    buttons: [{ type: 'URL', text: label, url: `${url}{{1}}`, example: [`${url}${SAMPLE_CODE}`] }],
  }
}

const SHOWN: ReadonlyMap<string, (given: Fields, wording: Wording) => Fields> = new Map([
  ['BODY', showBody],
  ['FOOTER', showFooter],
  ['BUTTONS', showButton],
])

/** The components of an AUTHENTICATION template, whose text is the platform's own, as they will be shown. */
export function authenticationComponents(components: readonly Fields[], language: string): Fields[] {
  const wording = WORDINGS.get(language.split('_')[0] ?? '') ?? ENGLISH
  const shown = components.map((given) => {
    const type = String(own(given, 'type'))
    const show = SHOWN.get(type)
    if (!show)
      throw refusal(null, 'Component not allowed', `Templates of category AUTHENTICATION have no component ${type}.`)
    return show(given, wording)
  })
  for (const type of ['BODY', 'BUTTONS']) {
    if (!components.some((given) => own(given, 'type') === type))
      throw refusal(null, 'Component missing', `Templates of category AUTHENTICATION need a component ${type}.`)
  }
  return shown
}
