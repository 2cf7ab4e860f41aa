import { computed, effect } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import type { Theme } from '../../src/domain/contrast.ts'
import type { Theme as HostTheme } from '../protocol/messages.ts'
import { colorsDrawn, putColors } from '../ui/theme.ts'
import { lookOf } from './model/look.ts'
import { shadesOf } from './shades.ts'

/** Draws the inbox in the theme of the session and the host, again whenever one of them changes. */
export function drawAsWanted(session: ReadonlySignal<Theme | null>, host: ReadonlySignal<HostTheme>): void {
  const colors = colorsDrawn(
    computed(() => lookOf(session.value, host.value)),
    computed(() => host.value.mode),
  )
  effect(() => {
    putColors(colors.value)
    const { fieldLine, ...shades } = shadesOf(colors.value)
    for (const [name, shade] of Object.entries({ ...shades, 'field-line': fieldLine }))
      document.documentElement.style.setProperty(`--${name}`, shade)
  })
  effect(() => {
    document.documentElement.style.setProperty('--radius', `${host.value.radius ?? 12}px`)
    document.documentElement.dataset['density'] = host.value.density ?? 'comfortable'
  })
}
