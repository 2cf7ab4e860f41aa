import test from 'ava'
import { fail, refuse } from '../../../src/domain/errors.ts'
import type { OfficialCredentials } from '../../../src/ports/official/credentials.ts'
import { codeOf, valueOf } from '../outcomes.ts'
import { BASE_URL } from '../official/official-rig.ts'
import { openNumberRig } from './number-rig.ts'

const CREDENTIALS = { phoneId: '106', accountId: '205', accessToken: 'EAA', appId: null, appSecret: null }

function open() {
  const rig = openNumberRig()
  const { world, numbers, credentials } = rig
  const connect = (
    fields: { readonly number?: string; readonly retention?: object; readonly credentials?: OfficialCredentials } = {},
  ) =>
    numbers.connectOfficial({
      tenantId: world.tenantId,
      name: 'Desk',
      number: '5511900001111',
      credentials: CREDENTIALS,
      settings: {},
      retention: {},
      ...fields,
    })
  return { ...rig, connect, account: credentials.accountId, before: world.numbers.rows.size }
}

test('a number is checked, subscribed, tried for calling, opened and started, in this order, and its templates and Flows are wanted', async (t) => {
  const { received, wanted, connect, ops } = open()
  const { number, webhookUrl, verifyToken } = valueOf(await connect())
  t.like(number, { state: 'OPEN', official: { callingStatus: 'ENABLED', phoneId: '106' } })
  t.is(webhookUrl, `${BASE_URL}/webhooks/official/${number.id}`)
  t.is(verifyToken.length, 32)
  t.deepEqual(ops(), ['health.read', 'subscription.subscribe', 'calling.enable'])
  t.deepEqual(received, [number.id])
  t.deepEqual(wanted, ['templates', 'flows'])
})

test('a connection that is refused before the subscription leaves nothing behind', async (t) => {
  const { world, upstream, connect, ops, before } = open()
  t.is(codeOf(await connect({ number: '5511900002222' })), 'OFFICIAL_CREDENTIALS_REJECTED')
  t.is(codeOf(await connect({ retention: { piiMode: 'STORE_X_DAYS' } })), 'VALIDATION')
  upstream.script = { 'health.read': () => fail(refuse('OFFICIAL_ERROR', 'away')) }
  t.is(codeOf(await connect()), 'OFFICIAL_ERROR')
  t.deepEqual([world.numbers.rows.size, new Set(ops())], [before, new Set(['health.read'])])
})

test('a number whose account cannot be subscribed is taken back; one that cannot call yet is not', async (t) => {
  const { world, upstream, revoked, connect, before } = open()
  upstream.script = { 'subscription.subscribe': () => fail(refuse('OFFICIAL_CREDENTIALS_REJECTED', 'no')) }
  t.is(codeOf(await connect()), 'OFFICIAL_CREDENTIALS_REJECTED')
  t.deepEqual([world.numbers.rows.size, revoked.length], [before, 1])
  upstream.script = { 'calling.enable': () => fail(refuse('OFFICIAL_ERROR', 'away')) }
  t.is(valueOf(await connect()).number.state, 'OPEN')
})

test('a number that comes to an account with a key pair gets its public half; where upstream does not take it, it is connected all the same', async (t) => {
  for (const isTaken of [true, false]) {
    const { upstream, account, keyed, connect, ops } = open()
    if (!isTaken)
      upstream.script = {
        'encryption.setPublicKey': () => ({ kind: 'unsent', refusal: refuse('OFFICIAL_ERROR', 'away') }),
      }
    keyed.add(account)
    const credentials = { ...CREDENTIALS, accountId: account }
    t.is(valueOf(await connect({ credentials })).number.state, 'OPEN')
    t.deepEqual(ops(), ['health.read', 'subscription.subscribe', 'calling.enable', 'encryption.setPublicKey'])
    t.deepEqual(upstream.asked.at(-1)?.args, [credentials, 'PUBLIC'])
  }
})
