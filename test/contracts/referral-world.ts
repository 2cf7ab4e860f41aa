import { randomInt } from 'node:crypto'
import type { ToldReferral } from '../../src/domain/referral.ts'
import type { IncomingMessage } from '../../src/ports/stores/message-inbox.ts'
import type { NewOfficialNumber } from '../../src/ports/stores/official-store.ts'
import type { ReferralQuery } from '../../src/ports/stores/referral-store.ts'
import { incoming } from './message-world.ts'
import { newOfficial, newTenant, officialNumber } from './official-store.ts'
import type { Owned, World } from './world.ts'

export const ALL_REFERRALS: ReferralQuery = {
  page: 1,
  pageSize: 100,
  sourceId: null,
  sourceType: null,
  startDate: null,
  endDate: null,
}
export const EVER = { startDate: null, endDate: null }

/** An ad id above 2^53 that no other test has. */
export function newAdId(): string {
  return `1202${randomInt(10 ** 9, 10 ** 10)}${randomInt(10 ** 9, 10 ** 10)}`
}

/** A click on an ad, in the upstream's form. */
export function click(sourceId: string | null, fields: Partial<ToldReferral> = {}): ToldReferral {
  return {
    sourceId,
    sourceType: 'ad',
    sourceUrl: 'https://fb.me/x',
    headline: 'Shoes',
    body: 'New ones',
    mediaType: 'image',
    imageUrl: 'https://cdn.example/a.jpg',
    videoUrl: null,
    thumbnailUrl: null,
    welcomeMessage: 'Hello',
    ctwaClid: 'click-1',
    ...fields,
  }
}

/** Makes an OFFICIAL number owned by one node. */
export async function ownedOfficial(
  world: World,
  fields: Partial<NewOfficialNumber> = {},
  tenantId = fields.tenantId,
): Promise<Owned> {
  const owner = tenantId ?? (await newTenant(world))
  const { number, key } = await officialNumber(world, newOfficial(owner, {}, fields))
  const fence = await world.leases().acquire(number.id)
  if (!fence) throw new Error('the number could not be leased')
  return { tenantId: owner, number, key, fence }
}

/** Stores a message that came from an ad, and returns it. */
export async function clicked(
  world: World,
  owned: Owned,
  referral: ToldReferral | null,
  fields: Partial<IncomingMessage> = {},
): Promise<IncomingMessage> {
  const message = incoming(world, owned, { externalMessageId: `wamid.${newAdId()}`, referral, ...fields })
  const result = await world.stores.inbox.receive(owned.fence, message)
  if (result !== 'applied') throw new Error(`the message was not received: ${result}`)
  return message
}

/** Upstream ids of the messages that have a referral, newest first. */
export async function recorded(world: World, { number }: Owned): Promise<string[]> {
  const { items, total } = await world.stores.referrals.list(number, ALL_REFERRALS)
  if (items.length !== total) throw new Error(`${items.length} referrals are shown, ${total} counted`)
  return items.map(({ externalMessageId }) => externalMessageId ?? '')
}
