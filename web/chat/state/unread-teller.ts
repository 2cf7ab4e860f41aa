import { effect } from '@preact/signals'

/**
 * Our choice, in ms: a change of the total and of the conversation that it is about are told one after the other, in
 * much less.
 */
const SETTLED_MS = 250

/** What is unread: in all, and in the open conversation, if it is seen; null where none is open. */
export interface Unread {
  readonly total: number
  readonly onScreen: number | null
}

/**
 * Tells the host how much is unread, each count once. What is on the screen is not counted: it is being read, and a
 * host that rings at a rise would ring for what its user looks at. While a conversation is open, a count is told once
 * its changes have settled.
 */
export class UnreadTeller {
  readonly #read: () => Unread
  readonly #tell: (count: number) => void
  #told: number | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #stop = (): void => {}

  /** `read` is followed: whatever signal it reads. */
  constructor(read: () => Unread, tell: (count: number) => void) {
    this.#read = read
    this.#tell = tell
  }

  /** The host can hear it from now on; the first count is told at once. */
  begin(): void {
    this.#stop = effect(() => {
      const unread = this.#read()
      clearTimeout(this.#timer)
      if (unread.onScreen === null || this.#told === null) this.#say(unread)
      else this.#timer = setTimeout(() => this.#say(unread), SETTLED_MS)
    })
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#stop()
  }

  #say(unread: Unread): void {
    const count = countOf(unread)
    if (count === this.#told) return
    this.#told = count
    this.#tell(count)
  }
}

/** What is unread and not on the screen. */
export function countOf({ total, onScreen }: Unread): number {
  return Math.max(0, total - (onScreen ?? 0))
}
