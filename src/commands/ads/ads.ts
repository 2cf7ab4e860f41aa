import type { ChannelNumber } from '../../domain/number.ts'
import { AdNamesSeeker } from './ad-names.ts'
import type { AdPorts } from './ports.ts'
import { shareAdAccess } from './share-access.ts'

type OfNumber = Pick<ChannelNumber, 'id' | 'tenantId'>

/** Everything that can be done with ads. */
export type AdCommands = ReturnType<typeof createAds>

/** Makes what can be done with ads, once a node: look-ups of names are bounded for all of it. */
export function createAds(ports: AdPorts) {
  const seeker = new AdNamesSeeker(ports)
  return {
    shareAccess: (number: OfNumber, accessToken: string) => shareAdAccess(ports, number, accessToken),
    access: ({ tenantId, id }: OfNumber) => ports.ads.access(tenantId, id),
    unshareAccess: ({ tenantId, id }: OfNumber) => ports.ads.unshare(tenantId, id),
    /** A chore: a turn waits for no look-up, `closed` for all of them. */
    findNames: () => seeker.turn(),
    closed: () => seeker.close(),
  }
}
