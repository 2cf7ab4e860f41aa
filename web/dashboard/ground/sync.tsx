import { useState } from 'preact/hooks'
import type { Fault } from '../../ui/session/answers.ts'
import { useApp } from '../shell/app.ts'
import { FaultLine } from './asked.tsx'
import type { CodeWords } from './fault-text.ts'

/** What an import changed here ([flows.routes.3], [templates.routes.7]). */
export interface Synced {
  readonly imported: number
  readonly updated: number
  readonly removed: number
}

interface SyncProps {
  readonly path: string
  readonly number: string
  readonly words: {
    readonly sync: string
    readonly codes: CodeWords
    synced(changed: Synced): string
  }
  done(): void
}

/** A button that imports what upstream has now, which otherwise happens every hour. */
export function Sync({ path, number, words, done }: SyncProps) {
  const { api, say, words: ground } = useApp()
  const [isBusy, busy] = useState(false)
  const [fault, fail] = useState<Fault | null>(null)
  async function run(): Promise<void> {
    busy(true)
    fail(null)
    const answer = await api.post<Synced>(path, {}, { number })
    busy(false)
    if (answer.fault) return fail(answer.fault)
    say(words.synced(answer.body))
    done()
  }
  return (
    <>
      {fault !== null && <FaultLine fault={fault} codes={words.codes} />}
      <div class="actions">
        <button type="button" class="button quiet" data-action="sync" disabled={isBusy} onClick={() => void run()}>
          {isBusy ? ground.loading : words.sync}
        </button>
      </div>
    </>
  )
}
