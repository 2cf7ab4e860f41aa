import type { Fault } from '../../../ui/session/answers.ts'
import { AskFirst } from '../../ground/ask-first.tsx'
import { useApp } from '../../shell/app.ts'
import { leadsPath } from '../leads/lead.ts'
import { nameToType } from './name-to-type.ts'
import type { LeadProps } from './props.ts'

/** Erases the lead for good, once its name is typed. */
export function Erase({ words, lead, number }: LeadProps) {
  const { api, router, say } = useApp()
  const { erase, codes } = words
  async function act(): Promise<Fault | null> {
    const { fault } = await api.delete(`/api/v1/leads/${encodeURIComponent(lead.id)}`, { number })
    if (fault) return fault
    router.go(leadsPath(number), false)
    say(erase.done)
    return null
  }
  return (
    <div class="actions">
      <AskFirst
        action="delete"
        heading={erase.ask}
        text={erase.warning}
        name={nameToType(lead)}
        label={erase.action}
        codes={codes}
        act={act}
      />
    </div>
  )
}
