import { fail, succeed } from '../../../domain/errors.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { EncryptionPort } from '../../../ports/official/flows.ts'
import type { Graph } from '../client/graph.ts'
import { refusalOf } from '../errors/error-map.ts'
import { objectsIn, textIn, wordIn } from '../values/loose.ts'
import { writeOf } from '../client/write-result.ts'

/** The public key for the endpoint of Flows, over `/{phone id}/whatsapp_business_encryption`. */
export function encryptionOps(graph: Graph, credentials: OfficialCredentials): EncryptionPort {
  const path = [credentials.phoneId, 'whatsapp_business_encryption']
  return {
    async setPublicKey(publicKey) {
      // The same key may be set again, but only the caller knows whether another one was set meanwhile.
      const answer = await graph.ask(credentials, {
        op: 'encryption.set',
        method: 'POST',
        path,
        fields: { business_public_key: publicKey },
        isRepeatable: false,
      })
      return writeOf(answer, (body) => (body['success'] === true ? { value: null } : null))
    },
    async publicKey() {
      const answer = await graph.ask(credentials, { op: 'encryption.read', method: 'GET', path, isRepeatable: true })
      if (!answer.ok) return fail(refusalOf(answer.failure))
      // Upstream documents both forms: inside a list, and bare.
      const fields = objectsIn(answer.body, 'data')[0] ?? answer.body
      const publicKey = textIn(fields, 'business_public_key')
      return succeed(
        publicKey === null ? null : { publicKey, status: wordIn(fields, 'business_public_key_signature_status') },
      )
    },
  }
}
