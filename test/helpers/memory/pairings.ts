import { newSecretId, type NumberId } from '../../../src/domain/ids.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { PairingLink, PairingStore } from '../../../src/ports/stores/pairing-store.ts'
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
    if (numbers.get(link.numberId)?.tenantId !== link.tenantId) throw new Error('the number of the new link is not the tenant\'s')
    for (const [token, older] of links) if (older.numberId === link.numberId) links.delete(token)
    const token = newSecretId('rp')
    links.set(token, { ...link, isUsed: false })
    return token
  }

  async find(token: string) {
    const link = this.#rows.links.get(token)
    return link && link.expiresAt.getTime() > this.#clock.now() ? link : null
  }

  async consume(numberId: NumberId) {
    this.#rows.consumed++
    for (const [token, link] of this.#rows.links) if (link.numberId === numberId) this.#rows.links.set(token, { ...link, isUsed: true })
  }
}
