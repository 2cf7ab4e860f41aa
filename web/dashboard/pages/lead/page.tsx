import { Asked, useAsked } from '../../ground/asked.tsx'
import { NoticeLine } from '../../ground/listed.tsx'
import { OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import type { Notice } from '../../ground/use-pages.ts'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { leadsPath } from '../leads/lead.ts'
import type { ListedLead } from '../leads/lead.ts'
import { Answers } from './answers.tsx'
import { Erase } from './erase.tsx'
import { Facts } from './facts.tsx'
import type { LeadWords } from './props.ts'

/** One lead of the number that the address names: who, from where, every answer, and what became of it. */
export function Page({ words, id, query }: PageProps<LeadWords>) {
  const wanted = query.get('number')
  const above = wanted === null ? '/dashboard/leads' : leadsPath(wanted)
  return (
    <PageFrame name="lead" heading={words.heading} id={id} above={{ path: above, label: words.above }}>
      <OfNumber wanted={wanted}>
        {(chosen) => <OneLead key={`${id} ${chosen.id}`} words={words} id={id} number={chosen.id} />}
      </OfNumber>
    </PageFrame>
  )
}

/** The answer to the read of a lead ([leads.routes.2]). */
interface Read {
  readonly lead: ListedLead
  /** Absent when nothing is kept back. */
  readonly notice?: Notice
}

interface OneProps {
  readonly words: LeadWords
  readonly id: string
  readonly number: string
}

function OneLead({ words, id, number }: OneProps) {
  const { api, can } = useApp()
  const path = `/api/v1/leads/${encodeURIComponent(id)}`
  const asked = useAsked((signal) => api.get<Read>(path, { number, signal }), [path, number])
  useLive({ event: ({ data }) => data['correlationId'] === id && asked.again() })
  return (
    <Asked of={asked} codes={words.codes}>
      {({ lead, notice }) => {
        const props = { words, lead, number }
        return (
          <>
            <NoticeLine of={notice ?? null} />
            <Facts {...props} />
            <Answers {...props} />
            {can('leads:manage') && <Erase {...props} />}
          </>
        )
      }}
    </Asked>
  )
}
