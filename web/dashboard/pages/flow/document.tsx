import { useState } from 'preact/hooks'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { Form, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import { TextBox } from '../hooks/text-box.tsx'
import { lineOfFault } from './json-fault.ts'
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

/** Our choice: lines of the editor. */
const ROWS = 20

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
      <Faults words={words} flow={flow} />
      <Asked of={held} codes={words.codes}>
        {({ flowJson }) =>
          isChangeable ? (
            <Editor words={words} flow={flow} number={number} again={again} text={flowJson ?? ''} />
          ) : (
            <TextBox label={document.field} text={flowJson ?? ''} />
          )
        }
      </Asked>
    </section>
  )
}

/** What the platform finds wrong with the document, each at its line. */
function Faults({ words: { document }, flow: { validationErrors } }: Pick<FlowProps, 'words' | 'flow'>) {
  if (validationErrors.length === 0) return null
  return (
    <>
      <p>{document.wrong}</p>
      <ul class="plain">
        {validationErrors.map(({ line_start: line, message, error }, at) => (
          <li key={at} data-line={line}>
            {line !== undefined && <strong>{document.line(line)} </strong>}
            <bdi lang="en">{message ?? error}</bdi>
          </li>
        ))}
      </ul>
    </>
  )
}

function Editor({ words, flow, number, again, text }: DocumentProps & { readonly text: string }) {
  const { api } = useApp()
  const [typed, type] = useState(text)
  const line = typed === '' ? null : lineOfFault(typed)
  const { document } = words
  return (
    <Form
      name="flow"
      submit={document.save}
      codes={words.codes}
      isDisabled={line !== null || typed === ''}
      send={async (fields) => {
        const answer = await api.post(
          `${flowPath(flow.id)}/json`,
          { flowJson: String(fields.get('flowJson')) },
          { number },
        )
        // A refused document is the draft all the same, so its faults are read with the Flow.
        if (answer.fault?.code === 'FLOW_JSON_INVALID') again()
        return answer
      }}
      done={again}
    >
      <TextField label={document.field} name="flowJson" rows={ROWS} value={text} change={type} />
      {line !== null && (
        <p class="field-fault" role="status" data-json-line={line}>
          {document.noJson(line)}
        </p>
      )}
    </Form>
  )
}
