import test from 'ava'
import type { Capability } from '../../../src/domain/capabilities.ts'
import { kindOf, KINDS, namesOf } from '../../../src/domain/kinds/kinds.ts'
import { PROVIDER_KINDS, type ProviderKind } from '../../../src/domain/number.ts'

test('every kind has a profile of its own name', (t) => {
  t.deepEqual(KINDS.map(({ name }) => name).toSorted(), [...PROVIDER_KINDS].toSorted())
  for (const provider of PROVIDER_KINDS) t.is(kindOf({ provider }).name, provider)
})

test('the capabilities of each kind match the specification', (t) => {
  const able = (provider: ProviderKind) =>
    Object.entries(kindOf({ provider }).can).flatMap(([capability, can]) => (can ? [capability as Capability] : []))
  t.deepEqual(able('UNOFFICIAL').toSorted(), [
    'callAudio',
    'calls',
    'edits',
    'groups',
    'inboundEvents',
    'newsletters',
    'numberCheck',
    'pairing',
    'polls',
    'revocations',
    'typing',
  ])
  t.deepEqual(able('OFFICIAL').toSorted(), [
    'callPermissions',
    'callPreAccept',
    'callSdp',
    'callSettings',
    'calls',
    'contactRequests',
    'flows',
    'mediaDownload',
    'nativeEvents',
    'referrals',
    'templateReview',
    'typing',
  ])
})

test('names of kinds are those of which something is so', (t) => {
  t.deepEqual(
    namesOf(({ hasAccount }) => hasAccount),
    ['OFFICIAL'],
  )
  t.deepEqual(
    namesOf(({ isStateless }) => !isStateless),
    ['UNOFFICIAL'],
  )
  t.deepEqual(
    namesOf(() => false),
    [],
  )
})
