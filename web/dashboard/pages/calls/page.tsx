import { CALL_STATUSES, type CallStatus } from '../../../../src/domain/call.ts'
import type { words as english } from '../../../words/dashboard/calls/en.ts'
import type { Like } from '../../../words/language.ts'
import { Empty, FaultLine } from '../../ground/asked.tsx'
import { SelectField } from '../../ground/form.tsx'
import { List } from '../../ground/list.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Badge, Time, type Tone } from '../../ground/shown.tsx'
import { useList, type ListState } from '../../ground/use-list.ts'
import { useLive } from '../../ground/use-live.ts'
import type { CallFrame } from '../../live/frames.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'

type Words = Like<typeof english>

const PAGE_SIZE = 50
/** The filters of the list, which stand in the address too. */
interface Filters {
  readonly status: string | null
  readonly direction: string | null
}

/** Calls of all numbers, newest first, live. */
export function Page({ words, query }: PageProps<Words>) {
  const filters: Filters = { status: query.get('status'), direction: query.get('direction') }
  const { items, fault, hasMore, isLoadingMore, more, again } = useCalls(filters)
  return (
    <PageFrame name="calls" heading={words.heading}>
      <div class="filters">
        <Filter name="status" label={words.status} all={words.all} options={words.statuses} value={filters.status} />
        <Filter
          name="direction"
          label={words.direction}
          all={words.all}
          options={words.directions}
          value={filters.direction}
        />
      </div>
      {fault !== null && <FaultLine fault={fault} again={again} />}
      {items?.length === 0 && <NoCalls words={words} filters={filters} />}
      {items !== null && items.length > 0 && (
        <List
          label={words.heading}
          items={items}
          columns={[words.peer, words.status, words.direction, words.began, words.length]}
          hooksOf={({ id, status }) => ({ id, status })}
          row={(call) => <Cells call={call} words={words} />}
          {...(hasMore ? { more } : {})}
          isLoadingMore={isLoadingMore}
        />
      )}
    </PageFrame>
  )
}

/** The calls that the filters let through, with what the stream tells of them. */
function useCalls(filters: Filters): ListState<CallFrame> {
  const { api } = useApp()
  const calls = useList<CallFrame>(
    {
      read: async (before, signal) => {
        const { body, fault } = await api.get<{ readonly calls: readonly CallFrame[] }>('/api/calls', {
          query: { ...filters, before, limit: PAGE_SIZE },
          signal,
        })
        return fault ? { fault } : { body: body.calls }
      },
      beforeOf: ({ id }) => id,
      pageSize: PAGE_SIZE,
    },
    [filters.status, filters.direction],
  )
  useLive({ call: (frame) => calls.change((now) => withCall(now, frame, filters)) })
  return calls
}

function NoCalls({ words, filters }: { readonly words: Words; readonly filters: Filters }) {
  const { router } = useApp()
  if (filters.status === null && filters.direction === null) return <Empty text={words.none} />
  return (
    <Empty text={words.noneSo}>
      <button
        type="button"
        class="button quiet"
        data-action="all"
        onClick={() => router.ask({ status: null, direction: null })}
      >
        {words.showAll}
      </button>
    </Empty>
  )
}

interface FilterProps {
  readonly name: string
  readonly label: string
  readonly all: string
  readonly options: Readonly<Record<string, string>>
  readonly value: string | null
}

function Filter({ name, label, all, options, value }: FilterProps) {
  const { router } = useApp()
  const choices = Object.entries(options).map(([option, said]) => ({ value: option, label: said }))
  return (
    <SelectField
      name={name}
      label={label}
      options={[{ value: '', label: all }, ...choices]}
      value={value ?? ''}
      change={(chosen) => router.ask({ [name]: chosen || null })}
    />
  )
}

function Cells({ call, words }: { readonly call: CallFrame; readonly words: Words }) {
  return (
    <>
      <a class="link digits" dir="ltr" href={`/dashboard/calls/${call.id}`}>
        +{call.peerNumber}
      </a>
      <span>
        <Badge tone={toneOf(call.status)} text={isStatus(call.status) ? words.statuses[call.status] : call.status} />
      </span>
      <span>{words.directions[call.direction]}</span>
      <Time at={call.createdAt} />
      <span>{call.durationSeconds === null ? '' : words.seconds(call.durationSeconds)}</span>
    </>
  )
}

/** The list with what the stream told of a call; a new call comes first when the filters let it through. */
function withCall(now: readonly CallFrame[], frame: CallFrame, filters: Filters): readonly CallFrame[] {
  const isShown =
    (filters.status ?? frame.status) === frame.status && (filters.direction ?? frame.direction) === frame.direction
  const isKnown = now.some(({ id }) => id === frame.id)
  if (!isShown) return isKnown ? now.filter(({ id }) => id !== frame.id) : now
  return isKnown ? now.map((call) => (call.id === frame.id ? { ...call, ...frame } : call)) : [frame, ...now]
}

function isStatus(status: string): status is CallStatus {
  return CALL_STATUSES.some((one) => one === status)
}

/** How a status is coloured. */
function toneOf(status: string): Tone {
  switch (status) {
    case 'ACCEPTED':
    case 'COMPLETED':
      return 'good'
    case 'FAILED':
      return 'bad'
    case 'MISSED':
    case 'REJECTED':
      return 'warn'
    default:
      return 'calm'
  }
}
