import { boundNumber, type Caller, type CallerKind } from '../../domain/caller.ts'
import type { AccessTokens } from '../../ports/access-tokens.ts'
import type { KeyStore } from '../../ports/stores/key-store.ts'
import type { WebSessionStore } from '../../ports/stores/web-session-store.ts'
import { callerOfGrant } from './access-token.ts'
import { callerOfSession } from './session.ts'

export interface HoldsDeps {
  readonly keys: Pick<KeyStore, 'authenticateKeyId'>
  readonly webSessions: Pick<WebSessionStore, 'list'>
  readonly accessTokens: Pick<AccessTokens, 'find'>
}

type Holds = { readonly [K in CallerKind]: (one: Extract<Caller, { by: K }>) => Promise<Caller | null> }

/**
 * Whether a caller that was proved before is still the same, acts for the same numbers, and may still do what it could.
 * Asks the store, not the remembered callers, because it serves what outlives its request.
 */
export async function stillHolds(deps: HoldsDeps, caller: Caller): Promise<boolean> {
  const now = await askedAgain(deps, caller)
  return (
    now !== null
    && now.reach.at === caller.reach.at
    && boundNumber(now) === boundNumber(caller)
    && hasAll(now, caller)
    && actsForAll(now, caller)
  )
}

function askedAgain({ keys, webSessions, accessTokens }: HoldsDeps, caller: Caller): Promise<Caller | null> {
  const byKind: Holds = {
    key: ({ id }) => keys.authenticateKeyId(id),
    async session({ id, tenantId }) {
      const live = await webSessions.list(tenantId)
      const own = live.find((one) => one.id === id)
      return own ? callerOfSession(own) : null
    },
    async grant({ id }) {
      const proved = await accessTokens.find(id)
      return proved && callerOfGrant(proved)
    },
  }
  return askOf(byKind, caller)
}

function askOf<K extends CallerKind>(
  byKind: { readonly [One in K]: (one: Extract<Caller, { by: One }>) => Promise<Caller | null> },
  caller: Extract<Caller, { by: K }>,
): Promise<Caller | null> {
  return byKind[caller.by as K](caller)
}

function hasAll({ permissions: now }: Caller, { permissions: then }: Caller): boolean {
  return now === 'all' || (then !== 'all' && [...then].every((permission) => now.has(permission)))
}

function actsForAll({ reach: now }: Caller, { reach: then }: Caller): boolean {
  return now.at !== 'numbers' || then.at !== 'numbers' || then.numberIds.every((id) => now.numberIds.includes(id))
}
