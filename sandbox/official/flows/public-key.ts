import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import type { Fields } from '../http/fields.ts'
import { managed } from '../http/graph-error.ts'
import { readComponent } from '../http/read-component.ts'

const schema = z.object({ business_public_key: z.string().min(1) })

function isRsa2048(pem: string): boolean {
  try {
    const key = createPublicKey(pem)
    return (
      key.asymmetricKeyType === 'rsa' && key.asymmetricKeyDetails?.modulusLength === 2_048 && !pem.includes('PRIVATE')
    )
  } catch {
    return false
  }
}

/** Body of `POST /{phoneId}/whatsapp_business_encryption`. Upstream wants an RSA key of 2048 bits, as PEM. */
export function readPublicKey(body: Fields): string {
  const { business_public_key: pem } = readComponent(schema, body, '')
  if (!isRsa2048(pem))
    throw managed(100, 'Invalid public key', 'The public key has to be an RSA key of 2048 bits in PEM.')
  return pem
}
