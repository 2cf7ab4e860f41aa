import type { NumberState, ProviderKind } from '../../../src/domain/number.ts'
import { useApp } from '../shell/app.ts'
import { useAsked } from './asked.tsx'
import type { AskedState } from './asked.tsx'

/** What pages use of a number that is listed beside others ([numbers.object.1]). */
export interface ListedNumber {
  readonly id: string
  readonly name: string
  /** Digits. */
  readonly number: string
  readonly provider: ProviderKind
  readonly state: NumberState
}

/** Where the numbers of the account are listed. */
export const NUMBERS_PATH = '/api/v1/numbers'

/** Asks for the numbers of the account. */
export function useNumbers(): AskedState<readonly ListedNumber[]> {
  const { api } = useApp()
  return useAsked((signal) => api.get<readonly ListedNumber[]>(NUMBERS_PATH, { signal }), [])
}

/** The number of an id; null when it is not known, or not yet. */
export function numberIn(numbers: readonly ListedNumber[] | null, id: string | null | undefined): ListedNumber | null {
  return numbers?.find((number) => number.id === id) ?? null
}
