import { useState } from 'preact/hooks'
import type { Answer } from '../../../ui/session/answers.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { Form } from '../../ground/form.tsx'
import { OfNumber } from '../../ground/of-number.tsx'
import { PageFrame, Plain } from '../../ground/page.tsx'
import { useApp } from '../../shell/app.ts'
import { flowPage, flowsPage } from '../flows/flow.ts'
import type { ListedFlow } from '../flows/flow.ts'
import { DocumentField, useTypedDocument } from './document-field.tsx'
import { FlowFields, typedIn } from './flow-fields.tsx'
import { FLOWS, flowPath } from './props.ts'
import type { FlowWords } from './props.ts'
import { atItsFields } from './refusal.ts'

interface NewProps {
  readonly words: FlowWords
  /** The id of the number whose account gets the Flow; null for the first number. */
  readonly number: string | null
  /** The id of the Flow that is copied; null for an empty one. */
  readonly source: string | null
}

/** The page that creates a Flow, or a copy of one. */
export function NewFlow({ words, number, source }: NewProps) {
  const { can, words: ground } = useApp()
  if (!can('flows:manage')) return <Plain heading={ground.denied.heading} text={ground.denied.text} />
  return (
    <PageFrame name="flow" heading={words.form.add} above={{ path: flowsPage(number), label: words.above }}>
      <OfNumber wanted={number}>
        {(chosen) =>
          source === null ? (
            <Create words={words} number={chosen.id} source={null} />
          ) : (
            <Copy key={source} words={words} number={chosen.id} id={source} />
          )
        }
      </OfNumber>
    </PageFrame>
  )
}

function Copy({ words, number, id }: { readonly words: FlowWords; readonly number: string; readonly id: string }) {
  const { api } = useApp()
  const source = useAsked((signal) => api.get<ListedFlow>(flowPath(id), { number, signal }), [id, number])
  return (
    <Asked of={source} codes={words.codes}>
      {(flow) => <Create words={words} number={number} source={flow} />}
    </Asked>
  )
}

interface CreateProps {
  readonly words: FlowWords
  readonly number: string
  readonly source: ListedFlow | null
}

function Create({ words, number, source }: CreateProps) {
  const { api, router } = useApp()
  /** The Flow, once it stands; its document may still have to be taken. */
  const [made, make] = useState<ListedFlow | null>(null)
  const document = useTypedDocument('')
  async function send(fields: FormData): Promise<Answer<ListedFlow>> {
    let flow = made
    if (flow === null) {
      const body = { ...typedIn(fields), ...(source === null ? {} : { cloneFromFlowId: source.id }) }
      const answer = await api.post<ListedFlow>(FLOWS, body, { number })
      if (answer.fault) return { fault: atItsFields(answer.fault, words) }
      flow = answer.body
      make(flow)
    }
    const flowJson = String(fields.get('flowJson') ?? '')
    if (flowJson === '') return { body: flow }
    const { fault } = await api.post(`${flowPath(flow.id)}/json`, { flowJson }, { number })
    // A document that the network finds wrong is the draft all the same: the page of the Flow says what is wrong.
    return fault === undefined || fault.code === 'FLOW_JSON_INVALID' ? { body: flow } : { fault }
  }
  return (
    <section class="card" aria-label={words.form.add}>
      {source !== null && (
        <p>
          {words.form.copyOf} <bdi>{source.name}</bdi>
        </p>
      )}
      {made !== null && <p data-made={made.id}>{words.form.made}</p>}
      <Form<ListedFlow>
        name="new-flow"
        submit={made === null ? words.form.create : words.document.save}
        action="create"
        codes={words.codes}
        isDisabled={document.line !== null}
        send={send}
        done={({ id }) => router.go(flowPage(id, number), false)}
      >
        {made === null && <FlowFields words={words} name="" categories={source?.categories ?? ['OTHER']} />}
        {source === null && <DocumentField words={words} text="" of={document} found={[]} isFound={false} />}
      </Form>
    </section>
  )
}
