import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { OfficialNumber, OfficialOf } from '../../ports/official/number.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'

export interface MarksDeps {
  /** Resolves once all that upstream's answers said of numbers so far is stored. */
  readonly marksStored: () => Promise<void>
}

export interface AskOfficialDeps extends MarksDeps {
  readonly official: Pick<OfficialStore, 'credentials'>
  readonly officialOf: OfficialOf
}

/** Asks upstream with the credentials of the number; it is gone when it has none (NUMBER_NOT_FOUND). */
export async function askOfficial<T>(deps: AskOfficialDeps, number: Pick<NumberRef, 'id' | 'tenantId'>, ask: (upstream: OfficialNumber) => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const credentials = await deps.official.credentials(number.tenantId, number.id)
  if (!credentials) return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  return onceMarked(deps, await ask(deps.officialOf(credentials)))
}

/** An answer of upstream. A refusal is given once what it says of the number itself is stored, for the next read to show. */
export async function onceMarked<T>({ marksStored }: MarksDeps, outcome: Outcome<T>): Promise<Outcome<T>> {
  if (!outcome.ok) await marksStored()
  return outcome
}
