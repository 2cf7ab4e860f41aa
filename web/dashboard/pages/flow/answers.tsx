import { DateFields } from '../../ground/date-range.tsx'
import type { Dates } from '../../ground/date-range.tsx'
import { EXPORT_PAGE, ExportCsv } from '../../ground/export-csv.tsx'
import { Listed } from '../../ground/listed.tsx'
import { Time } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { usePageReader, usePages } from '../../ground/use-pages.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { answerColumnsOf, isOfAnswers, textOf } from './answer.ts'
import type { FlowAnswer } from './answer.ts'
import { flowPath } from './props.ts'
import type { FlowProps } from './props.ts'

interface AnswersProps extends FlowProps {
  readonly dates: Dates
}

/** What customers submitted between two dates, newest first, and all of it as a file. */
export function Answers({ words, flow, number, dates }: AnswersProps) {
  const { answers } = words
  const { startDate, endDate } = dates
  const asked = { path: `${flowPath(flow.id)}/responses`, number, query: { startDate, endDate }, field: 'responses' }
  const list = usePages<FlowAnswer>(asked)
  const refresh = useSettled(list.again)
  useLive({ event: (frame) => isOfAnswers(frame) && refresh() })
  const read = usePageReader<FlowAnswer>(asked)
  return (
    <section class="part" aria-labelledby="answers">
      <h2 id="answers">{answers.heading}</h2>
      <div class="filters">
        <DateFields dates={dates} />
      </div>
      <Listed
        of={list}
        none={startDate === null && endDate === null ? answers.none : answers.noneThen}
        codes={words.codes}
        label={answers.heading}
        columns={[answers.from, answers.answer, answers.at]}
        hooksOf={({ id }) => ({ id })}
        row={rowOf}
        above={
          <div class="actions">
            <ExportCsv<FlowAnswer>
              name={`flow-${flow.id}`}
              columns={[answers.name, answers.from, answers.at]}
              cellsOf={(one) => [one.contactName ?? '', one.contactNumber ?? '', one.submittedAt]}
              furtherOf={(all) => answerColumnsOf(all, answers.answer)}
              read={(page) => read(page, EXPORT_PAGE)}
            />
          </div>
        }
      />
    </section>
  )
}

function rowOf(one: FlowAnswer) {
  return [
    <div key="from">
      <bdi>{one.contactName ?? ''}</bdi>{' '}
      <span class="muted digits" dir="ltr">
        {one.contactNumber}
      </span>
    </div>,
    <bdi key="answer">{textOf(one)}</bdi>,
    <Time key="at" at={one.submittedAt} />,
  ]
}
