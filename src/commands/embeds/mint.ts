import { boundNumber, type Caller } from '../../domain/caller.ts'
import { EMBED_TTL_SECONDS, type EmbedSession } from '../../domain/embed-session.ts'
import { fail, refuse, succeed, type Outcome, type Refusal } from '../../domain/errors.ts'
import { invalidBody } from '../../domain/fault.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { FreshToken } from '../../ports/stores/embed-session-store.ts'
import type { EmbedPorts } from './ports.ts'

export interface WantedSession extends Pick<EmbedSession, 'surface' | 'allowedOrigins' | 'branding'> {
  /** As asked for, of any form; undefined where none were. */
  readonly numberIds: unknown
  readonly ttlSeconds: number | null
  /** The number that the caller's header names. */
  readonly narrowedTo: NumberId | null
}

/** contract 17. */
export const MOST_NUMBERS = 50

/**
 * Mints a session of an embed. Whoever acts for one number mints for that one, whatever was asked for (spec: Embed
 * sessions). Our choice: one that the dashboard mints lives with the tenant's key. Refusals: VALIDATION,
 * NUMBER_NOT_FOUND.
 */
export async function mintEmbedSession(
  { embedSessions, embedMaxAgeMs }: EmbedPorts,
  caller: Caller,
  wanted: WantedSession,
): Promise<Outcome<FreshToken>> {
  const own = boundNumber(caller) ?? wanted.narrowedTo
  const asked = own === null ? numbersOf(wanted) : succeed([own])
  if (!asked.ok) return asked
  const minted = await embedSessions.mint({
    tenantId: caller.tenantId,
    keyId: caller.by === 'key' ? caller.id : null,
    surface: wanted.surface,
    numberIds: asked.value,
    allowedOrigins: [...new Set(wanted.allowedOrigins)],
    branding: wanted.branding,
    ttlSeconds: wanted.ttlSeconds ?? EMBED_TTL_SECONDS[wanted.surface],
    maxAgeMs: embedMaxAgeMs,
  })
  return minted ? succeed(minted) : fail(refuse('NUMBER_NOT_FOUND', 'One of these numbers is not in this account'))
}

/**
 * The numbers asked for, each once; none for `connect` without. Refusal: VALIDATION, where they are none, too many or
 * no list of ids.
 */
function numbersOf({ surface, numberIds }: Pick<WantedSession, 'surface' | 'numberIds'>): Outcome<readonly NumberId[]> {
  if (numberIds === undefined) return surface === 'connect' ? succeed([]) : fail(invalid('is needed for chat'))
  const ids: readonly unknown[] = Array.isArray(numberIds) ? numberIds : []
  const isFit = ids.length > 0 && ids.length <= MOST_NUMBERS && ids.every((id) => typeof id === 'string')
  return isFit ? succeed([...new Set(ids)] as NumberId[]) : fail(invalid(`must name 1 to ${MOST_NUMBERS} numbers`))
}

function invalid(message: string): Refusal {
  return invalidBody([{ path: 'channelNumberIds', message }])
}
