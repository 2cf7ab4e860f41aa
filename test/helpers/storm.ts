import { inspect } from 'node:util'
import type { Answer, Service } from './service.ts'
import { failTemplates } from './template-service.ts'
import { until } from './until.ts'

/** Ways in which the upstream fails a request. */
const FAULTS: readonly object[] = [
  { drop: 'after' },
  { drop: true },
  { status: 500 },
  { after: true, status: 500 },
  { after: true, error: '2' },
  { error: '4' },
  { answerDelayMs: 300 },
]
/** Waits longer than the gateway waits for an answer; the request takes effect after them, or before. */
const HANGS: readonly object[] = [{ delayMs: 11_000 }, { answerDelayMs: 11_000 }]
const FAILING = 0.75
const HANGING = 0.04
const LOOKUP_FAILING = 0.2
/** The gateway repeats reads within their time, so more of them fail in a row than it repeats. */
const LOOKUPS = 6

/** What is known of one value from answers alone. */
export class Possible<Value> {
  readonly values: Set<Value>
  /** An answer was missing, so its request may take effect at any time. */
  isLoose = false

  constructor(...values: readonly Value[]) {
    this.values = new Set(values)
  }

  /** Records what the answer to a request promises; a refused request changes nothing. */
  note(values: Iterable<Value>, answer: Answer | null, isDone = answer !== null && answer.status < 300): void {
    const isLost = !answer || answer.status >= 500
    this.isLoose ||= isLost
    if (isDone && !this.isLoose) this.values.clear()
    if (isDone || isLost) for (const value of values) this.values.add(value)
  }
}

/** One account in which requests follow each other through all faults. */
export abstract class Storm<Of extends { readonly key: string }> {
  readonly number: Of
  /** The requests, each with its status. */
  readonly answers: string[] = []
  done = 0
  protected readonly service: Service
  protected readonly random: () => number
  /** A path that answers 200 once the gateway runs. */
  readonly #page: string

  constructor(service: Service, number: Of, random: () => number, page: string) {
    this.service = service
    this.number = number
    this.random = random
    this.#page = page
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      await this.step(step)
      this.done++
    }
  }

  protected abstract step(step: number): Promise<void>

  /**
   * Makes the upstream fail most of these requests, and sometimes the look-ups that follow. `id` is as in
   * `failTemplates`.
   */
  protected async fail(op: string, id: string, lookUps: { readonly op: string; readonly id: string }): Promise<void> {
    const [list, share] = this.random() < HANGING ? [HANGS, 1] : [FAULTS, FAILING]
    const fault = list[Math.floor(this.random() * list.length)]
    if (!fault || this.random() > share) return
    await failTemplates(this.service, op, id, fault)
    if (this.random() < LOOKUP_FAILING)
      await failTemplates(this.service, lookUps.op, lookUps.id, { status: 503, times: LOOKUPS })
  }

  /**
   * Sends a request; null when the gateway was killed meanwhile, so that the outcome is unknown. `what` names the
   * request in the list of answers.
   */
  protected async ask(method: string, path: string, body?: unknown, what = method): Promise<Answer | null> {
    const answer = await this.service.api(method, path, this.number.key, body).catch(() => null)
    this.answers.push(`${what} ${answer?.status ?? 'killed'}`)
    if (!answer || answer.status === 503) await until('the gateway is back', () => this.#isBack())
    return answer
  }

  async #isBack(): Promise<boolean> {
    return (await this.service.api('GET', this.#page, this.number.key).catch(() => null))?.status === 200
  }
}

/** Counts of answers, by request and status. */
export function countsOf(storms: readonly { readonly answers: readonly string[] }[]): string {
  const counts = Map.groupBy(
    storms.flatMap(({ answers }) => answers),
    (said) => said,
  )
  return [...counts]
    .map(([said, its]) => `${said}: ${its.length}`)
    .toSorted()
    .join(', ')
}

/** Waits until no storm has a fault; throws with the first faults that remain. */
export async function untilNoFaults<Of>(
  what: string,
  storms: readonly Of[],
  look: (storm: Of) => Promise<readonly string[]>,
): Promise<void> {
  let faults: readonly string[] = []
  await until(what, async () => {
    faults = (await Promise.all(storms.map(look))).flat()
    return faults.length === 0
  }).catch((error: unknown) => {
    throw new Error(`${inspect(error)}: ${faults.length} faults\n${faults.slice(0, 10).join('\n')}`, { cause: error })
  })
}
