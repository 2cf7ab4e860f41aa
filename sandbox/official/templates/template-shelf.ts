import type { Clock } from '../../../src/ports/clock.ts'
import type { PlatformTemplate } from './template.ts'

/** Upstream's block of an approved name after its deletion, ms. */
const BLOCKED_MS = 30 * 86_400_000

function keyOf({ accountId, name, language }: Pick<PlatformTemplate, 'accountId' | 'name' | 'language'>): string {
  return `${accountId} ${name} ${language}`
}

/** Templates by id, by account and by name, and the names that are blocked. */
export class TemplateShelf {
  readonly #clock: Clock
  readonly #byId = new Map<string, PlatformTemplate>()
  /** Templates of each account, oldest first. */
  readonly #byAccount = new Map<string, Map<string, PlatformTemplate>>()
  /** When names are free again, in ms since the epoch. */
  readonly #blocked = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(template: PlatformTemplate): void {
    this.#byId.set(template.id, template)
    const own = this.#byAccount.get(template.accountId)
    if (own) own.set(keyOf(template), template)
    else this.#byAccount.set(template.accountId, new Map([[keyOf(template), template]]))
  }

  /** Removes a template. A name that was approved stays blocked for a while. */
  remove(template: PlatformTemplate): void {
    this.#byId.delete(template.id)
    this.#byAccount.get(template.accountId)?.delete(keyOf(template))
    if (template.wasApproved) this.#blocked.set(keyOf(template), this.#clock.now() + BLOCKED_MS)
  }

  find(id: string): PlatformTemplate | null {
    return this.#byId.get(id) ?? null
  }

  named(accountId: string, name: string, language: string): PlatformTemplate | null {
    return this.#byAccount.get(accountId)?.get(keyOf({ accountId, name, language })) ?? null
  }

  isBlocked(accountId: string, name: string, language: string): boolean {
    return (this.#blocked.get(keyOf({ accountId, name, language })) ?? 0) > this.#clock.now()
  }

  /** Templates of an account, newest first. */
  of(accountId: string): PlatformTemplate[] {
    return [...(this.#byAccount.get(accountId)?.values() ?? [])].toReversed()
  }

  count(accountId: string): number {
    return this.#byAccount.get(accountId)?.size ?? 0
  }

  /** Templates of all accounts, oldest first. */
  all(): PlatformTemplate[] {
    return [...this.#byId.values()]
  }

  clear(): void {
    this.#byId.clear()
    this.#byAccount.clear()
    this.#blocked.clear()
  }
}
