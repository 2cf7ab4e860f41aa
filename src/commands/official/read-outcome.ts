import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { UpstreamRead } from '../../ports/official/pages.ts'
import type { UpstreamNo } from '../../ports/official/write.ts'

/** What is shown of upstream's no. */
export type ShownNo = Pick<UpstreamNo, 'upstreamCode' | 'upstreamMessage'>

/** How refusals of one kind of token are told. */
export interface ReadWords {
  /** Of one that upstream refused, or calls dead. */
  rejected(no: ShownNo): Refusal
  readonly throttled: string
  readonly failed: string
}

/** An answer of upstream for whoever waits for it. Refusals: that of `rejected`, OFFICIAL_THROTTLED, OFFICIAL_ERROR. */
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
