/**
 * our choice: the network answers a message within a round trip; a socket that is silent for so long is as good as
 * gone.
 */
const ANSWER_MS = 20_000

/**
 * What the network says to the messages of one socket. That a message was written to a socket does not mean that it
 * went out: the socket may break on the way.
 */
export class Answers {
  readonly #waiting = new Map<string, (isAnswered: boolean) => void>()
  #isOver = false

  /**
   * Resolves to true once the network spoke of the message, to false when the socket ended before, or said nothing for
   * 20 s.
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

  /** The socket ended. */
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
