/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Brand fields of the tenant, of the link and of the embed session. */
export const OF_TENANT = {
  companyName: 'Tenant Ltd',
  subtitle: 'By the tenant',
  logoUrl: 'https://acme.example/tenant.png',
  supportUrl: 'https://acme.example/tenant-help',
  primaryColor: '#7a1fa2',
  backgroundColor: null,
  hidePilotStatusBranding: false,
}
export const OF_LINK = {
  companyName: 'Link Ltd',
  subtitle: null,
  primaryColor: '#0b5cad',
  button: { label: 'Of the link', backgroundColor: '#123456', textColor: '#777777' },
}
export const OF_SESSION = {
  companyName: 'Session Ltd',
  logoUrl: null,
  backgroundColor: '#fdf6e3',
  hidePilotStatusBranding: true,
  button: { label: 'Of the session', borderRadius: 20 },
}

/** What a person sees of a brand; runs in the page. */
export function seenOf() {
  const { document } = globalThis as any
  const { style } = document.documentElement
  const text = (selector: string) => document.querySelector(selector)?.textContent ?? null
  const button = document.querySelector('main[data-view=button] [data-action=connect]')
  return {
    companyName: text('[data-title]'),
    subtitle: text('[data-subtitle]'),
    logoUrl: document.querySelector('[data-logo]')?.src ?? null,
    supportUrl: document.querySelector('[data-support]')?.href ?? null,
    attribution: text('[data-attribution]'),
    colors: ['--background', '--text', '--muted', '--primary', '--on-primary', '--link'].map((name): string =>
      style.getPropertyValue(name),
    ),
    button: button && {
      label: button.querySelector('span')?.textContent,
      background: button.style.getPropertyValue('--own-background'),
      text: button.style.getPropertyValue('--own-text'),
      radius: button.style.getPropertyValue('--own-radius'),
    },
  }
}

/** The same facts from the answer of the look's route. */
export function toldOf({ branding, theme: { light } }: any, serviceName: string, view: 'page' | 'button') {
  const { companyName, subtitle, logoUrl, supportUrl, hidePilotStatusBranding, button } = branding
  const page = {
    companyName: companyName ?? serviceName,
    subtitle,
    logoUrl,
    supportUrl,
    attribution: hidePilotStatusBranding ? null : `Powered by ${serviceName}`,
  }
  const none = { companyName: null, subtitle: null, logoUrl: null, supportUrl: null, attribution: null }
  return {
    ...(view === 'page' ? page : none),
    colors: [light.background, light.text, light.muted, light.primary, light.onPrimary, light.link],
    button:
      view === 'page'
        ? null
        : {
            label: button?.label ?? 'Connect',
            background: button?.backgroundColor ?? light.primary,
            text: button?.textColor ?? light.onPrimary,
            radius: `${button?.borderRadius ?? 8}px`,
          },
  }
}
