import type { Asked, Asks } from '../ports/asks.ts'

/** Asks of a node that is the only one: whoever is named by a lease beside it is gone. */
export class LocalAsks implements Asks {
  async ask(): Promise<Asked> {
    return { kind: 'absent' }
  }

  serve(): void {}
}
