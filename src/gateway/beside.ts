import type { Config } from '../config.ts'
import { tellDatabase } from '../process/database-line.ts'
import type { Beside } from './without-gateway.ts'

/** Runs an operator's command: asks the gateway that runs in the data directory, or does the work without one. */
export async function askOrDo<T>(
  config: Config,
  name: string,
  ask: (dataDir: string) => Promise<T | null>,
  work: (beside: Beside) => Promise<T>,
): Promise<T> {
  const { dataDir } = config
  const asked = ask(dataDir)
  // A gateway that refuses the command runs too.
  if (
    await asked.then(
      (answer) => answer !== null,
      () => true,
    )
  )
    tellDatabase({ of: 'gateway', dataDir })
  const answer = await asked
  if (answer !== null) return answer
  // The database code is loaded only when it is needed: a command that asks a gateway answers half a second sooner
  // without it.
  const { directly } = await import('./without-gateway.ts')
  return await directly(config, name, work)
}
