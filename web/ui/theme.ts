import { computed, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import type { Theme, ThemeColors } from '../../src/domain/contrast.ts'

export type ThemeMode = 'light' | 'dark' | 'auto'

/** The CSS variable of each theme colour. */
const VARIABLES: Readonly<Record<keyof ThemeColors, string>> = {
  background: '--background',
  text: '--text',
  muted: '--muted',
  primary: '--primary',
  onPrimary: '--on-primary',
  link: '--link',
  buttonBorder: '--button-border',
}

/** The colours of the wanted mode; with `auto` they follow the visitor's system. */
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

/** Sets the colours of the page. It uses the object model, because the page's policy allows no inline style. */
export function putColors(colors: ThemeColors): void {
  const { style } = document.documentElement
  for (const [name, variable] of Object.entries(VARIABLES))
    style.setProperty(variable, colors[name as keyof ThemeColors] ?? 'transparent')
  // Scroll bars and form fields of the browser follow the theme.
  style.setProperty('color-scheme', colors.text === '#ffffff' ? 'dark' : 'light')
}
