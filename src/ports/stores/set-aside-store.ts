import type { Fault, SetAsideItem, SetAsideLine } from '../../domain/set-aside.ts'
import type { Fence } from '../leases.ts'
import type { WriteResult } from './call-store.ts'
import type { DeliveryJob } from './delivery-store.ts'

/** An item that is set aside, as operators see it: nothing of its content. */
export interface SetAside extends SetAsideItem {
  /** Rises from item to item. */
  readonly id: string
  readonly createdAt: Date
}

/**
 * `final`: it cannot go back into a line, as a send, whose sender was told how it ended, and anything of deliveries
 * (`delivery`).
 */
export type RetryResult = 'retried' | 'final' | 'unknown'

/**
 * Items that durable lines could not work off for a reason of their own, kept with their content until an operator has
 * them tried again, or drops them. Each item leaves its line in the transaction that sets it aside.
 */
export interface SetAsideStore {
  /** Sets aside the change at `position` of the fence's number. `conflict`: it no longer waits. */
  change(fence: Fence, position: number, why: Fault): Promise<WriteResult>
  /** Sets aside an engine's event, in `held` (JSON text), under a name of its own, since it has no line here. */
  deviceEvent(fence: Fence, item: string, held: string, why: Fault): Promise<WriteResult>
  /** Sets aside the change at `position` of an account. */
  accountChange(position: number, why: Fault): Promise<void>
  /** Sets aside the oldest event of the outbox. */
  outboxHead(why: Fault): Promise<void>
  errand(id: string, why: Fault): Promise<void>
  leadNotice(notice: { readonly leadgenId: string; readonly pageId: string }, why: Fault): Promise<void>
  /** Notes an item whose line no longer holds it, or still holds another part of it, with the given content. */
  note(item: SetAsideItem, held: string | null): Promise<void>
  /** Counts the items of each line. */
  counts(): Promise<ReadonlyMap<SetAsideLine, number>>
  /** Lists items, oldest first. */
  list(limit: number): Promise<SetAside[]>
  /** Puts an item back into its line, to be worked off again. */
  retry(id: string): Promise<RetryResult>
  /** Finds the delivery that is set aside under this id; null for any other item, such as a log. */
  delivery(id: string): Promise<DeliveryJob | null>
  /** Forgets an item. False when there is none. */
  drop(id: string): Promise<boolean>
  /** Lists the ids of all items, or of those of one line, for a retry or a drop of all. */
  ids(line: SetAsideLine | null): Promise<string[]>
  /** Forgets items of numbers that are gone. */
  purge(): Promise<number>
}
