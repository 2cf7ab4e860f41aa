import type { ChannelNumber } from '../../domain/number.ts'
import { AdNamesSeeker } from './ad-names.ts'
import type { AdPorts } from './ports.ts'
import { shareAdAccess } from './share-access.ts'

type OfNumber = Pick<ChannelNumber, 'id' | 'tenantId'>

/** The commands of ads. */
export type AdCommands = ReturnType<typeof createAds>

/** Makes the commands of ads, once a node: look-ups of names are bounded for the whole node. */
export function createAds(ports: AdPorts) {
  const seeker = new AdNamesSeeker(ports)
  return {
    shareAccess: (number: OfNumber, accessToken: string) => shareAdAccess(ports, number, accessToken),
    access: ({ tenantId, id }: OfNumber) => ports.ads.access(tenantId, id),
    unshareAccess: ({ tenantId, id }: OfNumber) => ports.ads.unshare(tenantId, id),
    /** A chore. A turn waits for no look-up; `closed` waits for all of them. */
    findNames: () => seeker.turn(),
    closed: () => seeker.close(),
  }
}
