import { useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { useApp } from '../../shell/app.ts'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import type { NumberWords } from './number-words.ts'

/** Refusals that the number itself shows from then on, as what it waits for ([official.calling.1]). */
const WAITS: ReadonlySet<string> = new Set(['OFFICIAL_CALLING_TIER_TOO_LOW', 'OFFICIAL_CALLING_PREREQUISITES_UNMET'])

interface EnableProps {
  readonly words: NumberWords
  readonly number: ShownNumber
  /** Reads the number anew. */
  again(): void
}

/** Asks upstream to enable calls of a number now, without waiting for the next try of the service. */
export function EnableCalling({ words, number, again }: EnableProps) {
  const { api, can, say } = useApp()
  const [fault, fail] = useState<Fault | null>(null)
  const [isBusy, busy] = useState(false)
  if (number.calling === null || number.calling.status === 'ENABLED' || !can('calls:manage')) return null
  async function enable(): Promise<void> {
    busy(true)
    fail(null)
    const { fault: refused } = await api.put('/api/v1/calls/settings', { status: 'ENABLED' }, { number: number.id })
    busy(false)
    if (refused === undefined) say(words.enable.done)
    else if (!WAITS.has(refused.code ?? '')) return fail(refused)
    else say(words.enable.waits)
    again()
  }
  return (
    <>
      <button
        type="button"
        class="button quiet small"
        data-action="enable-calling"
        disabled={isBusy}
        onClick={() => void enable()}
      >
        {words.enable.label}
      </button>
      {fault !== null && <FaultLine fault={fault} codes={words.codes} />}
    </>
  )
}
