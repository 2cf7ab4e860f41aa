import type { Usage } from '../../../../src/domain/usage.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import type { Dates } from '../../ground/date-range.tsx'
import { List } from '../../ground/list.tsx'
import { NumberName } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import type { UsageWords } from './usage-words.ts'
import type { ByNumber } from './usage.ts'

interface OfNumbersProps {
  readonly words: UsageWords['used']
  readonly dates: Dates
  readonly numbers: readonly ShownNumber[]
}

/** What each number used; those that were removed since have only their id. Nothing where no number used anything. */
export function OfNumbers({ words, dates: { startDate, endDate }, numbers }: OfNumbersProps) {
  const { api } = useApp()
  const byNumber = useAsked(
    (signal) => api.get<ByNumber>('/api/v1/usage', { query: { startDate, endDate, groupBy: 'number' }, signal }),
    [startDate, endDate],
  )
  return (
    <Asked of={byNumber}>
      {({ items }) =>
        items.length > 0 && (
          <>
            <h3>{words.byNumber}</h3>
            <List
              label={words.byNumber}
              items={items}
              columns={[words.number, words.messages, words.calls, words.deliveries]}
              hooksOf={({ channelNumberId }) => ({ id: channelNumberId })}
              row={(used) => cellsOf(used, words, numbers)}
            />
          </>
        )
      }
    </Asked>
  )
}

function cellsOf(
  used: Usage & { readonly channelNumberId: string },
  words: UsageWords['used'],
  numbers: readonly ShownNumber[],
) {
  const { channelNumberId, messages, calls, deliveries } = used
  const known = numbers.find(({ id }) => id === channelNumberId)
  return [
    known === undefined ? (
      <span key="name">
        <code dir="ltr">{channelNumberId}</code> <span class="muted">{words.removed}</span>
      </span>
    ) : (
      <a key="name" class="link" href={`/dashboard/numbers/${encodeURIComponent(channelNumberId)}`}>
        <NumberName name={known.name} number={known.number} />
      </a>
    ),
    <span key="messages">{words.messageCounts(messages.inbound, messages.outbound)}</span>,
    <span key="calls">{words.callCounts(calls.inbound, calls.outbound)}</span>,
    <span key="deliveries">{words.deliveryCounts(deliveries.succeeded, deliveries.failed)}</span>,
  ]
}
