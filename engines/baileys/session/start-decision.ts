import type { BridgeSettings } from '../../../src/domain/device-bridge.ts'

/** A gateway's request to start a session. */
export interface StartRequest {
  /** Digits. */
  readonly number: string
  readonly credentials: unknown
  readonly settings: BridgeSettings
  readonly historyImport: boolean
  /** True when a code to type on the phone is wanted beside the one to scan. */
  readonly pairingCode: boolean
  /** The origin at which the gateway shows its bearer token when it fetches media; null when it never does. */
  readonly mediaBearerOrigin: string | null
}

/** What a start does: resume the stored device, link a new one, or report that the device is gone. */
export type StartDecision = 'resume' | 'pair' | 'refuse'

export interface StartFacts {
  /** The gateway's credentials: the name of a stored session, or null to pair anew. */
  readonly credentials: unknown
  /** Digits of the number that the gateway asks for. */
  readonly number: string
  readonly stored: { readonly sessionId: string; readonly number: string } | null
  /** True when the gateway has not acknowledged that the stored session was linked. */
  readonly isLinkUndelivered: boolean
}

/**
 * Decides on a start. Without credentials a linked session is resumed when the gateway cannot know of it yet, because
 * the scan happened while its socket was down.
 */
export function decideStart({ credentials, number, stored, isLinkUndelivered }: StartFacts): StartDecision {
  const isSameNumber = stored?.number === number
  if (credentials === null || credentials === undefined)
    return stored && isSameNumber && isLinkUndelivered ? 'resume' : 'pair'
  return stored && isSameNumber && credentials === stored.sessionId ? 'resume' : 'refuse'
}
