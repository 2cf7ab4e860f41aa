import { Client, type ClientConfig } from 'pg'
import type { Clock } from '../../ports/clock.ts'
import { CHORE_MS, type Patience, PROBE_MS, STATEMENT_LEAD_MS, STATEMENT_MS } from './patience.ts'

const BOUND_MS: Readonly<Record<Patience, number>> = { request: STATEMENT_MS, chore: CHORE_MS }

/**
 * One connection. A statement that is not answered within its bound costs the connection. It begins with the patience
 * of chores, because migrations come first.
 */
export class BoundedClient extends Client {
  readonly #clock: Clock
  readonly #times: number
  #patience: Patience = 'chore'

  /** `times` is the patience of `clock`: the server, which has a clock of its own, is told bounds so much longer. */
  constructor(config: ClientConfig | undefined, clock: Clock, times: number = 1) {
    super(config)
    this.#clock = clock
    this.#times = times
  }

  /** Sets whose bound the next statements have; the server is told the bound too. A change costs a statement. */
  async setPatience(patience: Patience): Promise<void> {
    if (this.#patience === patience) return
    this.#patience = patience
    await this.query(`set statement_timeout = ${Math.round((BOUND_MS[patience] - STATEMENT_LEAD_MS) * this.#times)}`)
  }

  /** Ends the connection as if it had broken, so that everything that waits for an answer, and the pool, hear of it. */
  cut(): void {
    this.connection.stream.destroy()
  }

  // The driver has many forms of `query`; those that answer a promise are bounded, and no other is used.
  // oxlint-disable-next-line typescript/no-explicit-any -- its overloads cannot be told in one signature
  override query(...given: any[]): any {
    const answer: unknown = Reflect.apply(super.query, this, given)
    return answer instanceof Promise ? this.#inTime(answer) : answer
  }

  #inTime(answer: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.after(BOUND_MS[this.#patience], () => {
        reject(Object.assign(new Error('a statement was not answered in time'), { code: 'ETIMEDOUT' }))
        this.cut()
      })
      void answer.then(resolve, reject).finally(() => timer.cancel())
    })
  }
}

/** Makes the class of a pool's connections. */
export function boundedClients(clock: Clock, times: number): new (config?: ClientConfig) => BoundedClient {
  return class extends BoundedClient {
    constructor(config?: ClientConfig) {
      super(config, clock, times)
    }
  }
}

/** Asks a server, over a connection of its own, whether it is there. Rejects with the driver's error. */
export async function probeServer(config: ClientConfig): Promise<void> {
  const client = new Client({ ...config, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS })
  // The call rejects with the same error; without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
  } finally {
    client.connection.stream.destroy()
  }
}
