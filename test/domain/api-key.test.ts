import test from 'ava'
import { assert, constantFrom, integer, property } from 'fast-check'
import { generateApiKey, isWellFormedApiKey, keyLast4, keyPrefix } from '../../src/domain/api-key.ts'

// [keys.form.1]
test('a generated key has the form of the contract and passes its own check', (t) => {
  const raw = generateApiKey()
  t.regex(raw, /^cms_[\w-]{43}[\dA-Za-z]{6}$/)
  t.true(isWellFormedApiKey(raw))
  t.not(raw, generateApiKey())
})

// [keys.form.2]
test('the check is the CRC-32 of everything before it, in base62, padded with zeros', (t) => {
  const body = `cms_${'A'.repeat(43)}`
  const checks = ['000000', checkByHand(body)]
  t.deepEqual(
    checks.map((check) => isWellFormedApiKey(body + check)),
    [false, true],
  )
})

test('any single wrong character is refused', (t) => {
  const raw = generateApiKey()
  assert(
    property(integer({ min: 0, max: raw.length - 1 }), constantFrom(...'aZ09-_xQ'), (at, letter) => {
      const typo = raw.slice(0, at) + letter + raw.slice(at + 1)
      return typo === raw || !isWellFormedApiKey(typo)
    }),
  )
  t.pass()
})

test('other forms are refused', (t) => {
  const raw = generateApiKey()
  for (const text of ['', 'cms_', raw.slice(1), `${raw} `, `${raw}\n`, raw.toUpperCase(), raw.slice(0, -1)]) {
    t.false(isWellFormedApiKey(text), JSON.stringify(text))
  }
})

// [keys.form.5]
test('prefix and last four are cut from the key', (t) => {
  const raw = generateApiKey()
  t.is(keyPrefix(raw), raw.slice(0, 8))
  t.is(keyLast4(raw), raw.slice(-4))
  t.is(keyPrefix(raw).length, 8)
})

/** CRC-32 bit by bit and base62 by BigInt, independent of zlib. */
function checkByHand(body: string): string {
  let crc = 0xff_ff_ff_ff
  for (const byte of Buffer.from(body)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xed_b8_83_20 : crc >>> 1
  }
  let rest = BigInt((crc ^ 0xff_ff_ff_ff) >>> 0)
  let text = ''
  for (; text.length < 6; rest /= 62n) {
    const digit = Number(rest % 62n)
    text = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.charAt(digit) + text
  }
  return text
}
