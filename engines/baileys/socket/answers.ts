/**
 * our choice: the network answers a message within a round trip; a socket that is silent for this many ms is as good as
 * gone.
 */
const ANSWER_MS = 20_000

/** What the network said to a message; `none` when the socket ended before it said anything. */
export type Answer = 'taken' | 'refused' | 'none'

/**
 * The network's answers to the messages of one socket. A message that was written to a socket may not have gone out,
 * because the socket may break on the way.
 */
export class Answers {
  readonly #waiting = new Map<string, (answer: Answer) => void>()
  #isOver = false

  /**
   * Resolves once the network answered the message; to `none` when the socket ended before, or was silent for 20 s.
   */
  wait(externalId: string): Promise<Answer> {
    if (this.#isOver) return Promise.resolve('none')
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#settle(externalId, 'none'), ANSWER_MS).unref()
      this.#waiting.set(externalId, (answer) => {
        clearTimeout(late)
        resolve(answer)
      })
    })
  }

  note(externalId: string, answer: Exclude<Answer, 'none'>): void {
    this.#settle(externalId, answer)
  }

  /** Ends all waits, because the socket ended. */
  end(): void {
    this.#isOver = true
    for (const id of this.#waiting.keys()) this.#settle(id, 'none')
  }

  #settle(externalId: string, answer: Answer): void {
    const settle = this.#waiting.get(externalId)
    this.#waiting.delete(externalId)
    settle?.(answer)
  }
}
