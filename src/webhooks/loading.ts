import type { EventId } from '../domain/ids.ts'
import { failureCode, isOwnFault } from '../domain/set-aside.ts'
import type { WebhookId } from '../domain/webhook.ts'
import type { Log } from '../ports/log.ts'
import type { DeliveryStore, DeliveryTarget, FetchedDelivery } from '../ports/stores/delivery-store.ts'
import type { SetAsideStore } from '../ports/stores/set-aside-store.ts'
import type { Deliverable } from '../domain/envelope.ts'

export interface LoadingDeps {
  readonly deliveries: Pick<DeliveryStore, 'load'>
  readonly setAside: Pick<SetAsideStore, 'note'>
  readonly log: Log
}

/** What is loaded before deliveries can begin. */
export interface Loading {
  readonly events: ReadonlyMap<EventId, Deliverable>
  readonly targets: ReadonlyMap<WebhookId, DeliveryTarget>
  /** Deliveries that cannot be loaded; they are set aside. */
  readonly aside: ReadonlySet<FetchedDelivery>
}

/** Each delivery is loaded at most twice: with the others, and alone. */
const LOADS = 2
const NONE: ReadonlySet<FetchedDelivery> = new Set()

/**
 * Loads the events and targets of deliveries. A delivery that cannot be loaded for a reason of its own, such as a
 * secret that another key sealed, holds up no other: it is set aside. Throws while the store is away, or when it cannot
 * set the delivery aside.
 */
export async function loadDeliveries(deps: LoadingDeps, jobs: readonly FetchedDelivery[]): Promise<Loading> {
  try {
    return { ...(await deps.deliveries.load(jobs)), aside: NONE }
  } catch (error) {
    if (!isOwnFault(error)) throw error
    return await loadEach(deps, jobs)
  }
}

async function loadEach(deps: LoadingDeps, jobs: readonly FetchedDelivery[]): Promise<Loading> {
  const [events, targets, aside] = [
    new Map<EventId, Deliverable>(),
    new Map<WebhookId, DeliveryTarget>(),
    new Set<FetchedDelivery>(),
  ]
  for (const job of jobs) {
    try {
      const loaded = await deps.deliveries.load([job])
      for (const [id, event] of loaded.events) events.set(id, event)
      for (const [id, target] of loaded.targets) targets.set(id, target)
    } catch (error) {
      if (!isOwnFault(error)) throw error
      await setAside(deps, job, error)
      aside.add(job)
    }
  }
  return { events, targets, aside }
}

async function setAside(
  { setAside: store, log }: LoadingDeps,
  { eventId, webhookId, tenantId, attempt }: FetchedDelivery,
  error: unknown,
): Promise<void> {
  const reason = failureCode(error)
  log.error({ webhookId, reason }, 'a delivery cannot be loaded and is set aside')
  await store.note(
    {
      line: 'deliveries',
      item: `${webhookId}/${eventId}`,
      tenantId,
      numberId: null,
      accountId: null,
      reason,
      tries: LOADS,
    },
    JSON.stringify({ eventId, webhookId, tenantId, attempt }),
  )
}
