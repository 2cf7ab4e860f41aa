import type { Service } from './service.ts'
import type { Reach } from './side-by-side.ts'
import { counted } from './size.ts'
import { until } from './until.ts'

/** All stories share the first kill; the others belong to the storm. */
export const KILLS = ['first', 'second', 'third', 'fourth', 'fifth'].slice(0, counted(5, 1))

/**
 * The points that stories with shared kills pass, and what happens at each. `table` names the rows of requests to the
 * upstream.
 */
export function killsOf(
  serviceOf: () => Service,
  table: 'templates' | 'flows',
): Record<string, () => Promise<unknown>> {
  // Requests of the killed gateway are over, so their deadlines are set to now instead of waiting a minute and a half.
  const killAndForget = async (): Promise<void> => {
    await serviceOf().gateway.kill('SIGKILL')
    await serviceOf().rows(`update ${table} set asked_until = now() - interval '1 minute' where ask is not null`)
  }
  return {
    ...Object.fromEntries(
      KILLS.flatMap((kill) => [
        [`ready ${kill}`, async () => {}],
        [`killed ${kill}`, killAndForget],
        [`back ${kill}`, () => serviceOf().startGateway()],
      ]),
    ),
    async end() {
      await serviceOf().gateway.kill('SIGTERM')
    },
  }
}

/**
 * Sends a request that the upstream holds up, and has the gateway killed while it waits. The request starts only when
 * all stories are ready, because the gateway waits for an answer at most 10 s. Resolves to the answer, or to 'killed'.
 */
export async function killWhile(
  reach: Reach<string>,
  ask: () => Promise<unknown>,
  untilAsked: () => Promise<void>,
): Promise<unknown> {
  await reach('ready first')
  const asked = ask().catch(() => 'killed')
  await untilAsked()
  await reach('killed first')
  await reach('back first')
  return asked
}

/** Kills the gateway at even distances of progress, once all other stories are ready for it. */
export async function killThrough(reach: Reach<string>, total: number, doneSteps: () => number): Promise<void> {
  for (const [at, kill] of KILLS.entries()) {
    await until('it is time to kill', () => doneSteps() >= (total * (at + 0.5)) / KILLS.length)
    for (const point of ['ready', 'killed', 'back']) await reach(`${point} ${kill}`)
  }
}
