import type { ServerResponse } from 'node:http'

interface Running {
  readonly response: ServerResponse
  /** Its place in the list. */
  at: number
}

/**
 * The answers that are being made. They stand in a list and not in a `Set`, whose outgrown tables would keep requests
 * alive for long after they are over (docs/decisions/0065-no-churned-tables.md).
 */
export class RunningAnswers {
  readonly #all: Running[] = []

  /** Adds an answer, until its response is closed. */
  add(response: ServerResponse): void {
    const running = { response, at: this.#all.length }
    this.#all.push(running)
    response.once('close', () => this.#remove(running))
  }

  all(): readonly ServerResponse[] {
    return this.#all.map(({ response }) => response)
  }

  /** The last one takes the place. */
  #remove(running: Running): void {
    const last = this.#all.pop()
    if (last === undefined || last === running) return
    last.at = running.at
    this.#all[running.at] = last
  }
}
