import type { MessageFailure } from './message.ts'

/**
 * Upstream's codes that say something of the template, not of the message: it has none such, has paused it, has
 * disabled it (contract 10).
 */
const CODES: ReadonlySet<number | string | null> = new Set([132001, 132015, 132016])

/** Upstream's code of a failure that is the template's; null: it is not. */
export function templateRefusalCode({ upstreamCode }: MessageFailure): number | null {
  return typeof upstreamCode === 'number' && CODES.has(upstreamCode) ? upstreamCode : null
}
