import type { Clock } from '../ports/clock.ts'
import { REGISTER_TTL_MS } from '../ports/media-register.ts'
import type { MediaHostEntry, MediaRegister } from '../ports/media-register.ts'

/** The register within one process. */
export class LocalMediaRegister implements MediaRegister {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #entries = new Map<string, { readonly entry: MediaHostEntry; readonly untilMs: number }>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  async put(entry: MediaHostEntry): Promise<void> {
    this.#entries.set(entry.hostId, { entry, untilMs: this.#clock.monotonicMs() + REGISTER_TTL_MS })
  }

  async remove(hostId: string): Promise<void> {
    this.#entries.delete(hostId)
  }

  async list(): Promise<MediaHostEntry[]> {
    const nowMs = this.#clock.monotonicMs()
    for (const [hostId, { untilMs }] of this.#entries) if (untilMs <= nowMs) this.#entries.delete(hostId)
    return [...this.#entries.values()].map(({ entry }) => entry)
  }

  async close(): Promise<void> {
    // Nothing has to be closed.
  }
}
