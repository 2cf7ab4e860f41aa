import { createDirectory } from '../../actors/hosting/directory.ts'
import { LocalAsks } from '../../src/cluster/asks-local.ts'
import { RowPlacement } from '../../src/cluster/placement-rows.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import type { ProviderKind } from '../../src/domain/number.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { systemClock } from '../../src/process/clock.ts'
import { readCallEvents } from '../../src/providers/official/inbound/call-events.ts'
import { splitChanges } from '../../src/providers/official/inbound/changes.ts'
import { readMessageEvents } from '../../src/providers/official/inbound/message-events.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { newOfficial, newTenant, officialNumber } from '../contracts/official-store.ts'
import type { World } from '../contracts/world.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'
import { registryOf, ScriptedDriver, ScriptedFiles, ScriptedMedia } from './scripted-ports.ts'

/** A node over the real database. Only the provider is scripted; its sessions report OPEN at once. */
export function storedNode(
  database: Database,
  { stores, leases }: World,
  kind: ProviderKind,
  { name = 'one', clock = systemClock }: { readonly name?: string; readonly clock?: Clock } = {},
) {
  const driver = new ScriptedDriver(kind)
  driver.onOpen = (session) => queueMicrotask(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
  const held = leases(name)
  const directory = createDirectory({
    stores: { ...stores, sendQueue: stores.queue, messageInbox: stores.inbox },
    inbound: stores.inbound,
    readCallEvents,
    readMessageEvents,
    files: new ScriptedFiles(),
    wantsStories: async () => false,
    templateRefused: () => {},
    mediaKnown: () => {},
    peerTyping: () => {},
    conversationOf: () => 'conv_1',
    leases: held,
    placement: new RowPlacement({ database, nodeId: held.nodeId, times: held.times, boot: held.nodeId }),
    asks: new LocalAsks(),
    errands: stores.errands,
    registry: registryOf(driver),
    media: new ScriptedMedia(),
    clock,
    log: silentLog,
    metrics: noMetrics,
  })
  return { driver, directory }
}

export const METADATA = { display_phone_number: '15550783881', phone_number_id: '1001' }

export interface ToldChange {
  readonly field: string
  readonly value: unknown
}

/** An OFFICIAL number in a tenant of its own, with ways to post changes to it. */
export async function toldNumber(world: World) {
  const { stores } = world
  const wanted = newOfficial(await newTenant(world))
  const { number } = await officialNumber(world, wanted)
  const numberId: NumberId = number.id
  const target = await stores.inbound.findTarget(numberId)
  if (!target) throw new Error('the number cannot receive')
  return {
    numberId,
    /** Posts changes as the webhook route does. `write` makes the JSON text. */
    async post(changes: readonly ToldChange[], write: (value: unknown) => string = JSON.stringify) {
      const entry = [{ id: target.accountId, time: 1_795_586_125, changes }]
      const split = await splitChanges(Buffer.from(write({ object: 'whatsapp_business_account', entry })))
      if (!split.ok) throw new Error(split.reason)
      await stores.inbound.accept(
        target,
        split.changes.map((one) => ({ ...one, phoneId: wanted.credentials.phoneId })),
      )
    },
    /** Waits until no change of the number is left. `receive` tells the number that changes are there. */
    async workedOff(receive: (numberId: NumberId) => Promise<void>) {
      await until('every change is worked off', async () => {
        await receive(numberId)
        return (await stores.inbound.pending(numberId, 0, 1)).length === 0
      })
    },
  }
}

/** A message from a user, in the upstream's form. */
export function toldText(id: string): ToldChange {
  return {
    field: 'messages',
    value: {
      metadata: METADATA,
      messages: [{ from: '5511888777666', id, timestamp: '1795586125', type: 'text', text: { body: id } }],
    },
  }
}

/** A call from a user, in the upstream's form; `call` overrides its fields. */
export function toldOffer(id: string, call: object = {}): ToldChange {
  return {
    field: 'calls',
    value: {
      metadata: METADATA,
      calls: [
        {
          from: '5511888777666',
          to: '15550783881',
          id,
          timestamp: '1795586125',
          event: 'connect',
          direction: 'USER_INITIATED',
          session: { sdp_type: 'offer', sdp: 'v=0' },
          ...call,
        },
      ],
    },
  }
}

/** The end of a user's call, in the upstream's form; `call` overrides its fields. */
export function toldEnd(id: string, call: object): ToldChange {
  return {
    field: 'calls',
    value: {
      metadata: METADATA,
      calls: [
        {
          from: '5511888777666',
          to: '15550783881',
          id,
          timestamp: '1795586130',
          event: 'terminate',
          direction: 'USER_INITIATED',
          status: 'COMPLETED',
          ...call,
        },
      ],
    },
  }
}
