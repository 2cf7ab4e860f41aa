/**
 * A self-signed certificate for the media host (127.0.0.1, localhost), written in DER here: no tool and no package is
 * needed for it.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type TlsCertificate = { certificate: string; key: string }

// Tags of X.690; object identifiers with their tag and length.
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const SEQUENCE = 0x30
const SET = 0x31
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex')
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex')
const TRUE = Buffer.from([0x01, 0x01, 0xff])

const DAY_MS = 24 * 60 * 60 * 1000

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content])
  const length = Buffer.from(content.length.toString(16).padStart(content.length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content])
}

const utcTime = (at: number): Buffer =>
  der(UTC_TIME, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`))

function extensions(): Buffer {
  const authority = der(SEQUENCE, BASIC_CONSTRAINTS, TRUE, der(OCTET_STRING, der(SEQUENCE, TRUE)))
  // Context tags of RFC 5280, GeneralName: 2 is a DNS name, 7 an address.
  const names = der(SEQUENCE, der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))
  return der(0xa3, der(SEQUENCE, authority, der(SEQUENCE, SUBJECT_ALTERNATIVE_NAME, der(OCTET_STRING, names))))
}

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes
    .toString('base64')
    .replaceAll(/(.{64})/g, '$1\n')
    .trimEnd()}\n-----END ${label}-----\n`

/** Makes a certificate that signs itself, valid from yesterday for a month. */
export function makeTlsCertificate(): TlsCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256)
  // Certificates are looked up by name: two hosts trusted in one process need two names.
  const commonName = Buffer.from(`offline media host ${randomBytes(8).toString('hex')}`)
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, commonName))))
  const serial = der(INTEGER, Buffer.from([0x01]), randomBytes(8))
  const validity = der(SEQUENCE, utcTime(Date.now() - DAY_MS), utcTime(Date.now() + 30 * DAY_MS))
  const version3 = der(0xa0, der(INTEGER, Buffer.from([2])))
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' })
  const body = der(SEQUENCE, version3, serial, algorithm, name, validity, name, subjectKey, extensions())
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey))
  return {
    certificate: pem('CERTIFICATE', der(SEQUENCE, body, algorithm, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
