import type { Clock } from '../../src/ports/clock.ts'
import type { Faults } from '../faults.ts'
import type { Ledger } from '../ledger.ts'
import { heardRoutes, peerCallRoutes, type Networks } from './calls.ts'
import { deviceRoutes } from './devices.ts'
import type { ServedMedia } from '../media/served-media.ts'
import { messageChangeRoutes } from './message-changes.ts'
import { messageRoutes } from './messages.ts'
import { officialRoutes } from './official.ts'
import { flowRoutes } from './flows.ts'
import { roomRoutes } from './rooms.ts'
import { json, type Route } from './router.ts'
import { tapRoutes } from './taps.ts'
import { templateRoutes } from './templates.ts'
import { upstreamRoutes } from './upstreams.ts'
import { voteRoutes } from './votes.ts'

export interface ControlParts extends Networks {
  readonly faults: Faults
  readonly ledger: Ledger
  readonly served: ServedMedia
  readonly clock: Clock
  reset(): void
}

/** Everything that the control API can do. */
export function controlRoutes(parts: ControlParts): Route[] {
  const { network, official, served, clock } = parts
  return [
    { method: 'GET', path: '/health', answer: () => json(200, { status: 'ok' }) },
    ...deviceRoutes(network, served),
    ...roomRoutes(network, served),
    ...peerCallRoutes(parts),
    ...heardRoutes(parts, () => clock.now()),
    ...messageRoutes(parts, served),
    ...messageChangeRoutes(parts),
    ...voteRoutes(network),
    ...officialRoutes(official),
    ...templateRoutes(official),
    ...flowRoutes(official),
    ...tapRoutes(official),
    ...upstreamRoutes(parts),
  ]
}
