import type { Branding, ButtonStyle, ResolvedBranding } from './branding.ts'

/** Colours of one mode of a page, each `#rrggbb` ([branding.theme.1]). */
export interface ThemeColors {
  readonly background: string
  readonly text: string
  readonly muted: string
  readonly primary: string
  readonly onPrimary: string
  readonly link: string
  /** Null where the button stands out by itself ([branding.theme.6]). */
  readonly buttonBorder: string | null
}

/** The colours of both modes; pages draw with these alone ([branding.theme.8]). */
export interface Theme {
  readonly light: ThemeColors
  readonly dark: ThemeColors
}

type Colors = Pick<Branding, 'primaryColor' | 'backgroundColor'>
type Mode = keyof Theme

/** Colours of a page without a brand ([branding.theme.2], [branding.theme.4]). */
const DEFAULTS: Readonly<Record<Mode, { readonly background: string; readonly primary: string }>> = {
  light: { background: '#ffffff', primary: '#0a7f5a' },
  dark: { background: '#0f1513', primary: '#2dd4a0' },
}
/** Contrast to 1 (WCAG 2.2): 1.4.3 asks 4.5 of text, 1.4.11 asks 3 of what a control is told by. */
const TEXT_RATIO = 4.5
const CONTROL_RATIO = 3
/**
 * Our choice: how far muted text may move from the text's colour to the background's, and in which steps, in
 * hundredths.
 */
const MUTED_MOST = 40
const MUTED_STEP = 2

/** Relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2). */
export function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** Contrast of two colours `#rrggbb`, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

/** Picks black or white, whichever contrasts more with a colour: 4.58:1 at the least. */
export function readableOn(color: string): string {
  return contrast('#000000', color) >= contrast('#ffffff', color) ? '#000000' : '#ffffff'
}

/**
 * Makes the theme that pages are drawn with: both modes the same where the brand sets a background
 * ([branding.theme.1]).
 */
export function themeOf(brand: Colors): Theme {
  const light = colorsOf(brand, 'light')
  return { light, dark: brand.backgroundColor === null ? colorsOf(brand, 'dark') : light }
}

function colorsOf(brand: Colors, mode: Mode): ThemeColors {
  const background = brand.backgroundColor ?? DEFAULTS[mode].background
  const primary = brand.primaryColor ?? DEFAULTS[mode].primary
  const text = readableOn(background)
  const ratio = contrast(primary, background)
  return {
    background,
    text,
    primary,
    muted: mutedOn(background, text),
    onPrimary: readableOn(primary),
    link: ratio >= TEXT_RATIO ? primary : text,
    buttonBorder: ratio < CONTROL_RATIO ? text : null,
  }
}

/** Finds the muted text colour: as near to the background as it may come and still be read ([branding.theme.7]). */
function mutedOn(background: string, text: string): string {
  for (let hundredths = MUTED_MOST; hundredths > 0; hundredths -= MUTED_STEP) {
    const muted = mixed(text, background, hundredths / 100)
    if (contrast(muted, background) >= TEXT_RATIO) return muted
  }
  return text
}

function mixed(one: string, other: string, share: number): string {
  const others = channelsOf(other)
  const channels = channelsOf(one).map((channel, i) => Math.round(channel + ((others[i] ?? 0) - channel) * share))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}

/**
 * Gives the colours of a button in one mode: those that its style does not set are the theme's, and a text that cannot
 * be read is replaced.
 */
export function buttonColors(
  button: ButtonStyle,
  colors: ThemeColors,
): { readonly background: string; readonly text: string; readonly border: string | null } {
  const background = button.backgroundColor ?? colors.primary
  const wanted = button.textColor ?? readableOn(background)
  const text = contrast(wanted, background) >= TEXT_RATIO ? wanted : readableOn(background)
  return {
    background,
    text,
    border: button.borderColor ?? (button.backgroundColor === undefined ? colors.buttonBorder : null),
  }
}

/**
 * Gives the brand a button whose text can be read ([branding.button.5]: a `textColor` under 4.5:1 is replaced). A
 * button on the theme's background may read well in one mode alone. So a colour that fails in both is replaced here,
 * and any other where it is drawn.
 */
export function withReadableButton(branding: ResolvedBranding, theme: Theme): ResolvedBranding {
  const { button } = branding
  if (button?.textColor === undefined) return branding
  const [light, dark] = [buttonColors(button, theme.light).text, buttonColors(button, theme.dark).text]
  return light === dark ? { ...branding, button: { ...button, textColor: light } } : branding
}

/** What a tenant is told of a colour that the theme does not use as it was given. */
export interface ThemeWarning {
  readonly path: BrandingColor
  readonly message: string
}

type BrandingColor = keyof Colors

/**
 * Warns once for each mode in which the theme mends the primary colour ([branding.routes.7]); never of the service's
 * own colours.
 */
export function themeWarnings(brand: Colors): ThemeWarning[] {
  if (brand.primaryColor === null) return []
  const theme = themeOf(brand)
  const modes: readonly Mode[] = brand.backgroundColor === null ? ['light', 'dark'] : ['light']
  return modes.flatMap((mode) => {
    const colors = theme[mode]
    if (colors.link === colors.primary) return []
    const where = brand.backgroundColor === null ? ` in ${mode} mode` : ''
    const border = colors.buttonBorder === null ? '' : ', and buttons get a border'
    const ratio = Math.floor(contrast(colors.primary, colors.background) * 100) / 100
    return [
      {
        path: 'primaryColor' as const,
        message: `${colors.primary} has ${ratio}:1 on ${colors.background}${where}, of ${TEXT_RATIO}:1 that text needs: links are drawn in ${colors.text}${border}`,
      },
    ]
  })
}
