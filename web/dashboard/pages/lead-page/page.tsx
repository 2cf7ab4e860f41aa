import { Asked, useAsked } from '../../ground/asked.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { pagesPath, standingOf } from '../lead-pages/linked-page.ts'
import type { LinkedPage } from '../lead-pages/linked-page.ts'
import { ChangePage } from './change-page.tsx'
import { Facts } from './facts.tsx'
import { Forms } from './forms.tsx'
import { routeOf } from './props.ts'
import type { LeadPageWords } from './props.ts'

/** One linked Page: how it stands, its forms with what is set for each, and what can be changed. */
export function Page({ words, id, query }: PageProps<LeadPageWords>) {
  const { api } = useApp()
  const page = useAsked((signal) => api.get<LinkedPage>(routeOf(id), { signal }), [id])
  const refresh = useSettled(page.again)
  useLive({ event: ({ event, data }) => event === 'lead.received' && data['pageId'] === id && refresh() })
  const number = page.body?.channelNumberId
  return (
    <PageFrame
      name="lead-page"
      heading={page.body?.pageName ?? words.heading}
      id={id}
      status={page.body === null ? undefined : standingOf(page.body)}
      above={{ path: number === undefined ? '/dashboard/leads/pages' : pagesPath(number), label: words.above }}
    >
      <Asked of={page} codes={words.list.codes}>
        {(body) => {
          const take = (now: LinkedPage): void => page.change(() => now)
          return (
            <>
              <Facts words={words} page={body} take={take} />
              <Forms
                key={`${body.channelNumberId} ${body.isTokenValid}`}
                words={words}
                page={body}
                open={query.get('form')}
              />
              <ChangePage key={`change ${body.channelNumberId}`} words={words} page={body} take={take} />
            </>
          )
        }}
      </Asked>
    </PageFrame>
  )
}
