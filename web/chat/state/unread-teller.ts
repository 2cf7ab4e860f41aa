import { effect } from '@preact/signals'

/** Our choice, in ms: the total and the conversation it concerns change one after the other, in much less than this. */
const SETTLED_MS = 250

/** Unread messages in total, and in the open conversation when it is visible; `onScreen` is null when none is open. */
export interface Unread {
  readonly total: number
  readonly onScreen: number | null
}

/**
 * Tells the host the number of unread messages, each count once. Messages on the screen are not counted: they are being
 * read, and a host that rings at an increase would ring for what its user looks at. While a conversation is open, a
 * count is told once its changes have settled.
 */
export class UnreadTeller {
  readonly #read: () => Unread
  readonly #tell: (count: number) => void
  #told: number | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #stop = (): void => {}

  /** `read` may read any signals; the count is told again when one of them changes. */
  constructor(read: () => Unread, tell: (count: number) => void) {
    this.#read = read
    this.#tell = tell
  }

  /** Begins to tell, once the host can listen; the first count is told at once. */
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

/** The number of unread messages that are not on the screen. */
export function countOf({ total, onScreen }: Unread): number {
  return Math.max(0, total - (onScreen ?? 0))
}
