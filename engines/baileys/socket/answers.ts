/**
 * our choice: the network answers a message within a round trip; a socket that is silent for this many ms is as good as
 * gone.
 */
const ANSWER_MS = 20_000

/**
 * The network's answers to the messages of one socket. A message that was written to a socket may not have gone out,
 * because the socket may break on the way.
 */
export class Answers {
  readonly #waiting = new Map<string, (isAnswered: boolean) => void>()
  #isOver = false

  /**
   * Resolves to true once the network answered the message; to false when the socket ended before, or was silent for 20
   * s.
   */
  wait(externalId: string): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false)
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#settle(externalId, false), ANSWER_MS).unref()
      this.#waiting.set(externalId, (isAnswered) => {
        clearTimeout(late)
        resolve(isAnswered)
      })
    })
  }

  note(externalId: string): void {
    this.#settle(externalId, true)
  }

  /** Ends all waits, because the socket ended. */
  end(): void {
    this.#isOver = true
    for (const id of this.#waiting.keys()) this.#settle(id, false)
  }

  #settle(externalId: string, isAnswered: boolean): void {
    const settle = this.#waiting.get(externalId)
    this.#waiting.delete(externalId)
    settle?.(isAnswered)
  }
}
