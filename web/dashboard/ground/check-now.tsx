import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Fault } from '../../ui/session/answers.ts'
import { useApp } from '../shell/app.ts'
import { FaultLine } from './asked.tsx'
import type { CodeWords } from './fault-text.ts'

interface CheckNowProps<T> {
  /** What is read, with `refresh=1`. */
  readonly path: string
  /** The id of the number as which it is read; absent where none is needed. */
  readonly number?: string
  readonly label: string
  readonly codes: CodeWords
  /** Takes what upstream says. */
  take(now: T): void
  /** What stands behind the button. */
  readonly children?: ComponentChildren
}

/** A button that has the service ask upstream now, whose news may be late. */
export function CheckNow<T>({ path, number, label, codes, take, children }: CheckNowProps<T>) {
  const { api, words } = useApp()
  const [isBusy, busy] = useState(false)
  const [fault, fail] = useState<Fault | null>(null)
  async function check(): Promise<void> {
    busy(true)
    fail(null)
    const of = number === undefined ? {} : { number }
    const answer = await api.get<T>(path, { ...of, query: { refresh: '1' } })
    busy(false)
    if (answer.fault) fail(answer.fault)
    else take(answer.body)
  }
  return (
    <>
      {fault !== null && <FaultLine fault={fault} codes={codes} />}
      <div class="actions">
        <button type="button" class="button quiet" data-action="refresh" disabled={isBusy} onClick={() => void check()}>
          {isBusy ? words.loading : label}
        </button>
        {children}
      </div>
    </>
  )
}
