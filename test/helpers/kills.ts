import type { Service } from './service.ts'
import type { Reach } from './side-by-side.ts'
import { IS_FULL } from './size.ts'
import { until } from './until.ts'

/** The first kill is of all stories, the others are of the storm. */
export const KILLS = ['first', ...(IS_FULL ? ['second', 'third', 'fourth', 'fifth'] : [])]

/**
 * The points that stories which share their kills pass, and what is done there. `table`: its rows say what is being
 * asked of upstream.
 */
export function killsOf(
  serviceOf: () => Service,
  table: 'templates' | 'flows',
): Record<string, () => Promise<unknown>> {
  // The time of whoever asked is over once it is gone: nobody waits a minute and a half for it here.
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
 * Asks for what is held up once all stories are ready: the gateway waits for an answer no longer than 10 s. Answers
 * what came back.
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

/** Kills the gateway at even distances of what is done, once all other stories are ready for it. */
export async function killThrough(reach: Reach<string>, total: number, doneSteps: () => number): Promise<void> {
  for (const [at, kill] of KILLS.entries()) {
    await until('it is time to kill', () => doneSteps() >= (total * (at + 0.5)) / KILLS.length)
    for (const point of ['ready', 'killed', 'back']) await reach(`${point} ${kill}`)
  }
}
