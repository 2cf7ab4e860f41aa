import { FLOW_STATUSES } from '../../../../src/domain/flow.ts'
import type { words as english } from '../../../words/dashboard/flows/en.ts'
import type { Like } from '../../../words/language.ts'
import { SelectField } from '../../ground/form.tsx'
import { Listed } from '../../ground/listed.tsx'
import { NumberField, OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Badge, Time } from '../../ground/shown.tsx'
import { Sync } from '../../ground/sync.tsx'
import { useLive } from '../../ground/use-live.ts'
import { usePages } from '../../ground/use-pages.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { flowPage, isOfFlows, STATUS_TONES } from './flow.ts'
import type { ListedFlow } from './flow.ts'

type Words = Like<typeof english>

/** The Flows of a number, with the state of each. */
export function Page({ words, query }: PageProps<Words>) {
  const { can } = useApp()
  const [number, status] = [query.get('number'), query.get('status')]
  const begin = (
    <a
      class="button primary"
      data-action="new"
      href={number === null ? '/dashboard/flows/new' : flowPage('new', number)}
    >
      {words.add}
    </a>
  )
  return (
    <PageFrame name="flows" heading={words.heading} actions={can('flows:manage') && begin}>
      <OfNumber wanted={number}>
        {(chosen, all) => (
          <>
            <div class="filters">
              <NumberField chosen={chosen} all={all} />
              <StatusField words={words} status={status} />
            </div>
            <Flows key={`${chosen.id} ${status}`} words={words} number={chosen.id} status={status} />
          </>
        )}
      </OfNumber>
    </PageFrame>
  )
}

function StatusField({ words, status }: Pick<FlowsProps, 'words' | 'status'>) {
  const { router } = useApp()
  return (
    <SelectField
      label={words.status}
      name="officialStatus"
      value={status ?? ''}
      options={[
        { value: '', label: words.anyStatus },
        ...FLOW_STATUSES.map((one) => ({ value: one, label: words.statuses[one] })),
      ]}
      change={(value) => router.ask({ status: value || null })}
    />
  )
}

interface FlowsProps {
  readonly words: Words
  readonly number: string
  /** The state that the list is narrowed to; null for all. */
  readonly status: string | null
}

function Flows({ words, number, status }: FlowsProps) {
  const { can } = useApp()
  const list = usePages<ListedFlow>({
    path: '/api/v1/flows',
    number,
    query: { officialStatus: status },
    field: 'flows',
  })
  const refresh = useSettled(list.again)
  useLive({ event: (frame) => isOfFlows(frame) && refresh() })
  return (
    <>
      {can('flows:manage') && <Sync path="/api/v1/flows/sync" number={number} words={words} done={list.again} />}
      <Listed
        of={list}
        none={status === null ? words.none : words.noneSuch}
        codes={words.codes}
        label={words.heading}
        columns={[words.name, words.categories, words.changed, words.status]}
        hooksOf={({ id, officialStatus }) => ({ id, status: officialStatus })}
        row={(one) => [
          <a key="name" class="link" href={flowPage(one.id, number)}>
            <bdi>{one.name}</bdi>
          </a>,
          <span key="categories">{one.categories.map((name) => words.category[name]).join(', ')}</span>,
          <Time key="changed" at={one.updatedAt} />,
          <Badge key="status" tone={STATUS_TONES[one.officialStatus]} text={words.statuses[one.officialStatus]} />,
        ]}
      />
    </>
  )
}
