import { boundNumber, type Caller } from '../../domain/caller.ts'
import { EMBED_TTL_SECONDS, type EmbedSession } from '../../domain/embed-session.ts'
import { fail, refuse, succeed, type Outcome, type Refusal } from '../../domain/errors.ts'
import { invalidBody } from '../../domain/fault.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { FreshToken } from '../../ports/stores/embed-session-store.ts'
import type { EmbedPorts } from './ports.ts'

export interface WantedSession extends Pick<EmbedSession, 'surface' | 'allowedOrigins' | 'branding' | 'canStart'> {
  /** The ids as they came, of any form; undefined when none came. */
  readonly numberIds: unknown
  readonly ttlSeconds: number | null
  /** The number that the caller's header names; null when it names none. */
  readonly narrowedTo: NumberId | null
}

/** Numbers that one session may name ([embeds.routes.1]). */
export const MOST_NUMBERS = 50

/**
 * Mints an embed session. A caller who acts for one number gets a session of that number, whatever was asked for
 * ([embeds.routes.6]). Our choice: a session that the dashboard mints ends with the key of the tenant. Refusals:
 * VALIDATION, NUMBER_NOT_FOUND.
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
    canStart: wanted.canStart,
    ttlSeconds: wanted.ttlSeconds ?? EMBED_TTL_SECONDS[wanted.surface],
    maxAgeMs: embedMaxAgeMs,
  })
  return minted ? succeed(minted) : fail(refuse('NUMBER_NOT_FOUND', 'One of these numbers is not in this account'))
}

/**
 * The numbers asked for, each once; none when `connect` names none. Refusal: VALIDATION when they are no list of ids,
 * or none, or too many.
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
