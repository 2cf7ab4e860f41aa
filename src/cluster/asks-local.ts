import type { Asked, Asks } from '../ports/asks.ts'

/** Asks of a node that is alone: any other node that a lease names is gone. */
export class LocalAsks implements Asks {
  async ask(): Promise<Asked> {
    return { kind: 'absent' }
  }

  serve(): void {}
}
