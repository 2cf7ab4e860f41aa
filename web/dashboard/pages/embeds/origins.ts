/** Origins as people type them. Pure. */
import { isAllowedOrigin } from '../../../../src/domain/embed-session.ts'

/** The entries of a field, one a line or separated by commas, each once. */
export function linesOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [...new Set(value.split(/[\s,]+/).filter((line) => line !== ''))] : []
}

/** The origin that somebody probably means; null when there is none that a session could allow. */
export function nearest(text: string): string | null {
  const origin = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`)?.origin ?? ''
  return isAllowedOrigin(origin) ? origin : null
}
