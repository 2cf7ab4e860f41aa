import type { DueCalling } from '../../../src/ports/stores/official-store.ts'
import { World } from '../../helpers/world.ts'
import { silentLog } from '../../helpers/silent.ts'

export const MINUTE_MS = 60_000
export const BASE_URL = 'https://gw.example'

/** Ports of commands over the tests' world with one OFFICIAL number; what is due is put in by hand. */
export function openOfficialRig() {
  const world = new World()
  const { number } = world.addOfficial()
  const { store, upstream, inbound } = world.official
  const due: DueCalling[] = []
  Object.assign(store, { takeDueCalling: async () => due.splice(0) })
  const received: string[] = []
  const credentials = store.secrets.get(number.id)?.credentials
  if (!credentials) throw new Error('no credentials')
  const wait = (fields: Partial<DueCalling> = {}) => {
    due.push({
      tenantId: world.tenantId,
      numberId: number.id,
      callingStatus: 'PENDING_TIER',
      tries: 1,
      credentials,
      verifyToken: 'verify-me',
      ...fields,
    })
  }
  const deps = {
    numbers: world.numbers,
    official: store,
    flowKeys: world.flowKeys,
    officialOf: upstream.officialOf,
    inbound,
    baseUrl: BASE_URL,
    log: silentLog,
    marksStored: async () => {},
    receive: async (id: string) => void received.push(id),
  }
  return {
    world,
    number,
    store,
    upstream,
    received,
    credentials,
    wait,
    deps,
    ops: () => upstream.asked.map(({ op }) => op),
  }
}
