/**
 * The certificate chain a client checks in the handshake: root signs the intermediate, the intermediate signs the leaf.
 */
import { Curve, type KeyPair, proto, WA_CERT_DETAILS } from 'baileys'

export type Authority = { rootKey: Buffer<ArrayBuffer>; staticKey: KeyPair; chain: Uint8Array }

const { CertChain } = proto
const { Details } = CertChain.NoiseCertificate

function makeAuthority(): Authority {
  const root = Curve.generateKeyPair()
  const intermediateKey = Curve.generateKeyPair()
  const staticKey = Curve.generateKeyPair()
  // The issuer's serial of the intermediate is what clients compare (0: the root's).
  const intermediate = Details.encode({
    serial: 1,
    issuerSerial: WA_CERT_DETAILS.SERIAL,
    key: intermediateKey.public,
  }).finish()
  const leaf = Details.encode({ serial: 2, issuerSerial: 1, key: staticKey.public }).finish()
  const chain = CertChain.encode({
    intermediate: { details: intermediate, signature: Curve.sign(root.private, intermediate) },
    leaf: { details: leaf, signature: Curve.sign(intermediateKey.private, leaf) },
  }).finish()
  return { rootKey: Buffer.from(root.public), staticKey, chain }
}

let authority: Authority | undefined

/** Gives the authority of this process. One for all networks of a process: the library holds one trusted root. */
export function processAuthority(): Authority {
  authority ??= makeAuthority()
  return authority
}
