import type { ProviderKind } from '../number.ts'
import type { KindOfNumber } from './kind.ts'
import { official } from './official.ts'
import { unofficial } from './unofficial.ts'

const PROFILES: Readonly<Record<ProviderKind, KindOfNumber>> = { OFFICIAL: official, UNOFFICIAL: unofficial }

/** Every kind there is. */
export const KINDS: readonly KindOfNumber[] = Object.values(PROFILES)

/** The kind of a number, or of what belongs to one: its profile decides, never its name. */
export function kindOf({ provider }: { readonly provider: ProviderKind }): KindOfNumber {
  return PROFILES[provider]
}

/** Names of the kinds of which something is so, for statements over rows of all of them. */
export function namesOf(isSo: (kind: KindOfNumber) => boolean): ProviderKind[] {
  return KINDS.filter(isSo).map(({ name }) => name)
}
