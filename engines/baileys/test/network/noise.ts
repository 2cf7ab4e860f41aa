/** The answering side of Noise_XX_25519_AESGCM_SHA256 and the frames it travels in (3 bytes of length, big endian). */
import {
  aesDecryptGCM,
  aesEncryptGCM,
  Curve,
  hkdf,
  type KeyPair,
  NOISE_MODE,
  NOISE_WA_HEADER,
  proto,
  sha256,
} from 'baileys'

const EMPTY = Buffer.alloc(0)

/** Encryption of both directions after the handshake, each with its own counter. */
export type Transport = { encrypt(bytes: Uint8Array): Buffer; decrypt(bytes: Uint8Array): Buffer }

export type HandshakeAnswer = {
  /** The server hello to be sent. */
  reply: Uint8Array
  /** Takes the client's finish; throws when it does not decrypt. */
  finish(message: Uint8Array): { payload: Buffer; clientKey: Buffer; transport: Transport }
}

function nonce(counter: number): Buffer {
  const iv = Buffer.alloc(12)
  iv.writeUInt32BE(counter, 8)
  return iv
}

function symmetricState() {
  let hash: Buffer = Buffer.from(NOISE_MODE)
  let salt = hash
  let key = hash
  let counter = 0
  const split = (secret: Uint8Array): [Buffer, Buffer] => {
    const bytes = Buffer.from(hkdf(secret, 64, { salt, info: '' }))
    return [bytes.subarray(0, 32), bytes.subarray(32)]
  }
  const authenticate = (bytes: Uint8Array): void => {
    hash = sha256(Buffer.concat([hash, bytes]))
  }
  return {
    authenticate,
    split,
    mix(secret: Uint8Array): void {
      ;[salt, key] = split(secret)
      counter = 0
    },
    encrypt(bytes: Uint8Array): Buffer {
      const sealed = aesEncryptGCM(bytes, key, nonce(counter++), hash)
      authenticate(sealed)
      return sealed
    },
    decrypt(bytes: Uint8Array): Buffer {
      const opened = aesDecryptGCM(bytes, key, nonce(counter++), hash)
      authenticate(bytes)
      return opened
    },
  }
}

function transportOf(fromClient: Buffer, toClient: Buffer): Transport {
  let received = 0
  let sent = 0
  return {
    encrypt: (bytes) => aesEncryptGCM(bytes, toClient, nonce(sent++), EMPTY),
    decrypt: (bytes) => aesDecryptGCM(bytes, fromClient, nonce(received++), EMPTY),
  }
}

/** Answers a client hello with our static key and its certificate chain. Throws when the hello is none. */
export function answerHello(message: Uint8Array, staticKey: KeyPair, certificate: Uint8Array): HandshakeAnswer {
  const clientEphemeral = proto.HandshakeMessage.decode(message).clientHello?.ephemeral
  if (!clientEphemeral) throw new Error('the first message of a handshake is a client hello')
  const state = symmetricState()
  const ephemeral = Curve.generateKeyPair()
  state.authenticate(NOISE_WA_HEADER)
  state.authenticate(clientEphemeral)
  state.authenticate(ephemeral.public)
  state.mix(Curve.sharedKey(ephemeral.private, clientEphemeral))
  const sealedStatic = state.encrypt(staticKey.public)
  state.mix(Curve.sharedKey(staticKey.private, clientEphemeral))
  const serverHello = { ephemeral: ephemeral.public, static: sealedStatic, payload: state.encrypt(certificate) }
  return {
    reply: proto.HandshakeMessage.encode({ serverHello }).finish(),
    finish: (bytes) => {
      const finish = proto.HandshakeMessage.decode(bytes).clientFinish
      if (!finish?.static || !finish.payload) throw new Error('the second message of a handshake is a client finish')
      const clientKey = state.decrypt(finish.static)
      state.mix(Curve.sharedKey(ephemeral.private, clientKey))
      const payload = state.decrypt(finish.payload)
      const [fromClient, toClient] = state.split(EMPTY)
      return { payload, clientKey, transport: transportOf(fromClient, toClient) }
    },
  }
}

/** Puts the length before a frame. */
export function framed(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(3)
  head.writeUIntBE(bytes.byteLength, 0, 3)
  return Buffer.concat([head, bytes])
}

/**
 * Splits a stream of bytes into frames; the intro (an optional routing header `ED`, then `WA` and two bytes) is skipped
 * once.
 */
export function frameReader(onFrame: (frame: Buffer) => void): (chunk: Buffer) => void {
  let held: Buffer = EMPTY
  let introSeen = false
  const introLength = (): number | undefined => {
    const routed = held.subarray(0, 2).toString() === 'ED'
    if (routed && held.length < 7) return undefined
    const start = routed ? 7 + held.readUIntBE(4, 3) : 0
    return held.length < start + NOISE_WA_HEADER.length ? undefined : start + NOISE_WA_HEADER.length
  }
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    if (!introSeen) {
      const length = introLength()
      if (length === undefined) return
      held = held.subarray(length)
      introSeen = true
    }
    while (held.length >= 3) {
      const size = held.readUIntBE(0, 3)
      if (held.length < 3 + size) return
      const frame = held.subarray(3, 3 + size)
      held = held.subarray(3 + size)
      onFrame(frame)
    }
  }
}
