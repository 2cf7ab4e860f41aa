import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { UpstreamRead } from '../../ports/official/pages.ts'
import type { UpstreamNo } from '../../ports/official/write.ts'

/** What clients see of upstream's refusal. */
export type ShownNo = Pick<UpstreamNo, 'upstreamCode' | 'upstreamMessage'>

/** The refusals of reads with one kind of token. */
export interface ReadWords {
  /** The refusal when upstream refused the token, or calls it dead. */
  rejected(no: ShownNo): Refusal
  readonly throttled: string
  readonly failed: string
}

/**
 * Turns a read upstream into an outcome for the caller who waits for it. Refusals: that of `rejected`,
 * OFFICIAL_THROTTLED, OFFICIAL_ERROR.
 */
export function readOutcome<T>(read: UpstreamRead<T>, words: ReadWords): Outcome<T> {
  if (read.kind === 'read') return succeed(read.value)
  const { upstreamCode, upstreamMessage } = read.no
  const details = { upstreamCode, upstreamMessage }
  switch (read.kind) {
    case 'throttled':
      return fail(
        refuse(
          'OFFICIAL_THROTTLED',
          words.throttled,
          details,
          read.waitMs === null ? undefined : Math.ceil(read.waitMs / 1000),
        ),
      )
    case 'failed':
      return fail(refuse('OFFICIAL_ERROR', words.failed, details))
    default:
      return fail(words.rejected(details))
  }
}
