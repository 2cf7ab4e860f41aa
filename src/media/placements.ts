import type { CallId } from '../domain/ids.ts'
import type { MediaCall } from '../ports/media.ts'
import type { HostLink } from './host-link.ts'

/** The place of a call's media. */
export interface Placement {
  /** The call as last announced, offered or answered, with the status last told. */
  call: MediaCall
  /** The host that holds it, or is being asked to; null while there is none. */
  link: HostLink | null
  /** Settles when the search for a host is over; null when none is under way. */
  search: Promise<void> | null
  /** True when a leg exists, not only an announcement. */
  hasLeg: boolean
  /** True once `close` was asked: nothing more may be asked of it. */
  isClosing: boolean
  /** The order in which placements were made, rising by one. */
  readonly order: number
}

/** The calls of this node by id, and which host has how many. */
export class Placements {
  readonly #byCall = new Map<CallId, Placement>()
  #lastOrder = 0

  get size(): number {
    return this.#byCall.size
  }

  /** The order of the placement made last. */
  get lastOrder(): number {
    return this.#lastOrder
  }

  get(callId: CallId): Placement | undefined {
    return this.#byCall.get(callId)
  }

  /** Gives the placement of a call, made when it is new. */
  take(call: MediaCall): Placement {
    const known = this.#byCall.get(call.callId)
    if (known) {
      known.call = call
      return known
    }
    const fresh: Placement = {
      call,
      link: null,
      search: null,
      hasLeg: false,
      isClosing: false,
      order: ++this.#lastOrder,
    }
    this.#byCall.set(call.callId, fresh)
    return fresh
  }

  /**
   * Gives a placement for a call whose former owner may have been this node: one that is being closed or left does not
   * count.
   */
  takeAnew(call: MediaCall): Placement {
    if (this.#byCall.get(call.callId)?.isClosing) this.#byCall.delete(call.callId)
    return this.take(call)
  }

  /** Forgets a placement, unless the call has another one by now. */
  remove(placement: Placement): void {
    if (this.#byCall.get(placement.call.callId) === placement) this.#byCall.delete(placement.call.callId)
  }

  /** Lists the calls that a host is known to hold. */
  heldBy(link: HostLink): CallId[] {
    const calls: CallId[] = []
    for (const [callId, placement] of this.#byCall) if (placement.link === link && !placement.search) calls.push(callId)
    return calls
  }

  /** Counts the calls that load a host, held or about to be: all, or those placed after the one of order `after`. */
  loadOf(link: HostLink, after = 0): number {
    let load = 0
    for (const placement of this.#byCall.values())
      if (placement.link === link && !placement.isClosing && placement.order > after) load += 1
    return load
  }
}

/** Gives the fence that a request of the call carries. */
export function fenceOf({ call: { fence } }: Placement): { readonly fence?: number } {
  return fence === undefined ? {} : { fence }
}
