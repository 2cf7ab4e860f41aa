import { setTimeout as pause } from 'node:timers/promises'
import type { Rest } from '../../tools/demo/rest.ts'
import type { PairedNumber } from './service.ts'
import { until } from './until.ts'

/** One chat of a number, with the texts of its peer in order, all of which the network has. */
export interface Chat {
  readonly number: PairedNumber
  readonly peer: string
  readonly written: { readonly id: string; readonly text: string }[]
}

/**
 * Phones of the offline network that write to numbers: in all chats at once, within each chat one text after another,
 * whether anybody receives them or not.
 */
export class PhoneStorm {
  accepted = 0
  readonly #network: Rest
  readonly #chats: readonly Chat[]
  readonly #each: number
  readonly #name: string
  #mayAccept = 0

  /** `name` distinguishes the texts of one storm from those of another. */
  constructor(network: Rest, chats: readonly Chat[], each: number, name = 'text') {
    this.#name = name
    this.#network = network
    this.#chats = chats
    this.#each = each
  }

  get total(): number {
    return this.#chats.length * this.#each
  }

  /** Raises the number of texts that the storm may write in all. */
  allow(count: number): void {
    this.#mayAccept = Math.max(this.#mayAccept, count)
  }

  async untilAccepted(count: number): Promise<void> {
    await until(`${count} texts are written`, () => this.accepted >= count)
  }

  /** The chats take turns, so that the last text of each is as late as that of any other. */
  async run(): Promise<void> {
    for (let at = 0; at < this.#each; at++) {
      for (const { number, peer, written } of this.#chats) {
        while (this.accepted >= this.#mayAccept) await pause(20)
        const text = `${this.#name} ${at} from ${peer} to ${number.digits}`
        const { id } = await this.#network.post<{ id: string }>(`/control/phones/${peer}/text`, {
          to: number.digits,
          text,
        })
        written.push({ id, text })
        this.accepted++
      }
    }
  }
}
