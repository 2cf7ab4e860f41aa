import { randomBytes } from 'node:crypto'
import test from 'ava'
import { AesCipher } from '../../../src/storage/engine/cipher.ts'

test('a sealed text opens with its key and context, and is sealed differently each time', (t) => {
  const cipher = new AesCipher(randomBytes(32))
  const sealed = cipher.seal('geheim ü €', 'api-key:1')
  t.is(cipher.open(sealed, 'api-key:1'), 'geheim ü €')
  t.not(cipher.seal('geheim ü €', 'api-key:1'), sealed)
  t.false(sealed.includes('geheim'))
  t.is(cipher.open(cipher.seal('', 'c'), 'c'), '')
})

test('a sealed text does not open in another context, under another key, or changed', (t) => {
  const cipher = new AesCipher(randomBytes(32))
  const sealed = cipher.seal('secret', 'row:1')
  t.throws(() => cipher.open(sealed, 'row:2'))
  t.throws(() => new AesCipher(randomBytes(32)).open(sealed, 'row:1'))
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    t.throws(() => cipher.open(`v1.${changed.toString('base64url')}`, 'row:1'))
  }
  // Node accepts a tag of 4 bytes when it is not told the length, so a cut tag must be refused here.
  for (const length of [0, 12, 16, 27])
    t.throws(() => cipher.open(`v1.${bytes.subarray(0, length).toString('base64url')}`, 'row:1'))
  t.throws(() => cipher.open('plain', 'row:1'))
})

test('a key of another length is refused', (t) => {
  t.throws(() => new AesCipher(randomBytes(31)), { message: /32 bytes/ })
})

test('a token is the same for one text and context under one key, and tells nothing without it', (t) => {
  const key = randomBytes(32)
  const cipher = new AesCipher(key)
  const token = (of: AesCipher, text: string, context: string) => Buffer.from(of.token(text, context)).toString('hex')
  t.is(token(cipher, '4915100000001', 'a'), token(new AesCipher(key), '4915100000001', 'a'))
  t.is(cipher.token('', '').length, 32)
  const tokens = [
    token(cipher, '1', 'a'),
    token(cipher, '1', 'b'),
    token(cipher, '2', 'a'),
    token(cipher, '', 'a1'),
    token(new AesCipher(randomBytes(32)), '1', 'a'),
  ]
  t.is(new Set(tokens).size, 5)
})

test('of several keys the first seals and all open, and it is known which text needs an older one', (t) => {
  const [older, newer] = [randomBytes(32), randomBytes(32)]
  const [before, both, after] = [new AesCipher(older), new AesCipher([newer, older]), new AesCipher(newer)]
  const old = before.seal('secret', 'row:1')
  t.is(both.open(old, 'row:1'), 'secret')
  t.is(after.open(both.seal('secret', 'row:1'), 'row:1'), 'secret')
  t.deepEqual(
    [both.isCurrent(old, 'row:1'), both.isCurrent(both.seal('x', 'row:1'), 'row:1'), both.isCurrent('plain', 'row:1')],
    [false, true, false],
  )
  t.throws(() => both.open(old, 'row:2'))
  t.throws(() => both.open('plain', 'row:1'))
  t.throws(() => new AesCipher([]), { message: /32 bytes/ })
})
