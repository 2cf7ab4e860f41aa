import { inspect } from 'node:util'
import type { Answer, Service } from './service.ts'
import { failTemplates } from './template-service.ts'
import { until } from './until.ts'

/** How upstream fails a request. */
const FAULTS: readonly object[] = [
  { drop: 'after' },
  { drop: true },
  { status: 500 },
  { after: true, status: 500 },
  { after: true, error: '2' },
  { error: '4' },
  { answerDelayMs: 300 },
]
/** Longer than the gateway waits for an answer: it takes effect behind, or before that. */
const HANGS: readonly object[] = [{ delayMs: 11_000 }, { answerDelayMs: 11_000 }]
const FAILING = 0.75
const HANGING = 0.04
const LOOKUP_FAILING = 0.2
/** Reads are repeated within their time: more than so many fail in a row. */
const LOOKUPS = 6

/** What is known of one thing from answers alone. */
export class Possible<Value> {
  readonly values: Set<Value>
  /** An answer was missing: what was asked then may take effect at any time. */
  isLoose = false

  constructor(...values: readonly Value[]) {
    this.values = new Set(values)
  }

  /** What a request for these promises by its answer: one that is refused changes nothing. */
  note(values: Iterable<Value>, answer: Answer | null, isDone = answer !== null && answer.status < 300): void {
    const isLost = !answer || answer.status >= 500
    this.isLoose ||= isLost
    if (isDone && !this.isLoose) this.values.clear()
    if (isDone || isLost) for (const value of values) this.values.add(value)
  }
}

/** One account in which things are asked for one after another, through whatever happens. */
export abstract class Storm<Of extends { readonly key: string }> {
  readonly number: Of
  /** What was asked, each with its status. */
  readonly answers: string[] = []
  done = 0
  protected readonly service: Service
  protected readonly random: () => number
  /** Answers 200 once the gateway is there. */
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
   * Often makes upstream fail the next of these requests, and sometimes the look-ups that follow. `id`: as
   * `failTemplates` has it.
   */
  protected async fail(op: string, id: string, lookUps: { readonly op: string; readonly id: string }): Promise<void> {
    const [list, share] = this.random() < HANGING ? [HANGS, 1] : [FAULTS, FAILING]
    const fault = list[Math.floor(this.random() * list.length)]
    if (!fault || this.random() > share) return
    await failTemplates(this.service, op, id, fault)
    if (this.random() < LOOKUP_FAILING)
      await failTemplates(this.service, lookUps.op, lookUps.id, { status: 503, times: LOOKUPS })
  }

  /** Null: the gateway was killed meanwhile, and nobody knows. `what`: the request in the list of answers. */
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

/** How often which answer came. */
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

/** Waits until no storm has a fault, and tells the first of those that stay. */
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
