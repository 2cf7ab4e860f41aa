import test from 'ava'
import { TokenBook } from '../../../media-host/realtime/tokens.ts'
import { newId } from '../../../src/domain/ids.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'

function setUp() {
  const clock = new FakeClock()
  const binding = {
    tenantId: newId('ten'),
    numberId: newId('num'),
    callId: newId('call'),
    mode: 'talk',
    by: newId('key'),
  } as const
  return { clock, binding, book: new TokenBook(clock) }
}

// [realtime.session.4] [realtime.session.2]
test('a token is 32 random bytes in base64url and expires after 120 s', (t) => {
  const { book, binding, clock } = setUp()
  const minted = book.mint(binding)
  t.regex(minted.token, /^[\w-]{43}$/)
  t.not(minted.token, book.mint(binding).token)
  t.is(minted.expiresAtMs - clock.now(), 120_000)
  t.deepEqual(book.find(minted.token, binding.callId)?.binding, binding)
})

// [realtime.session.5]
test('a token can be consumed once, and is told to be used after that', (t) => {
  const { book, binding } = setUp()
  const { token } = book.mint(binding)
  const known = book.find(token, binding.callId)
  t.is(known?.state(), 'valid')
  t.true(known?.consume())
  t.false(known?.consume())
  t.is(book.find(token, binding.callId)?.state(), 'used')
})

test('a token dies after 120 s and cannot be consumed then', (t) => {
  const { book, binding, clock } = setUp()
  const known = book.find(book.mint(binding).token, binding.callId)
  clock.advance(119_999)
  t.is(known?.state(), 'valid')
  clock.advance(1)
  t.is(known?.state(), 'expired')
  t.false(known?.consume())
  t.is(known?.state(), 'expired')
})

// [realtime.session.4]
test('a token of another call is not known', (t) => {
  const { book, binding } = setUp()
  t.is(book.find(book.mint(binding).token, newId('call')), null)
})

test('the unused tokens of a caller, or of a number, become unknown when it is revoked; used ones and those of others stay', (t) => {
  const { book, binding, clock } = setUp()
  const other = { ...binding, by: newId('key'), numberId: newId('num') }
  const mint = (of: typeof binding | typeof other) => book.mint(of).token
  const stateOf = (token: string) => book.find(token, binding.callId)?.state() ?? 'unknown'
  const used = mint(binding)
  book.find(used, binding.callId)?.consume()
  const [expired, valid, theirs] = [mint(binding), mint(binding), mint(other)]
  clock.advance(120_000)
  const fresh = mint(binding)
  book.revoke(binding.by)
  t.deepEqual([used, expired, valid, fresh, theirs].map(stateOf), ['used', 'unknown', 'unknown', 'unknown', 'expired'])
  const later = mint(other)
  book.revoke(binding.tenantId)
  t.is(stateOf(later), 'valid', 'a tenant mints nothing')
  book.revoke(other.numberId)
  t.is(stateOf(later), 'unknown')
})

test('tokens are forgotten with their call, and the oldest of too many', (t) => {
  const { book, binding } = setUp()
  const first = book.mint(binding).token
  for (let i = 0; i < 1_000; i++) book.mint(binding)
  t.is(book.find(first, binding.callId), null)
  const last = book.mint(binding).token
  book.forgetCall(binding.callId)
  t.is(book.find(last, binding.callId), null)
})
