import { newId, type TenantId } from '../../src/domain/ids.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { FlowOwner, NewFlow, StoredFlow } from '../../src/ports/stores/flow-store.ts'
import type { NewOfficialNumber } from '../../src/ports/stores/official-store.ts'
import { newOfficial, officialNumber, randomId } from './official-store.ts'
import type { World } from './world.ts'

/** An account of a tenant with one number. */
export interface FlowAccount {
  readonly tenantId: TenantId
  readonly owner: FlowOwner
  readonly number: ChannelNumber
}

/** Makes another account, or another number of an existing one. */
export async function flowAccount(
  world: World,
  tenantId: TenantId,
  accountId: string = randomId(),
  fields: Partial<NewOfficialNumber> = {},
): Promise<FlowAccount> {
  const { number } = await officialNumber(world, newOfficial(tenantId, { accountId }, fields))
  return { tenantId, number, owner: { tenantId, accountId } }
}

let last = 0

/** An upstream id above 2^53 that no other row has. */
export function upstreamId(): string {
  return `90071992547409${randomId()}`
}

/** A Flow in the form in which a creation stores it before the upstream is asked. */
export function newFlow(world: Pick<World, 'clock'>, owner: FlowOwner, fields: Partial<NewFlow> = {}): NewFlow {
  return {
    id: newId('flow'),
    owner,
    officialFlowId: null,
    name: `Form ${++last}`,
    officialStatus: 'DRAFT',
    categories: ['OTHER'],
    jsonVersion: '',
    healthStatus: 'UNKNOWN',
    validationErrors: [],
    previewUrl: null,
    clonedFromFlowId: null,
    supersededByFlowId: null,
    syncError: null,
    publishedAt: null,
    createdAt: new Date(world.clock.now()),
    statusAt: null,
    ask: null,
    askedUntil: null,
    askTries: 0,
    nameHeldUntil: null,
    isImported: false,
    ...fields,
  }
}

export async function madeFlow(
  world: Pick<World, 'stores' | 'clock'>,
  owner: FlowOwner,
  fields: Partial<NewFlow> = {},
): Promise<StoredFlow> {
  const made = await world.stores.flows.create(newFlow(world, owner, fields))
  if (made.kind !== 'created') throw new Error(`the Flow is ${made.kind}`)
  return made.flow
}
