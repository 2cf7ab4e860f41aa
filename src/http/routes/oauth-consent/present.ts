import { resourceUri, type Interaction } from '../../../domain/oauth.ts'
import { permissionsOf, type Role } from '../../../domain/permissions.ts'
import { isLoopback, redirectHostOf } from '../../../domain/redirect-uri.ts'
import { SCOPE_WORDS } from '../../../domain/scope-words.ts'
import type { ChannelNumber } from '../../../domain/number.ts'

/** What a person is shown before they decide ([oauth.consent.4]). */
export function presentQuestion(
  id: string,
  asked: Interaction,
  role: Role,
  numbers: readonly Pick<ChannelNumber, 'id' | 'name' | 'number'>[],
  baseUrl: string,
) {
  const own = permissionsOf(role)
  return {
    id,
    client: {
      ...asked.client,
      redirectHost: redirectHostOf(asked.redirectUri),
      isLoopback: isLoopback(asked.redirectUri),
    },
    resource: resourceUri(baseUrl, asked.resource),
    scopes: asked.scopes.map((scope) => ({ scope, description: SCOPE_WORDS[scope], allowed: own.has(scope) })),
    numbers: numbers.map(({ id: numberId, name, number }) => ({ id: numberId, name, number })),
    expiresAt: asked.expiresAt.toISOString(),
  }
}
