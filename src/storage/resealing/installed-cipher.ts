import { AesCipher, readKeys, tokenKeyOf } from '../engine/cipher.ts'
import type { Database } from '../engine/database.ts'
import { assertSealedWith } from '../keys/material.ts'

/** Name of the secret that tokens are made with. */
const TOKEN_SECRET = 'tokens'

/** The context that a secret of the installation is sealed with. */
export function installationContext(name: string): string {
  return `installation-secret:${name}`
}

/**
 * The cipher of an open database. Tokens (ids of conversations, verify tokens of Pages) must not change when the key is
 * replaced, so the secret that they are made with is kept in the database, sealed. The first start derives it from the
 * key that opens what is there. Throws when none of the keys does.
 */
export async function openCipher(database: Database, encryptionKey: string): Promise<AesCipher> {
  const keys = readKeys(encryptionKey)
  const inUse = await keyInUse(database, keys)
  const cipher = new AesCipher(keys)
  const sealed = cipher.seal(tokenKeyOf(inUse).toString('base64'), installationContext(TOKEN_SECRET))
  // Another node may have stored it first.
  await database.query('insert into installation_secrets (name, sealed) values ($1, $2) on conflict do nothing', [
    TOKEN_SECRET,
    sealed,
  ])
  const [kept] = await database.query<{ sealed: string }>('select sealed from installation_secrets where name = $1', [
    TOKEN_SECRET,
  ])
  return new AesCipher(keys, Buffer.from(cipher.open(kept?.sealed ?? '', installationContext(TOKEN_SECRET)), 'base64'))
}

/** The key that opens what the database holds; the first key when it holds nothing. */
async function keyInUse(database: Database, keys: readonly Buffer[]): Promise<Buffer> {
  await assertSealedWith(database, new AesCipher(keys))
  for (const key of keys) {
    if (
      await assertSealedWith(database, new AesCipher(key)).then(
        () => true,
        () => false,
      )
    )
      return key
  }
  throw new Error('none of several keys opens what all of them together do')
}
