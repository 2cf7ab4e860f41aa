import { createCipheriv, generateKeyPairSync } from 'node:crypto'
import test from 'ava'
import { createExchangeOpener, makeFlowKeyPair } from '../../../../src/providers/official/flow/exchange-crypto.ts'
import { phoneAsk, tampered } from '../../../helpers/flow-phone.ts'

const open = createExchangeOpener()
/** The tests await this promise, because a file that shares its thread must declare its tests without waiting. */
const pairs = Promise.all([makeFlowKeyPair(), makeFlowKeyPair()])
const ASKED = { version: '3.0', action: 'data_exchange', screen: 'CITY', data: { name: 'Zoë 🌍' }, flow_token: 'ft_1' }

function bytesOf(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** AES-GCM by its definition (NIST SP 800-38D), made from single AES blocks. */
function gcmByHand(key: Buffer, iv: Buffer, clear: Buffer): Buffer {
  const block = (given: Buffer): Buffer => createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(given)
  const toInt = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`)
  const toBlock = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(32, '0'), 'hex')
  const times = (x: bigint, y: bigint): bigint => {
    let [sum, shifted] = [0n, y]
    for (let bit = 127n; bit >= 0n; bit--) {
      if ((x >> bit) & 1n) sum ^= shifted
      shifted = shifted & 1n ? (shifted >> 1n) ^ (0xe1n << 120n) : shifted >> 1n
    }
    return sum
  }
  const h = toInt(block(Buffer.alloc(16)))
  const hash = (given: Buffer, lengths: bigint): bigint => {
    const padded = Buffer.concat([given, Buffer.alloc((16 - (given.length % 16)) % 16)])
    let y = 0n
    for (let at = 0; at < padded.length; at += 16) y = times(y ^ toInt(padded.subarray(at, at + 16)), h)
    return times(y ^ lengths, h)
  }
  const first = hash(iv, BigInt(iv.length * 8))
  const counter = (steps: bigint): Buffer => toBlock((first & ~0xffffffffn) | ((first + steps) & 0xffffffffn))
  const sealed = Buffer.from(
    clear.map((byte, at) => byte ^ (block(counter(BigInt(Math.floor(at / 16)) + 1n))[at % 16] ?? 0)),
  )
  const tag = hash(sealed, BigInt(sealed.length * 8)) ^ toInt(block(counter(0n)))
  return Buffer.concat([sealed, toBlock(tag)])
}

test('an ask is read as the phone wrote it', async (t) => {
  const [pair] = await pairs
  const opened = await open(bytesOf(phoneAsk(pair.publicKey, ASKED).body), [pair.privateKey])
  t.deepEqual(opened?.asked, ASKED)
  t.is(opened?.text, JSON.stringify(ASKED))
})

test('the answer is encrypted with the key of the ask and its vector, every bit flipped', async (t) => {
  const [pair] = await pairs
  const [key, iv] = [
    Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'),
    Buffer.from('f0e1d2c3b4a5968778695a4b3c2d1e0f', 'hex'),
  ]
  const opened = await open(bytesOf(phoneAsk(pair.publicKey, ASKED, key, iv).body), [pair.privateKey])
  const answer = '{"screen":"NEXT","data":{"price":"R$ 5 ☕"}}'
  t.is(
    opened?.seal(answer),
    gcmByHand(key, Buffer.from('0f1e2d3c4b5a69788796a5b4c3d2e1f0', 'hex'), Buffer.from(answer)).toString('base64'),
  )
})

test('both the key in use and the previous key decrypt, in either order', async (t) => {
  const [pair, foreign] = await pairs
  const keys = [pair.privateKey, foreign.privateKey]
  for (const { publicKey } of [pair, foreign]) {
    for (const order of [keys, keys.toReversed()])
      t.deepEqual((await open(bytesOf(phoneAsk(publicKey, ASKED).body), order))?.asked, ASKED)
  }
})

test('a tampered text, one for another key, or one that is no request cannot be decrypted, and the error does not say why', async (t) => {
  const [pair, foreign] = await pairs
  const { body } = phoneAsk(pair.publicKey, ASKED)
  const small = generateKeyPairSync('rsa', {
    modulusLength: 1_024,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const wrong: Record<string, unknown> = {
    'tag tampered with': { ...body, encrypted_flow_data: tampered(body.encrypted_flow_data, -1) },
    'text tampered with': { ...body, encrypted_flow_data: tampered(body.encrypted_flow_data, 0) },
    'key tampered with': { ...body, encrypted_aes_key: tampered(body.encrypted_aes_key, 9) },
    'vector tampered with': { ...body, initial_vector: tampered(body.initial_vector, 3) },
    'tag cut': {
      ...body,
      encrypted_flow_data: Buffer.from(body.encrypted_flow_data, 'base64').subarray(0, -4).toString('base64'),
    },
    'nothing but a tag': { ...body, encrypted_flow_data: Buffer.alloc(16).toString('base64') },
    'vector of 11 bytes': phoneAsk(pair.publicKey, ASKED, Buffer.alloc(16), Buffer.alloc(11)).body,
    'vector of 17 bytes': phoneAsk(pair.publicKey, ASKED, Buffer.alloc(16), Buffer.alloc(17)).body,
    'foreign key': phoneAsk(foreign.publicKey, ASKED).body,
    'key of 1024 bits': phoneAsk(small.publicKey, ASKED).body,
    'a list in clear': phoneAsk(pair.publicKey, [ASKED]).body,
    'no JSON in clear': phoneAsk(pair.publicKey, '{"action":').body,
    'no key': { ...body, encrypted_aes_key: undefined },
    'a number for a vector': { ...body, initial_vector: 12 },
    'a list': [body],
    null: 'null',
    'no JSON': 'x',
    nothing: '',
  }
  for (const [what, sent] of Object.entries(wrong)) t.is(await open(bytesOf(sent), [pair.privateKey]), null, what)
  t.is(await open(Buffer.from([0xff, 0xfe]), [pair.privateKey]), null, 'no UTF-8')
  t.is(await open(bytesOf(body), []), null, 'no key at all')
  t.is(await open(bytesOf(body), ['no PEM']), null, 'no PEM')
  t.deepEqual(
    (await open(bytesOf(body), ['no PEM', pair.privateKey]))?.asked,
    ASKED,
    "one that cannot be read stands in nobody's way",
  )
})

test('a pair is RSA of 2048 bits as PEM, its halves apart', async (t) => {
  const [pair] = await pairs
  const { publicKey, privateKey } = await makeFlowKeyPair()
  t.regex(publicKey, /^-----BEGIN PUBLIC KEY-----\n/)
  t.regex(privateKey, /^-----BEGIN PRIVATE KEY-----\n/)
  t.not(publicKey, pair.publicKey)
})
