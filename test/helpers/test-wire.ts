import type { Wire } from '../../src/cluster/wire.ts'

/** A wire within the process, whose messages can be kept from arriving, seen and told again. */
export class TestWire implements Wire {
  readonly #listeners = new Map<string, (text: string) => void>()
  readonly told: [channel: string, text: string][] = []
  isCut = false
  mode: 'up' | 'away' | 'unsure' = 'up'

  isUp(): boolean {
    return this.mode !== 'away'
  }

  async publish(channel: string, text: string): Promise<number> {
    if (this.mode === 'unsure') throw new Error('Command timed out')
    this.told.push([channel, text])
    const listener = this.#listeners.get(channel)
    if (listener && !this.isCut) setImmediate(() => listener(text))
    return listener ? 1 : 0
  }

  async subscribe(channel: string, listener: (text: string) => void): Promise<void> {
    this.#listeners.set(channel, listener)
  }

  async unsubscribe(channel: string): Promise<void> {
    this.#listeners.delete(channel)
  }

  /** Its node is gone. */
  leave(channel: string): void {
    this.#listeners.delete(channel)
  }
}
