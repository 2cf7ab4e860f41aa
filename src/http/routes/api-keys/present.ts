import type { IssuedKey, KeyListItem } from '../../../ports/stores/key-store.ts'

/** One number's key in the list ([keys.routes.4]). */
export function presentKeyItem(item: KeyListItem) {
  return {
    numberId: item.numberId,
    number: item.number,
    displayName: item.displayName,
    keyId: item.keyId,
    keyLast4: item.keyLast4,
    key: item.key,
    revealable: item.key !== null,
  }
}

/** A number's key that was just replaced ([keys.routes.2]). */
export function presentReplacedKey(key: IssuedKey) {
  return {
    numberId: key.numberId,
    keyId: key.id,
    keyPrefix: key.prefix,
    keyLast4: key.last4,
    key: key.raw,
    createdAt: key.createdAt.toISOString(),
  }
}

/** The calling key, which just replaced itself ([keys.routes.3]). */
export function presentOwnKey(key: IssuedKey) {
  return {
    id: key.id,
    name: key.name,
    key: key.raw,
    keyPrefix: key.prefix,
    keyLast4: key.last4,
    scope: key.scope,
    channelNumberId: key.numberId,
    createdAt: key.createdAt.toISOString(),
  }
}
