import { z } from 'zod'
import { checkButtonField, checkField, checkRedirect, logosUrl } from '../../../domain/branding-fields.ts'
import type { Checked } from '../../../domain/branding-fields.ts'

type Check = (value: unknown) => Checked<unknown>

/** Reports the fault that a rule of the domain finds as a fault of the schema. */
function told<T>(check: Check): z.core.CheckFn<T> {
  return (payload) => {
    const checked = check(payload.value)
    if (!checked.ok) payload.issues.push({ code: 'custom', message: checked.message, input: payload.value })
  }
}

/** A text that a rule of the domain checks; its output is the text as it is stored. */
function ruledText(check: Check): z.ZodString {
  const stored = (text: string): string => {
    const checked = check(text)
    return checked.ok ? (checked.value as string) : text
  }
  return z.string().check(told(check)).overwrite(stored)
}

const HTTPS = 'An absolute https URL without user info, up to 2,048 characters'
const COLOR = '`#RRGGBB`'

/**
 * The eight fields as they may be sent; null clears. URLs of this service's logos pass whatever the scheme of its base
 * URL ([branding.fields.10]).
 */
function sentFields(baseUrl: string) {
  const logos = logosUrl(baseUrl)
  const text = (field: Parameters<typeof checkField>[0], description: string) =>
    ruledText((value) => checkField(field, value, logos))
      .nullable()
      .optional()
      .meta({ description })
  return {
    logoUrl: text('logoUrl', `${HTTPS}, or the \`url\` of an uploaded logo`),
    primaryColor: text('primaryColor', COLOR),
    backgroundColor: text('backgroundColor', COLOR),
    companyName: text('companyName', 'Title of the page, 1 to 60 characters'),
    subtitle: text('subtitle', '1 to 120 characters'),
    supportUrl: text('supportUrl', HTTPS),
    defaultRedirectUrl: text(
      'defaultRedirectUrl',
      `${HTTPS}: where a page leads once its number is connected, where the link says nothing`,
    ),
    hidePilotStatusBranding: z
      .boolean()
      .nullable()
      .optional()
      .transform((flag) => (flag === null ? false : flag))
      .meta({ description: 'Hides the attribution in the footer' }),
  }
}

const styled = (field: Parameters<typeof checkButtonField>[0]) =>
  ruledText((value) => checkButtonField(field, value)).optional()

const buttonFields = {
  label: styled('label').meta({ description: '1 to 40 characters' }),
  backgroundColor: styled('backgroundColor').meta({ description: COLOR }),
  textColor: styled('textColor').meta({ description: `${COLOR}; under 4.5:1 it is drawn black or white` }),
  borderColor: styled('borderColor').meta({ description: COLOR }),
  borderRadius: z
    .number()
    .check(told((value) => checkButtonField('borderRadius', value)))
    .optional()
    .meta({ description: 'CSS pixels, 0 to 32' }),
  size: z.enum(['small', 'medium', 'large']).optional(),
  fullWidth: z.boolean().optional(),
  icon: z.boolean().optional(),
}

/** Styling of the button of a link ([branding.button.1]); unknown keys are dropped ([branding.button.4]). */
const button = z.object(buttonFields)

/** What a tenant may set of its own branding ([branding.routes.2]). */
export function tenantBranding(baseUrl: string) {
  return z.object(sentFields(baseUrl))
}

/**
 * `branding` of a link and `brandingOverride` of an embed session: the same fields and rules, and `button`
 * ([branding.fields.14]). The output is an `OwnBranding` as it is stored.
 */
export function ownBranding(baseUrl: string) {
  return z.object({
    ...sentFields(baseUrl),
    button: button
      .nullable()
      .optional()
      .meta({ description: 'With an object the page of the link is only this button; null: the page' }),
  })
}

/** Where a link leads once it has paired ([pairing.create.6]). */
export const redirectUrl = ruledText(checkRedirect).meta({
  description: 'An https URL, or an http URL of a loopback host',
})

const shownText = z.string().nullable()
const shownFields = {
  logoUrl: shownText,
  primaryColor: shownText,
  backgroundColor: shownText,
  companyName: shownText,
  subtitle: shownText,
  supportUrl: shownText,
  defaultRedirectUrl: shownText,
  hidePilotStatusBranding: z.boolean(),
}

export const branding = z.object(shownFields).meta({ id: 'Branding' })

/** What a page is drawn with, resolved from all sources ([branding.precedence.1]). */
export const resolvedBranding = z
  .object({
    ...shownFields,
    button: z.object(buttonFields).nullable().meta({ description: 'Null: no button, the page' }),
  })
  .meta({ id: 'ResolvedBranding' })

const color = z.string().meta({ description: '`#rrggbb`' })
const themeColors = z
  .object({
    background: color,
    text: color,
    muted: color,
    primary: color,
    onPrimary: color,
    link: color,
    buttonBorder: color.nullable().meta({ description: 'Null where the button stands out by itself' }),
  })
  .meta({ id: 'ThemeColors' })

export const brandOfLink = z.object({
  branding: resolvedBranding,
  theme: z.object({ light: themeColors, dark: themeColors }).meta({ description: 'Every text of it has 4.5:1' }),
})

export const changedBranding = z.object({
  branding,
  warnings: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .meta({ description: 'Where pages draw with another colour than the one that was set, so that it can be read' }),
})

export const uploadedLogo = z.object({
  url: z.string(),
  key: z.string(),
  mimeType: z.string(),
  fileName: z.string(),
  sizeBytes: z.int(),
})
export const logoParams = z.object({
  key: z.string().meta({ description: 'Key of a logo', example: '00000000000000000000000000.png' }),
})

/** A query field as it was sent, once or more often: an invalid value is ignored alone ([branding.query.4]). */
const asked = (description: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ description })

/** The cosmetic query of a link ([branding.query.1]). */
export const cosmeticQuery = z.object({
  logo: asked('`logoUrl`'),
  support: asked('`supportUrl`'),
  title: asked('`companyName`'),
  subtitle: asked('`subtitle`'),
  primary: asked('`primaryColor`; the `#` may be left out'),
  bg: asked('`backgroundColor`; the `#` may be left out'),
  hideBranding: asked('`1` or `true`'),
  embed: asked('`1`: the look of the embed session that frames the page counts'),
})
