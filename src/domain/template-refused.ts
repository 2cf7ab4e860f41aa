import type { MessageFailure } from './message.ts'

/**
 * Upstream's codes that say something of the template, not of the message: it does not exist, is paused, or is disabled
 * ([templates.send-failures.13]).
 */
const CODES: ReadonlySet<number | string | null> = new Set([132001, 132015, 132016])

/** Gives upstream's code of a failure that is the template's; null for any other failure. */
export function templateRefusalCode({ upstreamCode }: MessageFailure): number | null {
  return typeof upstreamCode === 'number' && CODES.has(upstreamCode) ? upstreamCode : null
}
