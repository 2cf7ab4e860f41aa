import { useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import type { words as english } from '../../../words/dashboard/flows/en.ts'
import type { Like } from '../../../words/language.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { Listed } from '../../ground/listed.tsx'
import { NumberField, OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Badge, Time } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { usePages } from '../../ground/use-pages.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { flowPage, isOfFlows, STATUS_TONES } from './flow.ts'
import type { ListedFlow } from './flow.ts'

type Words = Like<typeof english>

/** Our choice, in ms: news of Flows that come together are read once. */
const SETTLED_MS = 500

/** The Flows of a number, with the state of each. */
export function Page({ words, query }: PageProps<Words>) {
  const { can } = useApp()
  const number = query.get('number')
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
            </div>
            <Flows key={chosen.id} words={words} number={chosen.id} />
          </>
        )}
      </OfNumber>
    </PageFrame>
  )
}

function Flows({ words, number }: { readonly words: Words; readonly number: string }) {
  const { can } = useApp()
  const list = usePages<ListedFlow>({ path: '/api/v1/flows', number, query: {}, field: 'flows' })
  const refresh = useSettled(list.again, SETTLED_MS)
  useLive({ event: (frame) => isOfFlows(frame) && refresh() })
  return (
    <>
      {can('flows:manage') && <Sync words={words} number={number} done={list.again} />}
      <Listed
        of={list}
        none={words.none}
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

interface SyncProps {
  readonly words: Words
  readonly number: string
  done(): void
}

/** What an import changed here ([flows.routes.3]). */
interface Synced {
  readonly imported: number
  readonly updated: number
  readonly removed: number
}

/** Imports the Flows of the account from upstream, which otherwise happens every hour. */
function Sync({ words, number, done }: SyncProps) {
  const { api, say, words: ground } = useApp()
  const [isBusy, busy] = useState(false)
  const [fault, fail] = useState<Fault | null>(null)
  async function run(): Promise<void> {
    busy(true)
    fail(null)
    const answer = await api.post<Synced>('/api/v1/flows/sync', {}, { number })
    busy(false)
    if (answer.fault) return fail(answer.fault)
    say(words.synced(answer.body))
    done()
  }
  return (
    <>
      {fault !== null && <FaultLine fault={fault} codes={words.codes} />}
      <div class="actions">
        <button type="button" class="button quiet" data-action="sync" disabled={isBusy} onClick={() => void run()}>
          {isBusy ? ground.loading : words.sync}
        </button>
      </div>
    </>
  )
}
