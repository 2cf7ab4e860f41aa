import type { Fault, SetAsideItem, SetAsideLine } from '../../domain/set-aside.ts'
import type { Fence } from '../leases.ts'
import type { WriteResult } from './call-store.ts'
import type { DeliveryJob } from './delivery-store.ts'

/** An item that is set aside, as it is shown to operators: nothing of what it says. */
export interface SetAside extends SetAsideItem {
  /** Rises. */
  readonly id: string
  readonly createdAt: Date
}

/**
 * `final`: it does not go back into a line: a send, since its sender was told how it ended, and what is of deliveries
 * (`delivery`).
 */
export type RetryResult = 'retried' | 'final' | 'unknown'

/**
 * What durable lines could not work off for a reason of its own: kept with what the line held of it until somebody has
 * it tried again, or drops it. Each item leaves its line in the transaction that sets it aside.
 */
export interface SetAsideStore {
  /** The change at `position` of the number that the fence is of. `conflict`: it waits no more. */
  change(fence: Fence, position: number, why: Fault): Promise<WriteResult>
  /** What an engine told, in `held` (JSON text), by a name of its own: it has no line here. */
  deviceEvent(fence: Fence, item: string, held: string, why: Fault): Promise<WriteResult>
  /** The change at `position` of an account. */
  accountChange(position: number, why: Fault): Promise<void>
  /** The oldest event of the outbox. */
  outboxHead(why: Fault): Promise<void>
  errand(id: string, why: Fault): Promise<void>
  leadNotice(notice: { readonly leadgenId: string; readonly pageId: string }, why: Fault): Promise<void>
  /** Something whose line holds nothing of it any more, or something else of it still: noted with what is given. */
  note(item: SetAsideItem, held: string | null): Promise<void>
  /** How many of each line there are. */
  counts(): Promise<ReadonlyMap<SetAsideLine, number>>
  /** Oldest first. */
  list(limit: number): Promise<SetAside[]>
  /** Puts it back into its line, to be worked off again. */
  retry(id: string): Promise<RetryResult>
  /** The delivery that is set aside under this id; null where it is something else, a log among that. */
  delivery(id: string): Promise<DeliveryJob | null>
  /** Forgets it. False when there is none. */
  drop(id: string): Promise<boolean>
  /** Ids of those that are there, for a retry or a drop of all of them; of one line where it is given. */
  ids(line: SetAsideLine | null): Promise<string[]>
  /** Forgets what is of numbers that are gone. */
  purge(): Promise<number>
}
