import { newId } from '../../src/domain/ids.ts'
import type { NumberId, TenantId } from '../../src/domain/ids.ts'
import { Rig } from './rig.ts'

/** One endpoint that never answers, and one that answers. */
export const DEAD = 'https://dead.example/'
export const GOOD = 'https://good.example/'

/** A number in a new tenant. */
export function newNumber(): { tenantId: TenantId; numberId: NumberId } {
  return { tenantId: newId('ten'), numberId: newId('num') }
}

/** A dispatcher that has not started, with `count` events for one webhook at `url`. */
export function rigWith(url: string, count: number, rig: Rig = new Rig()) {
  const target = rig.store.addWebhook(url, newNumber())
  const events = Array.from({ length: count }, (_, i) => rig.store.addEvent(target, { i }))
  return { rig, target, events }
}
