import type { GuardedFetch } from '../src/net/guarded-fetch.ts'
import type { DeliveryStore } from '../src/ports/stores/delivery-store.ts'
import type { SetAsideStore } from '../src/ports/stores/set-aside-store.ts'
import { createDispatcher, POLL_MS, type Dispatcher } from '../src/webhooks/dispatcher.ts'
import { noMetrics, silentLog } from '../test/helpers/silent.ts'
import { untilDone } from './again.ts'
import type { Machine } from './machine.ts'

/** The queue of deliveries as a node sees it, with what its start and its common look ask. */
export interface NodeDeliveries extends DeliveryStore {
  /** Gives back what the node held when it was last started. */
  recover(): Promise<unknown>
  /** What waits to be done now. */
  due(): Promise<{ readonly events: boolean; readonly deliveries: boolean }>
}

interface Parts {
  readonly deliveries: NodeDeliveries
  readonly setAside: Pick<SetAsideStore, 'note'>
  readonly fetchUrl: GuardedFetch
}

/** Delivers the events of the cluster on one node, as a gateway does (src/gateway/open-deliveries.ts). */
export async function startDeliveries(
  machine: Machine,
  { deliveries, setAside, fetchUrl }: Parts,
): Promise<Dispatcher> {
  await untilDone(machine, () => deliveries.recover())
  const dispatcher = createDispatcher({
    deliveries,
    // No event of a simulation has a fault of its own.
    setAside: { note: (...words) => setAside.note(...words), outboxHead: () => Promise.reject(new Error('no fault')) },
    fetchUrl,
    clock: machine,
    log: silentLog,
    metrics: noMetrics,
    pollMs: Infinity,
  })
  dispatcher.start()
  const look = (): void =>
    void deliveries
      .due()
      .then((due) => {
        if (due.events) dispatcher.wakeLate()
        if (due.deliveries) dispatcher.wakeQueue()
      })
      .catch(() => {})
      .finally(() => machine.after(POLL_MS, look))
  machine.after(POLL_MS, look)
  return dispatcher
}
