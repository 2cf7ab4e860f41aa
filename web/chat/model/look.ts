import { DEFAULT_BRANDING } from '../../../src/domain/branding.ts'
import { themeOf } from '../../../src/domain/contrast.ts'
import type { Theme } from '../../../src/domain/contrast.ts'
import type { Theme as HostTheme } from '../../protocol/messages.ts'

/** The look before session or host names one. */
export const PLAIN: HostTheme = { mode: 'auto', primary: null, background: null, radius: null, density: null }

/** The theme of the inbox, with corrected contrast. A colour that the host names takes the place of the session's. */
export function lookOf(
  session: Theme | null,
  { primary, background }: Pick<HostTheme, 'primary' | 'background'>,
): Theme {
  if (session !== null && primary === null && background === null) return session
  return themeOf({
    ...DEFAULT_BRANDING,
    primaryColor: primary ?? session?.light.primary ?? null,
    backgroundColor: background,
  })
}
