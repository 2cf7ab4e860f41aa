import type { ProviderKind } from '../../../../src/domain/number.ts'
import { useAsked } from '../../ground/asked.tsx'
import type { AskedState } from '../../ground/asked.tsx'
import { useApp } from '../../shell/app.ts'

/** What these pages use of a number ([numbers.object.1]). */
export interface ChannelNumber {
  readonly id: string
  readonly name: string
  readonly number: string
  readonly provider: ProviderKind
}

/** Asks for the numbers of the account. */
export function useNumbers(): AskedState<readonly ChannelNumber[]> {
  const { api } = useApp()
  return useAsked((signal) => api.get<readonly ChannelNumber[]>('/api/v1/numbers', { signal }), [])
}

/** The number of an id; null when it is not known, or not yet. */
export function numberIn(
  numbers: readonly ChannelNumber[] | null,
  id: string | null | undefined,
): ChannelNumber | null {
  return numbers?.find((number) => number.id === id) ?? null
}
