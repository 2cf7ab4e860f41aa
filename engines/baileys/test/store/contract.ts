/** What every driver of the store holds to. Each file of a driver runs it over a world of its own. */
import test, { type ExecutionContext } from 'ava'
import { keysContract } from './contract-keys.ts'
import { messagesContract } from './contract-messages.ts'
import { tellingContract } from './contract-telling.ts'
import type { Declare, StoreWorld } from './world.ts'

/** `declare` declares a test, and gives it the address of the server where the driver needs one. */
export function storeContract(
  driver: string,
  world: (t: ExecutionContext, server: string) => Promise<StoreWorld>,
  declare: (title: string, run: (t: ExecutionContext, server: string) => Promise<void>) => void = (title, run) =>
    test(title, (t) => run(t, '')),
): void {
  const declared: Declare = (title, run) =>
    declare(`${driver}: ${title}`, async (t, server) => run(t, await world(t, server)))
  keysContract(declared)
  messagesContract(declared)
  tellingContract(declared)
}
