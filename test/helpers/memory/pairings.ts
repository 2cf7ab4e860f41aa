import { newSecretId, type NumberId } from '../../../src/domain/ids.ts'
import { LINK_KEPT_MS, linkHandle } from '../../../src/domain/pairing.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { FoundLink, PairingLink, PairingStore } from '../../../src/ports/stores/pairing-store.ts'
import type { MemoryRows } from './rows.ts'

/** Connect links in memory. */
export class MemoryPairings implements PairingStore {
  readonly #rows: MemoryRows
  readonly #clock: Clock

  constructor(rows: MemoryRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  async issue(link: PairingLink) {
    const { links, numbers } = this.#rows
    const number = numbers.get(link.numberId)
    if (number?.tenantId !== link.tenantId) throw new Error("the number of the new link is not the tenant's")
    if (number.state === 'CLOSE') numbers.set(number.id, { ...number, pairingReason: null })
    for (const [older, { numberId, over }] of links)
      if (numberId === link.numberId && over === null) this.#end(older, this.#found(older)?.over ?? 'REVOKED')
    const token = newSecretId('rp')
    links.set(token, { ...link, over: null, overAt: link.expiresAt })
    return token
  }

  async find(token: string) {
    return this.#found(token)
  }

  async findByHandle(handle: string) {
    const token = [...this.#rows.links.keys()].find((one) => linkHandle(one) === handle)
    return token === undefined ? null : this.#found(token)
  }

  async consume(numberId: NumberId) {
    this.#rows.consumed++
    for (const [token, link] of this.#rows.links)
      if (link.numberId === numberId && this.#found(token)?.over === null) this.#end(token, 'USED')
  }

  async purge() {
    const gone = [...this.#rows.links.keys()].filter((token) => this.#found(token) === null)
    for (const token of gone) this.#rows.links.delete(token)
    return gone.length
  }

  #end(token: string, over: FoundLink['over']) {
    const link = this.#rows.links.get(token)
    if (link)
      this.#rows.links.set(token, {
        ...link,
        over,
        overAt: over === 'EXPIRED' ? link.expiresAt : new Date(this.#clock.now()),
      })
  }

  #found(token: string): FoundLink | null {
    const link = this.#rows.links.get(token)
    const nowMs = this.#clock.now()
    if (!link || link.overAt.getTime() <= nowMs - LINK_KEPT_MS) return null
    const { overAt: _, ...found } = link
    return { ...found, over: link.over ?? (link.expiresAt.getTime() <= nowMs ? 'EXPIRED' : null) }
  }
}
