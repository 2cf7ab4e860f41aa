import test from 'ava'
import { createPairing } from '../../../src/commands/pairing/pairing.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { PAIRING_LINK_MS } from '../../../src/domain/limits.ts'
import { NO_CODE } from '../../../src/domain/pairing.ts'
import type { PairingCode } from '../../../src/domain/pairing.ts'
import { World } from '../../helpers/world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

const CODE: PairingCode = { qr: '2@text', pairingCode: null, expiresInMs: 20_000 }
const DIGITS = '5511900000001'

function open() {
  const world = new World()
  const asked: string[] = []
  const ask = (what: string) => async () => {
    asked.push(what)
    return succeed(CODE)
  }
  const pairing = createPairing({
    numbers: world.numbers,
    pairing: world.pairing,
    clock: world.clock,
    branding: world.branding,
    embedSessions: world.embedSessions,
    baseUrl: 'https://api.example',
    askPair: ask('pair'),
    askCurrentCode: ask('code'),
  })
  const issue = (number = DIGITS, redirectUrl: string | null = null) =>
    pairing.issue({ tenantId: world.tenantId, name: 'Desk', number, settings: {}, branding: null, redirectUrl })
  return { world, pairing, asked, issue }
}

test('a link is made for a number that is created for it, or for one that can be paired', async (t) => {
  const { world, issue } = open()
  const first = valueOf(await issue())
  t.is(valueOf(await issue()).number.id, first.number.id)
  t.is(codeOf(await issue(world.number.number)), 'ALREADY_CONNECTED')
  t.is(codeOf(await issue(world.addOfficial().number.number)), 'FEATURE_NOT_SUPPORTED')
})

test('of two links made at once for a new number, the later one uses what the other created', async (t) => {
  const { world, issue } = open()
  const winner = valueOf(await issue()).number
  let looks = 0
  world.numbers.findByDigits = async () => (looks++ === 0 ? null : winner)
  world.numbers.create = async () => fail(refuse('NUMBER_ALREADY_EXISTS', 'there'))
  t.is(valueOf(await issue()).number.id, winner.id)
  world.numbers.findByDigits = async () => null
  world.numbers.create = async () => fail(refuse('NUMBER_LIMIT_EXCEEDED', 'full'))
  t.is(codeOf(await issue()), 'NUMBER_LIMIT_EXCEEDED')
})

test('a link pairs until it succeeded, and tells its status until it ends', async (t) => {
  const { world, pairing, asked, issue } = open()
  const { number, token } = valueOf(await issue())
  t.deepEqual(valueOf(await pairing.pair(token)), CODE)
  t.deepEqual(valueOf(await pairing.status(token)).code, NO_CODE, 'a closed number is not woken')
  world.numbers.put({ id: number.id, state: 'CONNECTING' })
  t.deepEqual(valueOf(await pairing.status(token)).code, CODE)
  await world.pairing.consume(number.id)
  t.is(codeOf(await pairing.pair(token)), 'PAIRING_NOT_FOUND')
  world.numbers.put({ id: number.id, state: 'OPEN' })
  t.is(codeOf(await pairing.pair(token)), 'ALREADY_CONNECTED')
  t.is(codeOf(await pairing.view(token)), 'PAIRING_NOT_FOUND')
  t.deepEqual(valueOf(await pairing.status(token)).code, NO_CODE)
  t.deepEqual(asked, ['pair', 'code'])
})

test('a text that has not the form of a token is not looked up', async (t) => {
  const { pairing } = open()
  t.is(codeOf(await pairing.view('rp_x')), 'PAIRING_NOT_FOUND')
  t.is(codeOf(await pairing.pair('')), 'PAIRING_NOT_FOUND')
  t.is(codeOf(await pairing.status('../x')), 'PAIRING_NOT_FOUND')
})

test('a status tells what is in the way of the pairing, with a code and without one, but not to the holder of a link that is over', async (t) => {
  const { world, pairing, asked, issue } = open()
  const { number, token } = valueOf(await issue())
  t.is(valueOf(await pairing.status(token)).reason, null)
  world.numbers.put({ id: number.id, pairingReason: 'QR_EXPIRED' })
  t.like(valueOf(await pairing.status(token)), { code: NO_CODE, reason: 'QR_EXPIRED' })
  t.deepEqual(asked, [], 'nobody is woken to say why')
  world.numbers.put({ id: number.id, state: 'CONNECTING', pairingReason: 'PASSKEY_REQUIRED' })
  t.like(valueOf(await pairing.status(token)), { code: CODE, reason: 'PASSKEY_REQUIRED' })
  await world.pairing.consume(number.id)
  t.like(valueOf(await pairing.status(token)), { code: NO_CODE, reason: null })
})

test('a link that is over says why and where its page leads; a used one also shows its number', async (t) => {
  const { world, pairing, issue } = open()
  const detailsOf = (outcome: Outcome<unknown>) => (outcome.ok ? null : outcome.error.details)
  const redirectUrl = 'https://acme.example/done'
  const revoked = valueOf(await issue(DIGITS, redirectUrl))
  const expired = valueOf(await issue(DIGITS, redirectUrl))
  t.deepEqual(detailsOf(await pairing.pair(revoked.token)), { reason: 'REVOKED', redirectUrl, numberId: null })
  world.clock.advance(PAIRING_LINK_MS)
  t.deepEqual(detailsOf(await pairing.status(expired.token)), { reason: 'EXPIRED', redirectUrl, numberId: null })
  const used = valueOf(await issue(DIGITS, redirectUrl))
  await world.pairing.consume(used.number.id)
  t.deepEqual(detailsOf(await pairing.view(used.token)), {
    reason: 'USED',
    redirectUrl,
    numberId: used.number.id,
    name: 'Desk',
    number: '*********0001',
  })
  t.deepEqual(detailsOf(await pairing.view('rp_00000000000000000000000000')), {
    reason: 'UNKNOWN',
    redirectUrl: null,
    numberId: null,
  })
})
