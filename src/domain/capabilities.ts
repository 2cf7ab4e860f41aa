import type { ProviderKind } from './number.ts'

/**
 * What a number can do, and the kinds of numbers that can (spec: provider kinds; contract 3, 6). It is a matter of the
 * kind, not of the installation: a route refuses FEATURE_NOT_SUPPORTED by it even where no driver is configured.
 */
const KINDS_WITH = {
  pairing: ['UNOFFICIAL'],
  calls: ['OFFICIAL', 'UNOFFICIAL'],
  callAudio: ['UNOFFICIAL'],
  callSdp: ['OFFICIAL'],
  callPreAccept: ['OFFICIAL'],
  callSettings: ['OFFICIAL'],
  callPermissions: ['OFFICIAL'],
  groups: ['UNOFFICIAL'],
  newsletters: ['UNOFFICIAL'],
  numberCheck: ['UNOFFICIAL'],
} as const satisfies Readonly<Record<string, readonly ProviderKind[]>>

/** A route asks for one before any actor is asked (style rule 9). */
export type Capability = keyof typeof KINDS_WITH

/** Whether numbers of this kind have the capability. */
export function canDo(kind: ProviderKind, capability: Capability): boolean {
  const kinds: readonly ProviderKind[] = KINDS_WITH[capability]
  return kinds.includes(kind)
}
