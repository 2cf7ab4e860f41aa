import { setTimeout as pause } from 'node:timers/promises'
import type { PairedNumber, Service } from './service.ts'
import { until } from './until.ts'

/** Peers who call the numbers in turn, some at once, and record the upstream's id of each call. */
export class CallStorm {
  /** Upstream ids of the calls; the service must know all of them in the end. */
  readonly rung: string[] = []
  readonly #service: Service
  readonly #numbers: readonly PairedNumber[]
  #next = 0
  #mayRing = 0

  constructor(service: Service, numbers: readonly PairedNumber[]) {
    this.#service = service
    this.#numbers = numbers
  }

  /** Raises the number of calls that the storm may make in all. */
  allow(count: number): void {
    this.#mayRing = Math.max(this.#mayRing, count)
  }

  async untilRung(count: number): Promise<void> {
    await until(`${count} calls were rung`, () => this.rung.length >= count)
  }

  /** Calls until `total` calls were made. */
  async run(total: number, callers: number): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.#caller(total)))
  }

  async #caller(total: number): Promise<void> {
    while (this.#next < total) {
      if (this.#next >= this.#mayRing) {
        await pause(20)
        continue
      }
      const call = this.#next++
      const number = this.#numbers[call % this.#numbers.length]
      const rung = await this.#service.control('POST', `/peers/55119${String(call).padStart(8, '0')}/calls`, {
        to: number?.digits,
        audio: 'silence',
      })
      if (rung.status !== 201) throw new Error(`not rung: ${rung.status} ${rung.text}`)
      this.rung.push(rung.body.callId)
    }
  }
}

/** A time in which the service was down, in monotonic ms: from just before the kill until it listened again. */
export interface Outage {
  readonly fromMs: number
  readonly toMs: number
}

/** Kills the gateway with SIGKILL and restarts it on the same data. */
export async function killAndRestart(service: Service): Promise<Outage> {
  const fromMs = performance.now()
  await service.gateway.kill('SIGKILL')
  await service.startGateway()
  return { fromMs, toMs: performance.now() }
}
