import { useState } from 'preact/hooks'
import type { Fault } from '../../ui/session/answers.ts'
import { Confirm } from './confirm.tsx'
import type { ConfirmProps } from './confirm.tsx'

interface AskFirstProps extends Omit<ConfirmProps, 'close' | 'children'> {
  /** The value of `data-action`. */
  readonly action: 'delete' | 'rotate'
}

/** A button for what cannot be taken back: it asks for the name first. */
export function AskFirst({ action, act, ...question }: AskFirstProps) {
  const [isAsking, ask] = useState(false)
  async function run(): Promise<Fault | null> {
    const fault = await act()
    if (fault === null) ask(false)
    return fault
  }
  return (
    <>
      <button type="button" class="button danger" data-action={action} onClick={() => ask(true)}>
        {question.label}
      </button>
      {isAsking && <Confirm {...question} act={run} close={() => ask(false)} />}
    </>
  )
}
