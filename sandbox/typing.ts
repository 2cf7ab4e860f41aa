import type { TYPING_STATES } from '../src/domain/device-ops.ts'

/** What a peer is shown of a number that writes. */
export interface Typing {
  /** Digits of the number. */
  readonly from: string
  /** The peer, or a group. */
  readonly to: string
  readonly state: (typeof TYPING_STATES)[number]
  readonly atMs: number
}

/** our choice: this many are remembered on each network; the oldest go first. */
const MAX_TYPINGS = 1_000

/** What peers were shown, oldest first. */
export class TypingLog {
  #shown: Typing[] = []

  add(typing: Typing): void {
    this.#shown = [...this.#shown.slice(1 - MAX_TYPINGS), typing]
  }

  of(peer: string): readonly Typing[] {
    return this.#shown.filter(({ to }) => to === peer)
  }

  clear(): void {
    this.#shown = []
  }
}
