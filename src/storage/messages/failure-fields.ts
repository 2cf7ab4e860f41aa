import type { MessageFailure } from '../../domain/message.ts'

/** Columns of a failure; upstream's code as JSON, because it is a number or a text. */
export function failureFields({ code, message, details, upstreamCode }: MessageFailure) {
  return { code, message, details, upstream_code: upstreamCode === null ? null : JSON.stringify(upstreamCode) }
}
