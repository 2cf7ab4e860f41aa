import test from 'ava'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { CredentialsChange } from '../../../src/ports/stores/official-store.ts'
import { codeOf, valueOf } from '../outcomes.ts'
import { openNumberRig } from '../numbers/number-rig.ts'
import { BASE_URL } from './official-rig.ts'

const REJECTED = refuse('OFFICIAL_CREDENTIALS_REJECTED', 'no', {
  upstreamCode: 190,
  upstreamMessage: 'Invalid OAuth access token',
})

function open() {
  const rig = openNumberRig()
  const patch = (credentials: CredentialsChange, fields: object = {}) =>
    rig.numbers.patch({ number: rig.number, credentials, ...fields })
  const health = (number: string) =>
    succeed({
      number,
      qualityRating: 'GREEN',
      messagingLimitTier: 'TIER_2K',
      officialStatus: 'CONNECTED',
      perSecond: 80,
    })
  rig.upstream.script = { 'health.read': () => health(rig.number.number) }
  return { ...rig, patch, health, stored: () => rig.store.secrets.get(rig.number.id)?.credentials }
}

test('a new token is checked, subscribed, stored and used, in this order', async (t) => {
  const { number, credentials, upstream, ops, done, patch, stored, store } = open()
  await store.save(number.tenantId, number.id, { isTokenValid: false })
  const changed = valueOf(await patch({ accessToken: 'EAA-new' }, { name: 'New' }))
  const next = { ...credentials, accessToken: 'EAA-new' }
  t.like(changed, { name: 'New', official: { isTokenValid: true, phoneId: credentials.phoneId } })
  t.deepEqual(stored(), next)
  t.deepEqual(ops(), ['health.read', 'subscription.subscribe'])
  t.deepEqual(
    upstream.asked.map(({ args }) => args),
    [[next], [next, `${BASE_URL}/webhooks/official/${number.id}`, 'verify-me']],
  )
  t.deepEqual(done, [`forget ${number.id}`, `reopen ${number.id}`])
})

test('another secret needs no new subscription, another app does', async (t) => {
  const { ops, patch, stored } = open()
  valueOf(await patch({ appSecret: 'new-secret' }))
  t.deepEqual(ops(), ['health.read'])
  t.like(valueOf(await patch({ appId: '78' })), { official: { appId: '78' } })
  t.deepEqual(ops(), ['health.read', 'health.read', 'subscription.subscribe'])
  t.like(stored(), { appId: '78', appSecret: 'new-secret' })
})

test('credentials that the upstream refuses, or that belong to another number, change nothing', async (t) => {
  const { world, number, credentials, upstream, done, patch, health, stored } = open()
  upstream.script = { 'health.read': () => fail(REJECTED) }
  t.is(codeOf(await patch({ accessToken: 'bad' }, { name: 'New' })), 'OFFICIAL_CREDENTIALS_REJECTED')
  upstream.script = { 'health.read': () => health('5511777777777') }
  t.is(codeOf(await patch({ accessToken: 'of another phone' }, { name: 'New' })), 'OFFICIAL_CREDENTIALS_REJECTED')
  upstream.script = { 'health.read': () => health(number.number), 'subscription.subscribe': () => fail(REJECTED) }
  t.is(codeOf(await patch({ accessToken: 'of no app' }, { name: 'New' })), 'OFFICIAL_CREDENTIALS_REJECTED')
  t.is(codeOf(await patch({ accessToken: 'EAA' }, { retention: { piiMode: 'STORE_X_DAYS' } })), 'VALIDATION')
  t.deepEqual([stored(), done, world.numbers.rows.get(number.id)?.name], [credentials, [], number.name])
})

test('a QR-paired number has no credentials to replace', async (t) => {
  const { world, ops, patch } = open()
  t.is(codeOf(await patch({ accessToken: 'EAA' }, { number: world.number })), 'FEATURE_NOT_SUPPORTED')
  t.deepEqual(ops(), [])
})
