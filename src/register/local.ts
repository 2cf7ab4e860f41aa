import type { Clock } from '../ports/clock.ts'
import { REGISTER_TTL_MS } from '../ports/register.ts'
import type { Register } from '../ports/register.ts'
import type { EntryKind } from './entry-kind.ts'

/** The register within one process. */
export class LocalRegister<Entry extends object> implements Register<Entry> {
  readonly #kind: EntryKind<Entry>
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #entries = new Map<string, { readonly entry: Entry; readonly untilMs: number }>()

  constructor(kind: EntryKind<Entry>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#kind = kind
    this.#clock = clock
  }

  async put(entry: Entry): Promise<void> {
    this.#entries.set(this.#kind.idOf(entry), { entry, untilMs: this.#clock.monotonicMs() + REGISTER_TTL_MS })
  }

  async remove(id: string): Promise<void> {
    this.#entries.delete(id)
  }

  async list(): Promise<Entry[]> {
    const nowMs = this.#clock.monotonicMs()
    for (const [id, { untilMs }] of this.#entries) if (untilMs <= nowMs) this.#entries.delete(id)
    return [...this.#entries.values()].map(({ entry }) => entry)
  }

  async close(): Promise<void> {
    // Nothing has to be closed.
  }
}
