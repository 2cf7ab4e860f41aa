import { randomBytes } from 'node:crypto'
import test from 'ava'
import { createSeal } from '../../store/seal.ts'

const PLAIN = Buffer.from('a device key')

test('a sealed value only opens in the context for which it was sealed', (t) => {
  const seal = createSeal(randomBytes(32))
  const sealed = seal.seal(['key', 'num_1', 'session', 'a'], PLAIN)
  t.deepEqual(seal.open(['key', 'num_1', 'session', 'a'], sealed), PLAIN)
  t.throws(() => seal.open(['key', 'num_2', 'session', 'a'], sealed))
  t.throws(() => seal.open(['key', 'num_1', 'session', 'b'], sealed))
  t.throws(() => createSeal(randomBytes(32)).open(['key', 'num_1', 'session', 'a'], sealed))
})

test('a sealed value shows nothing of the plain one, and a changed byte is noticed', (t) => {
  const seal = createSeal(randomBytes(32))
  const sealed = seal.seal(['x'], PLAIN)
  t.false(sealed.includes(PLAIN))
  t.notDeepEqual(seal.seal(['x'], PLAIN), sealed)
  sealed[sealed.length - 1]! ^= 1
  t.throws(() => seal.open(['x'], sealed))
})
