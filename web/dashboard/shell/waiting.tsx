import type { Fault } from '../../ui/session/answers.ts'
import type { DashboardWords } from '../../words/dashboard/words.ts'
import { faultText } from '../ground/fault-text.ts'

interface WaitingProps {
  readonly words: DashboardWords
  readonly fault: Fault
  readonly serviceName: string
  again(): void
}

/** The dashboard while nobody knows who is signed in, because the service did not say. */
export function Waiting({ words, fault, serviceName, again }: WaitingProps) {
  return (
    <main id="main" class="alone">
      <p class="service" dir="auto">
        {serviceName}
      </p>
      <h1>{words.broken.heading}</h1>
      <p role="alert" class="fault" data-fault={fault.kind}>
        {faultText(fault, words)}
      </p>
      <button type="button" class="button primary" data-action="retry" onClick={again}>
        {words.retry}
      </button>
    </main>
  )
}
