import { LocalBroadcast } from '../../../src/cluster/local.ts'
import { createOfficialAccounts } from '../../../src/commands/official/official.ts'
import type { OfficialPorts } from '../../../src/commands/official/ports.ts'
import { SECRET_REPLACED } from '../../../src/commands/official/targets.ts'
import { succeed } from '../../../src/domain/errors.ts'
import type { DueCalling } from '../../../src/ports/stores/official-store.ts'
import { ScriptedPlatform, UNHEARD } from '../../helpers/http-memory-official.ts'
import { NO_LEADS } from '../../helpers/no-leads.ts'
import { silentLog } from '../../helpers/silent.ts'
import { World } from '../../helpers/world.ts'

export const MINUTE_MS = 60_000
export const BASE_URL = 'https://gw.example'

interface OverRows extends Pick<OfficialPorts, 'clock'> {
  readonly stores: Pick<OfficialPorts, 'official' | 'numbers' | 'inbound' | 'accountChanges' | 'setAside'>
}

/** Ports of account commands over stored rows. The upstream always succeeds, and nobody listens to events. */
export function portsOver({ stores, clock }: OverRows): OfficialPorts {
  return {
    ...UNHEARD,
    ...stores,
    officialOf: new ScriptedPlatform().officialOf,
    marksStored: async () => {},
    receive: async () => {},
    askReopen: async () => succeed(null),
    askApplySettings: async () => succeed(null),
    queue: { letGo: async () => [] },
    sendsQueued: () => {},
    broadcast: new LocalBroadcast(silentLog),
    baseUrl: BASE_URL,
    clock,
    log: silentLog,
  }
}

/** Ports of commands over the tests' world, with one OFFICIAL number. The test adds the due work by hand. */
export function openOfficialRig() {
  const world = new World()
  const { number } = world.addOfficial()
  const { store, upstream } = world.official
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
  const done: string[] = []
  const { numbers, clock, broadcast } = world
  broadcast.subscribe(SECRET_REPLACED, (id) => void done.push(`forget ${id}`))
  const stores = { ...NO_LEADS, ...UNHEARD, ...world.official.ports(), numbers }
  const ports = {
    ...portsOver({ stores, clock }),
    officialOf: upstream.officialOf,
    receive: async (id: string) => void received.push(id),
    askReopen: async (id: string) => {
      done.push(`reopen ${id}`)
      return succeed(null)
    },
    broadcast,
  }
  return {
    world,
    number,
    store,
    upstream,
    received,
    done,
    credentials,
    wait,
    ports,
    official: createOfficialAccounts(ports),
    ops: () => upstream.asked.map(({ op }) => op),
  }
}
