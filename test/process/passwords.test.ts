import test from 'ava'
import type { Outcome } from '../../src/domain/errors.ts'
import type { Payer } from '../../src/ports/passwords.ts'
import { ScryptPasswords } from '../../src/process/passwords.ts'

const A: Payer = { address: 'a', isKnown: false }
/** Cheap parameters, because the rules do not depend on the cost. */
const CHEAP = { log2N: 4, r: 8, p: 1 }

function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.value
}

// [people.passwords.2]
test('a password is hashed with the parameters of the contract, which stand beside a salt of its own', async (t) => {
  const passwords = new ScryptPasswords()
  const hash = valueOf(await passwords.hash('correct horse battery', A))
  t.regex(hash, /^scrypt\$17\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
  t.true(valueOf(await passwords.isRight('correct horse battery', hash, A)))
  t.false(valueOf(await passwords.isRight('correct horse batterz', hash, A)))
  t.false(valueOf(await passwords.isRight('correct horse battery', null, A)), 'of nobody')
})

test('two hashes of a password differ, one of other parameters is still right, and letters count however they are written', async (t) => {
  const [cheap, dear] = [new ScryptPasswords({ cost: CHEAP }), new ScryptPasswords({ cost: { log2N: 5, r: 4, p: 2 } })]
  const [one, two] = [valueOf(await cheap.hash('pässwörd ２', A)), valueOf(await cheap.hash('pässwörd ２', A))]
  t.not(one, two)
  t.true(valueOf(await dear.isRight('pässwörd ２'.normalize('NFD'), one, A)))
  t.true(valueOf(await dear.isRight('pässwörd 2', one, A)), 'as another keyboard writes it')
  t.false(valueOf(await dear.isRight('Pässwörd 2', one, A)))
  for (const broken of ['', 'scrypt$4$8$1$short$short', one.replace('$4$', '$30$'), one.replace('scrypt', 'plain')])
    await t.throwsAsync(cheap.isRight('x', broken, A), { message: 'a stored hash of a password could not be read' })
})

// [people.passwords.2]
test('two at most are hashed at once, an address has a bounded number of those that wait, and there is room again', async (t) => {
  const passwords = new ScryptPasswords({ cost: { log2N: 8, r: 8, p: 1 }, atOnce: 3 })
  const ask = (address: string) => passwords.hash('a password of mine', { address, isKnown: false })
  const own = Array.from({ length: 40 }, () => ask('flood'))
  const others = Array.from({ length: 30 }, (_, at) => ask(`other ${at}`))
  const [flooding, waiting] = [await Promise.all(own), await Promise.all(others)]
  t.is(flooding.filter(({ ok }) => ok).length, 2 + 32)
  t.true(waiting.every(({ ok }) => ok))
  t.like(
    flooding.find(({ ok }) => !ok),
    { ok: false, error: { code: 'BUSY', retryAfterSeconds: 1 } },
  )
  t.true((await ask('flood')).ok)
})
