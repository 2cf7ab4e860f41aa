import type { BridgeSettings } from '../../../src/domain/device-bridge.ts'

/** What the gateway wants of a session. */
export interface StartRequest {
  /** Digits. */
  readonly number: string
  readonly credentials: unknown
  readonly settings: BridgeSettings
  readonly historyImport: boolean
  /** A code to type on the phone is wanted beside the one to scan. */
  readonly pairingCode: boolean
  /** The gateway shows its bearer when it fetches media at this origin; null: it never does. */
  readonly mediaBearerOrigin: string | null
}

/** What a start is to do: take up the stored device, link a new one, or say that the device is gone. */
export type StartDecision = 'resume' | 'pair' | 'refuse'

export interface StartFacts {
  /** What the gateway holds: the name of a stored session, or null to pair anew. */
  readonly credentials: unknown
  /** Digits the gateway asks for. */
  readonly number: string
  readonly stored: { readonly sessionId: string; readonly number: string } | null
  /** The gateway has not acknowledged that the stored session was linked. */
  readonly isLinkUndelivered: boolean
}

/**
 * Decides a start. Without credentials a linked session is resumed when the gateway cannot know of it yet: the scan
 * happened while its socket was down.
 */
export function decideStart({ credentials, number, stored, isLinkUndelivered }: StartFacts): StartDecision {
  const isSameNumber = stored?.number === number
  if (credentials === null || credentials === undefined)
    return stored && isSameNumber && isLinkUndelivered ? 'resume' : 'pair'
  return stored && isSameNumber && credentials === stored.sessionId ? 'resume' : 'refuse'
}
