import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { FlowsPort, UpstreamFlow } from '../../ports/official/flows.ts'

/** Our choice: as far as a look-up goes, 20,000 Flows; upstream finds none by name. */
const MOST_PAGES = 200

const UNREADABLE = refuse('OFFICIAL_ERROR', 'The official platform gave an answer that cannot be read.', {
  upstreamCode: null,
  upstreamMessage: 'The answer holds something that is no Flow.',
})

/**
 * Flows of the account that fit, up to the end of its listing. Refused where none does and something cannot be read,
 * which may be it.
 */
export async function lookUp(
  port: FlowsPort,
  isWanted: (flow: UpstreamFlow) => boolean,
): Promise<Outcome<readonly UpstreamFlow[]>> {
  const found: UpstreamFlow[] = []
  let [after, isWhole]: [string | null, boolean] = [null, true]
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await port.page(after)
    if (!page.ok) return page
    found.push(...page.value.flows.filter(isWanted))
    isWhole &&= page.value.isWhole
    after = page.value.next
    if (after === null) return isWhole || found.length > 0 ? succeed(found) : fail(UNREADABLE)
  }
  return fail(
    refuse('OFFICIAL_ERROR', 'The account has more Flows than are looked through.', {
      upstreamCode: null,
      upstreamMessage: 'too many Flows',
    }),
  )
}

/** Whether the account has a Flow of that id: a read that shows none may be one that is not allowed. */
export async function isThere(port: FlowsPort, externalId: string): Promise<Outcome<boolean>> {
  const shown = await port.read(externalId)
  if (!shown.ok) return shown
  if (shown.value) return succeed(true)
  const found = await lookUp(port, (flow) => flow.externalId === externalId)
  return found.ok ? succeed(found.value.length > 0) : found
}

/** White space around a name is upstream's to keep or drop. */
export function isNamed(name: string): (flow: Pick<UpstreamFlow, 'name'>) => boolean {
  return (flow) => flow.name.trim() === name.trim()
}
