import type { BridgeError } from '../../../src/domain/device-bridge.ts'

/** The network's code for a message of an account that may not write to this chat for now. */
const RESTRICTED = /\(463\)$/
/** our choice: so many refusals within an hour mean the account, fewer may mean the person. */
const REFUSALS = 3
const HOUR_MS = 3_600_000

/** What became of a sent message. */
export interface Told {
  readonly chat: string
  /** True when the network or its receiver took it. */
  readonly isTaken: boolean
  /** The error of a refusal, which ends with the network's code in brackets; null without one. */
  readonly error: BridgeError | null
}

/**
 * Tells a restricted account from a person who cannot be written to ([message-verbs.pace.3]): the network refuses
 * several messages within an hour while it takes those to other chats.
 */
export class RestrictionWatch {
  /** Refusals of the last hour, oldest first. */
  #refused: { readonly chat: string; readonly atMs: number }[] = []
  /** When a message to a chat was last taken. */
  readonly #taken = new Map<string, number>()
  /** Null while nothing was told since the engine started, when the gateway may still show what was told before. */
  #level: 'ok' | 'restricted' | null = null
  readonly #sinceMs: number

  constructor(nowMs: number) {
    this.#sinceMs = nowMs
  }

  /** Takes in what became of a message. Answers the level when it is to be told anew, else null. */
  note({ chat, isTaken, error }: Told, nowMs: number): 'ok' | 'restricted' | null {
    this.#forget(nowMs - HOUR_MS)
    if (isTaken) this.#taken.set(chat, nowMs)
    else if (RESTRICTED.test(error?.message ?? '')) this.#refused.push({ chat, atMs: nowMs })
    const level = this.#now(nowMs)
    if (level === null || level === this.#level) return null
    this.#level = level
    return level
  }

  #forget(beforeMs: number): void {
    this.#refused = this.#refused.filter(({ atMs }) => atMs > beforeMs)
    for (const [chat, atMs] of this.#taken) if (atMs <= beforeMs) this.#taken.delete(chat)
  }

  /** Null when neither can be said. */
  #now(nowMs: number): 'ok' | 'restricted' | null {
    const refused = new Set(this.#refused.map(({ chat }) => chat))
    const isOtherTaken = [...this.#taken.keys()].some((chat) => !refused.has(chat))
    if (this.#refused.length >= REFUSALS && isOtherTaken) return 'restricted'
    return this.#refused.length === 0 && this.#taken.size > 0 && nowMs - this.#sinceMs >= HOUR_MS ? 'ok' : null
  }
}
