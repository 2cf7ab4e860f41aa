import { createHmac } from 'node:crypto'
import test from 'ava'
import { isSignedBy } from '../../../../src/providers/official/inbound/signature.ts'

const BODY = Buffer.from('{"a":"\\ud83d\\ude00 \u{1F600}"}')
const SIGNED = `sha256=${createHmac('sha256', 'secret').update(BODY).digest('hex')}`

test('the signature over the raw bytes is taken, in either case of hex', (t) => {
  t.true(isSignedBy('secret', BODY, SIGNED))
  t.true(isSignedBy('secret', BODY, `sha256=${SIGNED.slice(7).toUpperCase()}`))
})

test('another secret, other bytes, or another form are refused', (t) => {
  t.false(isSignedBy('other', BODY, SIGNED))
  t.false(isSignedBy('secret', Buffer.concat([BODY, Buffer.from(' ')]), SIGNED))
  for (const header of [
    undefined,
    '',
    'sha256=',
    SIGNED.slice(7),
    SIGNED.slice(0, -1),
    `${SIGNED}0`,
    `sha1=${SIGNED.slice(7)}`,
    SIGNED.replace(/.$/, 'g'),
  ]) {
    t.false(isSignedBy('secret', BODY, header), header)
  }
})

test('an empty secret takes nothing', (t) => {
  t.false(isSignedBy('', BODY, `sha256=${createHmac('sha256', '').update(BODY).digest('hex')}`))
})

test('the published example of HMAC-SHA256 is taken (RFC 4231, test case 2)', (t) => {
  t.true(
    isSignedBy(
      'Jefe',
      Buffer.from('what do ya want for nothing?'),
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ),
  )
})
