import { useState } from 'preact/hooks'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { Form } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import { TextBox } from '../hooks/text-box.tsx'
import { DocumentField, useTypedDocument } from './document-field.tsx'
import { FaultList } from './fault-list.tsx'
import { lineFaultsOf } from './lines.ts'
import { flowPath } from './props.ts'
import type { FlowProps } from './props.ts'

interface DocumentProps extends FlowProps {
  again(): void
}

/** The document of a Flow as the network holds it. */
interface Held {
  /** Null before the first one ([flows.routes.6]). */
  readonly flowJson: string | null
}

/** The document of a Flow: to read, and of a draft to change, with what is wrong at its lines. */
export function FlowDocument({ words, flow, number, again }: DocumentProps) {
  const { api, can } = useApp()
  const path = `${flowPath(flow.id)}/json`
  const held = useAsked((signal) => api.get<Held>(path, { number, signal }), [path, number])
  const isChangeable = flow.officialStatus === 'DRAFT' && can('flows:manage')
  const { document } = words
  return (
    <section class="card" aria-labelledby="document">
      <h2 id="document">{document.heading}</h2>
      <Asked of={held} codes={words.codes}>
        {({ flowJson }) =>
          isChangeable ? (
            <Editor words={words} flow={flow} number={number} again={again} text={flowJson ?? ''} />
          ) : (
            <Shown words={words} flow={flow} text={flowJson ?? ''} />
          )
        }
      </Asked>
    </section>
  )
}

function Shown({ words, flow, text }: Pick<FlowProps, 'words' | 'flow'> & { readonly text: string }) {
  const faults = lineFaultsOf(flow.validationErrors)
  return (
    <>
      {faults.length > 0 && <p>{words.document.wrong}</p>}
      <FaultList words={words} faults={faults} />
      <TextBox label={words.document.field} text={text} />
    </>
  )
}

function Editor({ words, flow, number, again, text }: DocumentProps & { readonly text: string }) {
  const { api } = useApp()
  const document = useTypedDocument(text)
  const [saved, save] = useState(text)
  return (
    <Form
      name="flow"
      submit={words.document.save}
      codes={words.codes}
      isDisabled={document.line !== null || document.typed === ''}
      send={async (fields) => {
        const flowJson = String(fields.get('flowJson'))
        const answer = await api.post(`${flowPath(flow.id)}/json`, { flowJson }, { number })
        // A refused document is the draft all the same, so its faults are read with the Flow.
        if (answer.fault === undefined || answer.fault.code === 'FLOW_JSON_INVALID') {
          save(flowJson)
          again()
        }
        return answer
      }}
      done={() => undefined}
    >
      <DocumentField
        words={words}
        text={text}
        of={document}
        found={lineFaultsOf(flow.validationErrors)}
        isFound={document.typed === saved}
      />
    </Form>
  )
}
