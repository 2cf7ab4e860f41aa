import { computed, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import type { Theme, ThemeColors } from '../../src/domain/contrast.ts'

export type ThemeMode = 'light' | 'dark' | 'auto'

/** CSS variables by the theme's names. */
const VARIABLES: Readonly<Record<keyof ThemeColors, string>> = {
  background: '--background',
  text: '--text',
  muted: '--muted',
  primary: '--primary',
  onPrimary: '--on-primary',
  link: '--link',
  buttonBorder: '--button-border',
}

/** The colours of the mode that is drawn, and of the other one once the person's wish changes. */
export function colorsDrawn(
  theme: ReadonlySignal<Theme>,
  mode: ReadonlySignal<ThemeMode>,
): ReadonlySignal<ThemeColors> {
  const wish = matchMedia('(prefers-color-scheme: dark)')
  const isDarkWished = signal(wish.matches)
  wish.addEventListener('change', () => {
    isDarkWished.value = wish.matches
  })
  return computed(() => theme.value[mode.value === 'auto' ? (isDarkWished.value ? 'dark' : 'light') : mode.value])
}

/** Draws the page with colours. Through the object model: the page's policy allows no style in the markup. */
export function putColors(colors: ThemeColors): void {
  const { style } = document.documentElement
  for (const [name, variable] of Object.entries(VARIABLES))
    style.setProperty(variable, colors[name as keyof ThemeColors] ?? 'transparent')
  // Bars and fields of the browser's own follow what is drawn.
  style.setProperty('color-scheme', colors.text === '#ffffff' ? 'dark' : 'light')
}
