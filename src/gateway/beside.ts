import type { Config } from '../config.ts'
import { tellDatabase } from '../process/database-line.ts'
import type { Beside } from './without-gateway.ts'

/** An operator's command: asks the gateway that runs in the data directory, or does it without one. */
export async function askOrDo<T>(
  config: Config,
  name: string,
  ask: (dataDir: string) => Promise<T | null>,
  work: (beside: Beside) => Promise<T>,
): Promise<T> {
  const { dataDir } = config
  const asked = ask(dataDir)
  // One that refuses runs too.
  if (
    await asked.then(
      (answer) => answer !== null,
      () => true,
    )
  )
    tellDatabase({ of: 'gateway', dataDir })
  const answer = await asked
  if (answer !== null) return answer
  // Of a database only where one is opened: a gateway that is asked answers half a second sooner.
  const { directly } = await import('./without-gateway.ts')
  return await directly(config, name, work)
}
