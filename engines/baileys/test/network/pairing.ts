/** Linking a device: references for the QR code, what a phone does when it scans one, and the pairing code. */
import { randomBytes } from 'node:crypto'
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  type BinaryNode,
  Curve,
  derivePairingCodeKey,
  hkdf,
  hmacSign,
  type KeyPair,
  proto,
  S_WHATSAPP_NET,
  WA_ADV_ACCOUNT_SIG_PREFIX,
  WA_ADV_DEVICE_SIG_PREFIX,
} from 'baileys'
import type { Connection } from './connection.ts'
import type { Account } from './directory.ts'
import { bytesOf, child, resultOf, seconds, stanza } from './stanza.ts'

/** References of one attempt: the first code is valid for 60 s, later ones for 20 s, as on the live network. */
const REFERENCES = 6

/** A client that has no account yet. */
export type Registration = {
  connection: Connection
  noiseKey: Buffer
  identity: Buffer
  references: string[]
  /** Called with what the client signed in answer to `pair-success`; set while a phone waits for it. */
  onSigned?: (identity: proto.ADVSignedDeviceIdentity) => void
  hello?: { number: string; wrapped: Buffer; reference: Buffer; onFinish?: (bundle: Buffer) => void }
}

/** What a phone signs with, and what the account then gives the device. */
export type Pairing = { account: Account; identity: KeyPair; device: { pn: string; lid: string; keyIndex: number } }

let stanzaCount = 0
const nextId = (): string => `server-${++stanzaCount}`

/** Greets a client without an account: gives it the references of its QR codes. */
export function greet(connection: Connection, payload: proto.ClientPayload, noiseKey: Buffer): Registration {
  const references = Array.from({ length: REFERENCES }, () => `2@${randomBytes(48).toString('base64')}`)
  const nodes = references.map((reference) => stanza('ref', {}, Buffer.from(reference)))
  connection.send(stanza('iq', { from: S_WHATSAPP_NET, type: 'set', id: nextId() }, [stanza('pair-device', {}, nodes)]))
  return { connection, noiseKey, references, identity: Buffer.from(payload.devicePairingData?.eIdent ?? []) }
}

/** Reads a QR text; throws when it is none. */
export function readQr(qr: string): { reference: string; noiseKey: Buffer; identity: Buffer; secret: Buffer } {
  const [reference, noiseKey, identity, secret] = (qr.split('#').at(1) ?? qr).split(',')
  if (!reference || !noiseKey || !identity || !secret) throw new Error('this text is no QR code of a device')
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64')
  return { reference, noiseKey: bytes(noiseKey), identity: bytes(identity), secret: bytes(secret) }
}

function signedIdentity(
  pairing: Pairing,
  companion: Buffer,
  secret: Buffer,
): { details: Uint8Array; sealed: Uint8Array } {
  const keyIndex = pairing.device.keyIndex
  const details = proto.ADVDeviceIdentity.encode({
    rawId: keyIndex,
    timestamp: Math.floor(Date.now() / 1000),
    keyIndex,
  }).finish()
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: pairing.identity.public,
    accountSignature: Curve.sign(
      pairing.identity.private,
      Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, companion]),
    ),
  }).finish()
  return {
    details,
    sealed: proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac: hmacSign(signed, secret) }).finish(),
  }
}

/**
 * Links the client to the account: tells it so, checks what it signs in answer, and asks it to reconnect (515). Rejects
 * when the signature is wrong.
 */
export async function pairSuccess(registration: Registration, pairing: Pairing, secret: Buffer): Promise<void> {
  const { details, sealed } = signedIdentity(pairing, registration.identity, secret)
  const { pn, lid } = pairing.device
  const signed = new Promise<proto.ADVSignedDeviceIdentity>((resolve) => {
    registration.onSigned = resolve
  })
  const content = [
    stanza('device-identity', {}, sealed),
    stanza('device', { jid: pn, lid }),
    stanza('platform', { name: 'android' }),
  ]
  registration.connection.send(
    stanza('iq', { from: S_WHATSAPP_NET, type: 'set', id: nextId(), t: seconds() }, [
      stanza('pair-success', {}, content),
    ]),
  )
  const { deviceSignature } = await signed
  const message = Buffer.concat([WA_ADV_DEVICE_SIG_PREFIX, details, registration.identity, pairing.identity.public])
  if (!deviceSignature || !Curve.verify(registration.identity, message, deviceSignature))
    throw new Error('the device signed its identity wrongly')
}

/** Asks a newly linked client to reconnect. */
export function askRestart(registration: Registration): void {
  registration.connection.send(stanza('stream:error', { code: '515' }))
  registration.connection.end()
}

/** Handles a stanza of a client without an account; the answer, if any, goes back to it. */
export function onRegistrationStanza(registration: Registration, node: BinaryNode): BinaryNode | undefined {
  const sign = child(child(node, 'pair-device-sign'), 'device-identity')
  if (sign) {
    registration.onSigned?.(proto.ADVSignedDeviceIdentity.decode(bytesOf(sign)))
    return undefined
  }
  if (node.tag !== 'iq' || node.attrs['type'] === 'result') return undefined
  const link = child(node, 'link_code_companion_reg')
  if (link?.attrs['stage'] === 'companion_hello') {
    const wrapped = bytesOf(child(link, 'link_code_pairing_wrapped_companion_ephemeral_pub'))
    registration.hello = { number: (link.attrs['jid'] ?? '').split('@')[0] ?? '', wrapped, reference: randomBytes(16) }
    const reference = stanza('link_code_pairing_ref', {}, registration.hello.reference)
    return resultOf(node, [stanza('link_code_companion_reg', { stage: 'companion_hello' }, [reference])])
  }
  if (link?.attrs['stage'] === 'companion_finish') {
    const { onFinish } = registration.hello ?? {}
    const bundle = bytesOf(child(link, 'link_code_pairing_wrapped_key_bundle'))
    setImmediate(() => onFinish?.(bundle))
  }
  return resultOf(node)
}

/**
 * Does what a phone does when its owner types the code: agrees on the secret of the pairing. Rejects when the code is
 * wrong.
 */
export async function agreeOnCode(registration: Registration, code: string, identity: KeyPair): Promise<Buffer> {
  const { hello } = registration
  if (!hello) throw new Error('no device waits for a code of this number')
  const opening = await derivePairingCodeKey(code, hello.wrapped.subarray(0, 32))
  const companion = aesDecryptCTR(hello.wrapped.subarray(48, 80), opening, hello.wrapped.subarray(32, 48))
  const ephemeral = Curve.generateKeyPair()
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  const wrapped = Buffer.concat([salt, iv, aesEncryptCTR(ephemeral.public, await derivePairingCodeKey(code, salt), iv)])
  const finished = new Promise<Buffer>((resolve) => {
    hello.onFinish = resolve
  })
  const content = stanza('link_code_companion_reg', { stage: 'primary_hello' }, [
    stanza('link_code_pairing_wrapped_primary_ephemeral_pub', {}, wrapped),
    stanza('primary_identity_pub', {}, identity.public),
    stanza('link_code_pairing_ref', {}, hello.reference),
  ])
  registration.connection.send(
    stanza('notification', { from: S_WHATSAPP_NET, type: 'link_code_companion_reg', id: nextId(), t: seconds() }, [
      content,
    ]),
  )
  const bundle = await finished
  const shared = Curve.sharedKey(ephemeral.private, companion)
  const key = Buffer.from(
    hkdf(shared, 32, { salt: bundle.subarray(0, 32), info: 'link_code_pairing_key_bundle_encryption_key' }),
  )
  const opened = openBundle(bundle, key)
  const identities = Curve.sharedKey(identity.private, opened.subarray(0, 32))
  return Buffer.from(hkdf(Buffer.concat([shared, identities, opened.subarray(64, 96)]), 32, { info: 'adv_secret' }))
}

function openBundle(bundle: Buffer, key: Buffer): Buffer {
  try {
    return aesDecryptGCM(bundle.subarray(44), key, bundle.subarray(32, 44), Buffer.alloc(0))
  } catch {
    throw new Error('the code is another one than the device shows')
  }
}
