import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { FlowsPort, UpstreamFlow } from '../../ports/official/flows.ts'

/** Our choice: a look-up ends after 20,000 Flows. Upstream cannot find a Flow by its name. */
const MOST_PAGES = 200

const UNREADABLE = refuse('OFFICIAL_ERROR', 'The official platform gave an answer that cannot be read.', {
  upstreamCode: null,
  upstreamMessage: 'The answer holds something that is no Flow.',
})

/**
 * Flows of the account that `isWanted` accepts, from its whole listing. Refusal: OFFICIAL_ERROR when none fits and an
 * item cannot be read, which may be the wanted one.
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
    refuse('OFFICIAL_ERROR', 'The account has too many Flows to look for this one upstream.', {
      upstreamCode: null,
      upstreamMessage: 'too many Flows',
    }),
  )
}

/**
 * Whether the account has a Flow of that id. The listing decides, because a read that shows nothing may be one that is
 * not allowed.
 */
export async function isThere(port: FlowsPort, externalId: string): Promise<Outcome<boolean>> {
  const shown = await port.read(externalId)
  if (!shown.ok) return shown
  if (shown.value) return succeed(true)
  const found = await lookUp(port, (flow) => flow.externalId === externalId)
  return found.ok ? succeed(found.value.length > 0) : found
}

/** Upstream may keep or drop white space around a name. */
export function isNamed(name: string): (flow: Pick<UpstreamFlow, 'name'>) => boolean {
  return (flow) => flow.name.trim() === name.trim()
}
