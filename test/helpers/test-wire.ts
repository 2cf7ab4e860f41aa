import type { Wire } from '../../src/cluster/wire.ts'

/** A wire within the process, whose messages can be dropped, held back, inspected and repeated. */
export class TestWire implements Wire {
  readonly #listeners = new Map<string, (text: string) => void>()
  #held: { readonly channel: string; readonly texts: string[] } | null = null
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
    if (this.#held?.channel === channel) this.#held.texts.push(text)
    else if (listener && !this.isCut) setImmediate(() => listener(text))
    return listener ? 1 : 0
  }

  async subscribe(channel: string, listener: (text: string) => void): Promise<void> {
    this.#listeners.set(channel, listener)
  }

  /** Holds back messages that are published to a channel from now on; `release` delivers them in order. */
  hold(channel: string): void {
    this.#held = { channel, texts: [] }
  }

  release(): void {
    const { channel, texts } = this.#held ?? { channel: '', texts: [] }
    this.#held = null
    for (const text of texts) this.#listeners.get(channel)?.(text)
  }

  async unsubscribe(channel: string): Promise<void> {
    this.#listeners.delete(channel)
  }

  /** Removes the listener, as when its node is gone. */
  leave(channel: string): void {
    this.#listeners.delete(channel)
  }
}
