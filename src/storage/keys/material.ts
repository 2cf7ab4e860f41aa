import { generateApiKey, keyLast4, keyPrefix } from '../../domain/api-key.ts'
import { newSecretId, type KeyId } from '../../domain/ids.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { Database } from '../engine/database.ts'
import { rowsOf, type RecordOf } from '../engine/rows-of.ts'
import { digestOf } from '../engine/rows.ts'
import { EVERYBODY } from '../engine/scope.ts'
import { ApiKeyEntity } from './entity.ts'

/** Columns that a rotation changes. */
const OF_KEY = ['idHash', 'keyHash', 'sealedId', 'sealedKey', 'prefix', 'last4'] as const

/** A new key, with the hashes for look-ups and the sealed copies for the list. */
export interface KeyMaterial {
  readonly id: KeyId
  readonly raw: string
  readonly prefix: string
  readonly last4: string
  /** In the order of KEY_COLUMNS. */
  readonly stored: Pick<RecordOf<typeof ApiKeyEntity>, (typeof OF_KEY)[number]>
}

/** Columns of api_keys that a rotation changes, as SQL. */
export const KEY_COLUMNS = OF_KEY.map((name) => rowsOf(ApiKeyEntity).columns[name]).join(', ')

/** Makes a key with a new id. The id authenticates too ([keys.credentials.2]), so it never outlives its key. */
export function makeKey(cipher: Cipher, raw: string = generateApiKey()): KeyMaterial {
  const id = newSecretId('key')
  const idHash = digestOf(id)
  const prefix = keyPrefix(raw)
  const last4 = keyLast4(raw)
  return {
    id,
    raw,
    prefix,
    last4,
    stored: {
      idHash,
      keyHash: digestOf(raw),
      sealedId: cipher.seal(id, keyIdContext(idHash)),
      sealedKey: cipher.seal(raw, rawKeyContext(idHash)),
      prefix,
      last4,
    },
  }
}

/** The context that ids of keys are sealed with. */
export function keyIdContext(idHash: string): string {
  return `api-key-id:${idHash}`
}

/** The context that keys are sealed with. */
export function rawKeyContext(idHash: string): string {
  return `api-key:${idHash}`
}

export function openKeyId(cipher: Cipher, idHash: string, sealedId: string): KeyId {
  return cipher.open(sealedId, keyIdContext(idHash)) as KeyId
}

export function openKey(cipher: Cipher, idHash: string, sealedKey: string | null): string | null {
  return sealedKey === null ? null : cipher.open(sealedKey, rawKeyContext(idHash))
}

/**
 * Throws when the stored keys were sealed with another ENCRYPTION_KEY, with which every request would fail. Call it
 * once at start.
 */
export async function assertSealedWith(database: Database, cipher: Cipher): Promise<void> {
  const key = await database.entities(EVERYBODY).readOne(ApiKeyEntity, {})
  if (!key) return
  try {
    openKeyId(cipher, key.idHash, key.sealedId)
  } catch {
    throw new Error('ENCRYPTION_KEY is not the key this database was written with')
  }
}
