import { isWellFormedApiKey } from '../../domain/api-key.ts'
import type { KeyStore } from '../../ports/stores/key-store.ts'
import { bearerOf } from '../request/bearer.ts'
import type { CredentialKind } from './kind.ts'

export interface KeyCredentialDeps {
  readonly keys: Pick<KeyStore, 'authenticateKey' | 'authenticateKeyId' | 'findRegenerated'>
  /** False refuses `x-api-key-id` ([keys.credentials.2]). */
  readonly apiKeyIdAuth: boolean
}

/** [rest.ids.3]: a key id is `key_` and 26 characters of randomness. */
const KEY_ID = /^key_[0-9a-z]{26}$/

/** A key by its raw text in `x-api-key` or, when that is absent, by its id in `x-api-key-id` ([keys.credentials.1]). */
export function apiKeys({ keys, apiKeyIdAuth }: KeyCredentialDeps): readonly CredentialKind[] {
  const byText: CredentialKind = {
    name: 'key',
    asked: 'a key in x-api-key',
    find: (ctx) => ctx.get('x-api-key'),
    // The form is checked where it saves a look-up: a remembered key has proved it already.
    prove: async (raw) => (isWellFormedApiKey(raw) ? await keys.authenticateKey(raw) : null),
    proveReplaced: async (raw, idempotencyKey) =>
      isWellFormedApiKey(raw) ? await keys.findRegenerated({ raw }, idempotencyKey) : null,
  }
  const byId: CredentialKind = {
    name: 'key id',
    asked: 'x-api-key-id',
    find: (ctx) => ctx.get('x-api-key-id'),
    prove: async (id) => (KEY_ID.test(id) ? await keys.authenticateKeyId(id) : null),
    proveReplaced: async (keyId, idempotencyKey) =>
      KEY_ID.test(keyId) ? await keys.findRegenerated({ keyId }, idempotencyKey) : null,
  }
  return apiKeyIdAuth ? [byText, byId] : [byText]
}

/** A key by its raw text as a bearer token, where a route takes that. */
export function bearerKey(deps: Pick<KeyCredentialDeps, 'keys'>): CredentialKind {
  return {
    // The name is that of a key in its own header, so both share what is remembered of the key.
    name: 'key',
    asked: 'a key as authorization: Bearer',
    find(ctx) {
      const sent = bearerOf(ctx)
      return sent.startsWith('cms_') ? sent : ''
    },
    prove: async (raw) => (isWellFormedApiKey(raw) ? await deps.keys.authenticateKey(raw) : null),
  }
}
