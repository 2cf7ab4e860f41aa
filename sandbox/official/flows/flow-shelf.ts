import { textIn, type Fields } from '../../../src/domain/json-fields.ts'
import type { PlatformFlow } from './flow.ts'

/** Flows by id and by account. */
export class FlowShelf {
  readonly #byId = new Map<string, PlatformFlow>()
  /** Flows of each account, oldest first. */
  readonly #byAccount = new Map<string, Map<string, PlatformFlow>>()

  add(flow: PlatformFlow): void {
    this.#byId.set(flow.id, flow)
    const own = this.#byAccount.get(flow.accountId)
    if (own) own.set(flow.id, flow)
    else this.#byAccount.set(flow.accountId, new Map([[flow.id, flow]]))
  }

  remove({ id, accountId }: PlatformFlow): void {
    this.#byId.delete(id)
    this.#byAccount.get(accountId)?.delete(id)
  }

  find(id: string): PlatformFlow | null {
    return this.#byId.get(id) ?? null
  }

  /** The Flow of this name; null when the account has none. */
  named(accountId: string, name: string): PlatformFlow | null {
    return this.of(accountId).find((flow) => flow.name === name) ?? null
  }

  /** The Flow that `named` means (`flow_id` or `flow_name`); null when the account has no such Flow. */
  meant(accountId: string, named: Fields): PlatformFlow | null {
    const [id, name] = [textIn(named, 'flow_id'), textIn(named, 'flow_name')]
    const flow = id === null ? this.named(accountId, name ?? '') : this.find(id)
    return flow?.accountId === accountId ? flow : null
  }

  /** Flows of an account, newest first. */
  of(accountId: string): PlatformFlow[] {
    return [...(this.#byAccount.get(accountId)?.values() ?? [])].toReversed()
  }

  /** Flows of all accounts, oldest first. */
  all(): PlatformFlow[] {
    return [...this.#byId.values()]
  }

  clear(): void {
    this.#byId.clear()
    this.#byAccount.clear()
  }
}
