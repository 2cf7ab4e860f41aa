/** Finds the host that holds a call whose former owner is gone. */
import { fail } from '../domain/errors.ts'
import type { Outcome } from '../domain/errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { AdoptedCall } from '../ports/media.ts'
import type { HostLink } from './host-link.ts'
import { HOST_GONE_MS } from './host-link.ts'
import { NO_HOST } from './host-protocol.ts'
import type { Placement } from './placements.ts'

/** What is needed of the hosts to find one. */
export interface HostSearch {
  readonly clock: Clock
  links(): readonly HostLink[]
  /** Each is called whenever a host is in step. */
  readonly ready: Set<() => void>
}

/**
 * Asks the host of a call to adopt it and places the call there; requests of the call wait meanwhile. `host` is the
 * name in the call's row: if it is not in step, it is waited for as long as a host that breaks away. When the row names
 * none, all hosts in step are asked, and the one that knows the call has it.
 */
export async function adoptAt(
  search: HostSearch,
  placement: Placement,
  host: string | null,
): Promise<Outcome<AdoptedCall>> {
  const { callId, fence = 0 } = placement.call
  const adopting = Promise.withResolvers<void>()
  placement.search = adopting.promise
  const links = await linksOf(search, host)
  const asked = await Promise.all(
    links.map(async (link) => ({ link, outcome: await link.ask('adopt', { callId, fence }) })),
  )
  const found = asked.find(({ outcome }) => outcome.ok)
  const outcome = (found ?? asked.at(0))?.outcome ?? fail(NO_HOST)
  placement.link = found?.link ?? null
  placement.hasLeg = outcome.ok && outcome.value.hasLeg
  placement.search = null
  adopting.resolve()
  return outcome
}

/** Finds the hosts to ask, once there is one; none when the time is up. */
function linksOf({ clock, links, ready }: HostSearch, host: string | null): Promise<readonly HostLink[]> {
  const inStep = () => links().filter((link) => link.isReady && (host === null || link.hostId === host))
  return new Promise((resolve) => {
    const now = inStep()
    if (now.length > 0) return resolve(now)
    const settle = (): void => {
      patience.cancel()
      ready.delete(look)
      resolve(inStep())
    }
    const look = (): void => {
      if (inStep().length > 0) settle()
    }
    const patience = clock.after(HOST_GONE_MS, settle)
    ready.add(look)
  })
}
