import { createFlows } from '../../src/commands/flows/flows.ts'
import type { GivenFlow } from '../../src/domain/flow-form.ts'
import type { OfficialCredentials } from '../../src/ports/official/credentials.ts'
import type { OfficialNumber } from '../../src/ports/official/number.ts'
import type { StoredFlow } from '../../src/ports/stores/flow-store.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { FlowPlatform } from './flow-platform.ts'
import { openTemplateWorld } from './template-world.ts'

/** The platforms of all worlds of a file, because chores work on the rows of all of them. */
const PLATFORMS = new Map<string, FlowPlatform>()

/** A tenant with an OFFICIAL number over the real store, with the platform's Flows behind it. */
export async function openFlowWorld(database: Database) {
  const { ports, stores, clock, accountId, official: number, join } = await openTemplateWorld(database)
  const platform = new FlowPlatform()
  PLATFORMS.set(accountId, platform)
  const officialOf = (credentials: OfficialCredentials) =>
    ({ flows: PLATFORMS.get(credentials.accountId) }) as unknown as OfficialNumber
  const flows = createFlows({ ...ports, officialOf })
  const create = (fields: Partial<GivenFlow> = {}) =>
    flows.create(number, { name: 'Book', categories: null, cloneFromFlowId: null, ...fields })
  const rows = async () => (await stores.flows.list(number, { page: 1, pageSize: 100, officialStatus: null })).items
  const find = async (id: string): Promise<StoredFlow> =>
    (await stores.flows.find(number, id)) ?? Promise.reject(new Error('the Flow is gone'))
  /** Runs the background work after every lease has expired. */
  const settleLater = async () => {
    clock.advance(3_600_000)
    await flows.settleAsked(() => true)
  }
  return { flows, stores, clock, accountId, number, join, platform, create, rows, find, settleLater }
}

export type FlowWorld = Awaited<ReturnType<typeof openFlowWorld>>
