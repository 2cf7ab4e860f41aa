import { DEFAULT_BRANDING } from '../../../src/domain/branding.ts'
import { themeOf } from '../../../src/domain/contrast.ts'
import type { Theme } from '../../../src/domain/contrast.ts'
import type { Theme as HostTheme } from '../../protocol/messages.ts'

/** What is drawn before anybody says how. */
export const PLAIN: HostTheme = { mode: 'auto', primary: null, background: null, radius: null, density: null }

/** The colours of the inbox: the session's, and over them those of the host, mended where texts could not be read. */
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
