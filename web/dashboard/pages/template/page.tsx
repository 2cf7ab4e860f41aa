import type { Fault } from '../../../ui/session/answers.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { AskFirst } from '../../ground/ask-first.tsx'
import { useNumbers } from '../../ground/numbers.ts'
import { OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { Edit, NEW, NewTemplate } from '../template-form/mounted.tsx'
import { isOfTemplates, standingOf } from '../templates/template.ts'
import type { ListedTemplate } from '../templates/template.ts'
import { Facts } from './facts.tsx'
import { Preview } from './preview.tsx'
import type { TemplateProps, TemplateWords } from './props.ts'

/** One template, as the number that the address names sees it; the first number of the account when it names none. */
export function Page({ words, id, query }: PageProps<TemplateWords>) {
  const named = query.get('number')
  if (id === NEW) return <NewTemplate words={words} number={named} />
  if (named !== null) return <Seen key={`${id} ${named}`} words={words} id={id} number={named} />
  return <SeenByFirst words={words} id={id} />
}

function SeenByFirst({ words, id }: Omit<SeenProps, 'number'>) {
  const numbers = useNumbers()
  const first = numbers.body?.[0]
  if (first !== undefined) return <Seen words={words} id={id} number={first.id} />
  return (
    <PageFrame name="template" heading={words.heading} id={id} above={{ path: LIST, label: words.above }}>
      <OfNumber wanted={null}>{() => null}</OfNumber>
    </PageFrame>
  )
}

const LIST = '/dashboard/templates'

interface SeenProps {
  readonly words: TemplateWords
  readonly id: string
  readonly number: string
}

function Seen({ words, id, number }: SeenProps) {
  const { api, can } = useApp()
  const path = `/api/v1/templates/${encodeURIComponent(id)}`
  const template = useAsked((signal) => api.get<ListedTemplate>(path, { number, signal }), [id, number])
  useLive({ event: (frame) => isOfTemplates(frame) && template.again() })
  return (
    <PageFrame
      name="template"
      heading={template.body?.name ?? words.heading}
      id={id}
      status={template.body === null ? undefined : standingOf(template.body)}
      above={{ path: `${LIST}?number=${encodeURIComponent(number)}`, label: words.above }}
      actions={
        template.body !== null
        && can('templates:manage') && <Remove words={words} template={template.body} number={number} />
      }
    >
      <Asked of={template} codes={words.codes}>
        {(body) => (
          <>
            <Facts words={words} template={body} number={number} take={(now) => template.change(() => now)} />
            {can('templates:manage') && (
              <Edit words={words} template={body} number={number} take={(now) => template.change(() => now)} />
            )}
            <Preview words={words} template={body} number={number} />
          </>
        )}
      </Asked>
    </PageFrame>
  )
}

/** Deletes the template once its name is typed. */
function Remove({ words, template, number }: TemplateProps) {
  const { api, router } = useApp()
  const { remove, codes } = words
  async function act(): Promise<Fault | null> {
    const { fault } = await api.delete(`/api/v1/templates/${encodeURIComponent(template.id)}`, { number })
    if (fault) return fault
    router.go(`${LIST}?number=${encodeURIComponent(number)}`, false)
    return null
  }
  return (
    <AskFirst
      action="delete"
      heading={remove.ask(template.name)}
      text={remove.warning}
      name={template.name}
      label={remove.action}
      codes={codes}
      act={act}
    />
  )
}
