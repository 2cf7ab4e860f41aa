import type { RestDeps } from '../../src/http/server.ts'

/** The feed of an account in which nothing happens. */
export const NO_LIVE: Pick<RestDeps, 'tenantFeed'> = {
  tenantFeed: {
    join: async () => ({ place: { xid: '1', position: '0' }, numbers: [], calls: [], leave: () => {} }),
    missed: async () => [],
  },
}
