import type { NumberId } from '../../domain/ids.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { OfficialCredentials } from '../../ports/official/credentials.ts'
import type { InboundTarget } from '../../ports/stores/inbound-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { ChannelNumberEntity } from './entity.ts'
import { credentialsContext, verifyTokenContext } from './rows.ts'

export function openCredentials(cipher: Cipher, numberId: NumberId, sealed: string): OfficialCredentials {
  return JSON.parse(cipher.open(sealed, credentialsContext(numberId))) as OfficialCredentials
}

export function sealCredentials(cipher: Cipher, numberId: NumberId, credentials: OfficialCredentials): string {
  return cipher.seal(JSON.stringify(credentials), credentialsContext(numberId))
}

export function openVerifyToken(cipher: Cipher, numberId: NumberId, sealed: string): string {
  return cipher.open(sealed, verifyTokenContext(numberId))
}

const TARGETS = rowsOf(ChannelNumberEntity)
  .only('id', 'tenantId', 'officialAccountId', 'sealedCredentials', 'sealedVerifyToken')
  .filled<'officialAccountId'>()
/** An account may have many numbers: any of them has its app's secret, so the newest with one answers. */
const FIND_TARGETS = `select ${TARGETS.list()} from channel_numbers
  where official_phone_id is not null and (id = $1 or official_account_id = $1) order by created_at desc, id desc`

/**
 * Numbers that a post of upstream may be for, with what proves that it is upstream's: the one of this id, or those of
 * the account.
 */
export async function findTargets(
  session: SqlSession,
  cipher: Cipher,
  numberOrAccountId: string,
): Promise<InboundTarget[]> {
  const rows = await session.query<RowIn<typeof TARGETS>>(FIND_TARGETS, [numberOrAccountId])
  return rows
    .map(TARGETS.read)
    .flatMap(({ id: numberId, tenantId, officialAccountId: accountId, sealedCredentials, sealedVerifyToken }) => {
      if (sealedCredentials === null || sealedVerifyToken === null) return []
      const { appSecret } = openCredentials(cipher, numberId, sealedCredentials)
      return [
        { tenantId, numberId, accountId, appSecret, verifyToken: openVerifyToken(cipher, numberId, sealedVerifyToken) },
      ]
    })
}
