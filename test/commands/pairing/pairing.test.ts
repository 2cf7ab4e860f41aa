import test from 'ava'
import { followLiveLink } from '../../../src/commands/pairing/follow-link.ts'
import { issueLink } from '../../../src/commands/pairing/issue-link.ts'
import { linkStatus } from '../../../src/commands/pairing/link-status.ts'
import { pairByLink } from '../../../src/commands/pairing/pair-by-link.ts'
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
  const deps = {
    numbers: world.numbers,
    pairing: world.pairing,
    clock: world.clock,
    branding: world.branding,
    embedSessions: world.embedSessions,
    baseUrl: 'https://api.example',
    askPair: ask('pair'),
    askCurrentCode: ask('code'),
  }
  const issue = (number = DIGITS) =>
    issueLink(deps, { tenantId: world.tenantId, name: 'Desk', number, settings: {}, branding: null, redirectUrl: null })
  return { world, deps, asked, issue }
}

test('a link is made for a number that is created for it, or for one that can be paired', async (t) => {
  const { world, issue } = open()
  const first = valueOf(await issue())
  t.is(valueOf(await issue()).number.id, first.number.id)
  t.is(codeOf(await issue(world.number.number)), 'ALREADY_CONNECTED')
  t.is(codeOf(await issue(world.addOfficial().number.number)), 'FEATURE_NOT_SUPPORTED')
})

test('of two links made at once for a new number, the later one uses what the other created', async (t) => {
  const { world, deps, issue } = open()
  const winner = valueOf(await issue()).number
  let looks = 0
  const numbers = {
    findByDigits: async () => (looks++ === 0 ? null : winner),
    create: async () => fail<never>(refuse('NUMBER_ALREADY_EXISTS', 'there')),
  }
  const input = {
    tenantId: world.tenantId,
    name: 'Desk',
    number: DIGITS,
    settings: {},
    branding: null,
    redirectUrl: null,
  }
  t.is(valueOf(await issueLink({ ...deps, numbers }, input)).number.id, winner.id)
  const full = {
    findByDigits: async () => null,
    create: async () => fail<never>(refuse('NUMBER_LIMIT_EXCEEDED', 'full')),
  }
  t.is(codeOf(await issueLink({ ...deps, numbers: full }, input)), 'NUMBER_LIMIT_EXCEEDED')
})

test('a link pairs until it succeeded, and tells its status until it ends', async (t) => {
  const { world, deps, asked, issue } = open()
  const { number, token } = valueOf(await issue())
  t.deepEqual(valueOf(await pairByLink(deps, token)), CODE)
  t.deepEqual(valueOf(await linkStatus(deps, token)).code, NO_CODE, 'a closed number is not woken')
  world.numbers.put({ id: number.id, state: 'CONNECTING' })
  t.deepEqual(valueOf(await linkStatus(deps, token)).code, CODE)
  await world.pairing.consume(number.id)
  t.is(codeOf(await pairByLink(deps, token)), 'PAIRING_NOT_FOUND')
  world.numbers.put({ id: number.id, state: 'OPEN' })
  t.is(codeOf(await pairByLink(deps, token)), 'ALREADY_CONNECTED')
  t.is(codeOf(await followLiveLink(deps, token)), 'PAIRING_NOT_FOUND')
  t.deepEqual(valueOf(await linkStatus(deps, token)).code, NO_CODE)
  t.deepEqual(asked, ['pair', 'code'])
})

test('what is no token is not looked up', async (t) => {
  const { deps } = open()
  t.is(codeOf(await followLiveLink(deps, 'rp_x')), 'PAIRING_NOT_FOUND')
  t.is(codeOf(await pairByLink(deps, '')), 'PAIRING_NOT_FOUND')
  t.is(codeOf(await linkStatus(deps, '../x')), 'PAIRING_NOT_FOUND')
})

test('a status tells what is in the way of the pairing, with a code and without one, but not to the holder of a link that is over', async (t) => {
  const { world, deps, asked, issue } = open()
  const { number, token } = valueOf(await issue())
  t.is(valueOf(await linkStatus(deps, token)).reason, null)
  world.numbers.put({ id: number.id, pairingReason: 'QR_EXPIRED' })
  t.like(valueOf(await linkStatus(deps, token)), { code: NO_CODE, reason: 'QR_EXPIRED' })
  t.deepEqual(asked, [], 'nobody is woken to say why')
  world.numbers.put({ id: number.id, state: 'CONNECTING', pairingReason: 'PASSKEY_REQUIRED' })
  t.like(valueOf(await linkStatus(deps, token)), { code: CODE, reason: 'PASSKEY_REQUIRED' })
  await world.pairing.consume(number.id)
  t.like(valueOf(await linkStatus(deps, token)), { code: NO_CODE, reason: null })
})

test('why a link pairs nothing any more is told with where its page leads, and of a used one with its number', async (t) => {
  const { world, deps } = open()
  const detailsOf = (outcome: Outcome<unknown>) => (outcome.ok ? null : outcome.error.details)
  const redirectUrl = 'https://acme.example/done'
  const issue = async () =>
    valueOf(
      await issueLink(deps, {
        tenantId: world.tenantId,
        name: 'Desk',
        number: DIGITS,
        settings: {},
        branding: null,
        redirectUrl,
      }),
    )
  const revoked = await issue()
  const expired = await issue()
  t.deepEqual(detailsOf(await pairByLink(deps, revoked.token)), { reason: 'REVOKED', redirectUrl, numberId: null })
  world.clock.advance(PAIRING_LINK_MS)
  t.deepEqual(detailsOf(await linkStatus(deps, expired.token)), { reason: 'EXPIRED', redirectUrl, numberId: null })
  const used = await issue()
  await world.pairing.consume(used.number.id)
  t.deepEqual(detailsOf(await followLiveLink(deps, used.token)), {
    reason: 'USED',
    redirectUrl,
    numberId: used.number.id,
    name: 'Desk',
    number: '*********0001',
  })
  t.deepEqual(detailsOf(await followLiveLink(deps, 'rp_00000000000000000000000000')), {
    reason: 'UNKNOWN',
    redirectUrl: null,
    numberId: null,
  })
})
