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

// [media.sending.9]
test('each kind sends, answers and plays as its upstream lets it', (t) => {
  const { sends, buttons, media, templates, knows, windowMs } = kindOf({ provider: 'OFFICIAL' })
  t.deepEqual(sends, {
    number: { atOnce: 8, everyMs: 12.5 },
    pair: { atOnce: 45, everyMs: 6_000 },
    isDeduplicated: false,
    throttledCode: 'OFFICIAL_RATE_LIMITED',
  })
  t.deepEqual(buttons, {
    labelLength: 20,
    textLength: 1_024,
    areMixed: false,
    cardTypes: ['QUICK_REPLY'],
    cardsAlike: { lineBreaks: 2 },
  })
  t.deepEqual(media.videos, {
    'video/mp4': 'unless-fit',
    'video/3gpp': 'unless-fit',
    'video/quicktime': 'always',
    'video/webm': 'always',
    'video/x-matroska': 'always',
    'video/x-msvideo': 'always',
  })
  t.like(media, {
    takesWebp: false,
    isRgbOnly: true,
    videoTypes: 'MP4, 3GP, MOV, WebM, MKV or AVI',
    takesVideoDocuments: false,
    tooLargeCode: 'OFFICIAL_MEDIA_TOO_LARGE',
  })
  t.deepEqual(templates, { owner: 'ACCOUNT', source: 'OFFICIAL' })
  t.deepEqual([knows, windowMs], [['PHONE', 'USER_ID'], 24 * 3_600_000])

  const device = kindOf({ provider: 'UNOFFICIAL' })
  t.deepEqual(device.sends, {
    number: { atOnce: 5, everyMs: 50 },
    pair: { atOnce: 1, everyMs: 1_000 },
    isDeduplicated: true,
    throttledCode: null,
  })
  t.deepEqual(device.buttons, {
    labelLength: null,
    textLength: null,
    areMixed: true,
    cardTypes: ['QUICK_REPLY', 'URL'],
    cardsAlike: null,
  })
  t.deepEqual(device.media, {
    takesWebp: true,
    isRgbOnly: false,
    videos: { 'video/mp4': 'never', 'video/3gpp': 'never', 'video/quicktime': 'never', 'video/webm': 'never' },
    videoTypes: 'MP4, 3GP, MOV or WebM',
    convertibleBytes: null,
    takesVideoDocuments: true,
    tooLargeCode: 'MEDIA_TOO_LARGE',
  })
  t.deepEqual(device.templates, { owner: 'NUMBER', source: 'LOCAL' })
  t.deepEqual([device.knows, device.windowMs], [['PHONE', 'LID'], null])
})
