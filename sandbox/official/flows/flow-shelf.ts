import { textIn, type Fields } from '../../../src/domain/json-fields.ts'
import type { PlatformFlow } from './flow.ts'

/** Flows by id and by account. */
export class FlowShelf {
  readonly #byId = new Map<string, PlatformFlow>()
  /** Oldest first. */
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

  /** Null: the account has none of that name. */
  named(accountId: string, name: string): PlatformFlow | null {
    return this.of(accountId).find((flow) => flow.name === name) ?? null
  }

  /** Of an account; `named` has `flow_id` or `flow_name`. Null: it has no such Flow. */
  meant(accountId: string, named: Fields): PlatformFlow | null {
    const [id, name] = [textIn(named, 'flow_id'), textIn(named, 'flow_name')]
    const flow = id === null ? this.named(accountId, name ?? '') : this.find(id)
    return flow?.accountId === accountId ? flow : null
  }

  /** Newest first. */
  of(accountId: string): PlatformFlow[] {
    return [...(this.#byAccount.get(accountId)?.values() ?? [])].toReversed()
  }

  /** Of all accounts, oldest first. */
  all(): PlatformFlow[] {
    return [...this.#byId.values()]
  }

  clear(): void {
    this.#byId.clear()
    this.#byAccount.clear()
  }
}
