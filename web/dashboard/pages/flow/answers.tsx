import { EXPORT_PAGE, ExportCsv } from '../../ground/export-csv.tsx'
import { Listed } from '../../ground/listed.tsx'
import { Time } from '../../ground/shown.tsx'
import { usePageReader, usePages } from '../../ground/use-pages.ts'
import { flowPath } from './props.ts'
import type { FlowProps } from './props.ts'

/** What a customer submitted ([flows.responses.4]). */
interface FlowAnswer {
  readonly id: string
  readonly contactNumber: string | null
  readonly contactName: string | null
  readonly response: Readonly<Record<string, unknown>> | null
  readonly rawResponse?: string
  readonly submittedAt: string
}

/** What customers submitted, newest first, and all of it as a file. */
export function Answers({ words, flow, number }: FlowProps) {
  const { answers } = words
  const asked = { path: `${flowPath(flow.id)}/responses`, number, query: {}, field: 'responses' }
  const list = usePages<FlowAnswer>(asked)
  const read = usePageReader<FlowAnswer>(asked)
  const columns = [answers.from, answers.answer, answers.at]
  return (
    <section class="part" aria-labelledby="answers">
      <h2 id="answers">{answers.heading}</h2>
      <Listed
        of={list}
        none={answers.none}
        label={answers.heading}
        columns={columns}
        hooksOf={({ id }) => ({ id })}
        row={(one) => [
          <div key="from">
            <bdi>{one.contactName ?? ''}</bdi>{' '}
            <span class="muted digits" dir="ltr">
              {one.contactNumber}
            </span>
          </div>,
          <bdi key="answer">{textOf(one)}</bdi>,
          <Time key="at" at={one.submittedAt} />,
        ]}
        above={
          <div class="actions">
            <ExportCsv<FlowAnswer>
              name={`flow-${flow.id}`}
              columns={[answers.name, ...columns]}
              cellsOf={(one) => [one.contactName ?? '', one.contactNumber ?? '', textOf(one), one.submittedAt]}
              read={(page) => read(page, EXPORT_PAGE)}
            />
          </div>
        }
      />
    </section>
  )
}

function textOf({ response, rawResponse }: FlowAnswer): string {
  return response === null ? (rawResponse ?? '') : JSON.stringify(response)
}
