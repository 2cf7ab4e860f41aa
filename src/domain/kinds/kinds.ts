import type { ProviderKind } from '../number.ts'
import type { KindOfNumber } from './kind.ts'
import { official } from './official.ts'
import { unofficial } from './unofficial.ts'

const PROFILES: Readonly<Record<ProviderKind, KindOfNumber>> = { OFFICIAL: official, UNOFFICIAL: unofficial }

/** Every kind. */
export const KINDS: readonly KindOfNumber[] = Object.values(PROFILES)

/** Looks up the kind of a number, or of what belongs to one: its profile decides, never its name. */
export function kindOf({ provider }: { readonly provider: ProviderKind }): KindOfNumber {
  return PROFILES[provider]
}

/** Names the kinds for which a condition holds, for statements over rows of all kinds. */
export function namesOf(isSo: (kind: KindOfNumber) => boolean): ProviderKind[] {
  return KINDS.filter(isSo).map(({ name }) => name)
}
