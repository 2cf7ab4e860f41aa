import test from 'ava'
import { MAX_REMEMBERED, MAX_TOKEN, OFFER_MS } from '../../media/limits.ts'
import { MediaOffers } from '../../media/offers.ts'
import { createSeal } from '../../store/seal.ts'
import { addressOf } from '../../media/received.ts'

const seal = createSeal(Buffer.alloc(32, 1))
const media = {
  reference: {
    mediaClass: 'image',
    size: 1,
    directPath: '/f',
    url: null,
    mediaKey: null,
    sha256: null,
  },
  numberId: 'num_1',
  needsBearer: false,
} as const

// [engines.baileys-duties.8]
test('an address is good for one whole fetch; one that broke may be tried again', (t) => {
  const offers = new MediaOffers(seal, () => 0)
  const token = offers.add(media)
  const first = offers.take(token, false)
  t.is(offers.take(token, false).kind, 'busy')
  if (first.kind === 'open') first.release()
  const second = offers.take(token, false)
  t.is(second.kind, 'open')
  if (second.kind === 'open') second.finish()
  t.is(offers.take(token, false).kind, 'unknown')
})

test('where the gateway authenticates, a request without its token gets no media and does not use the address up', (t) => {
  const offers = new MediaOffers(seal, () => 0)
  const token = offers.add({ ...media, needsBearer: true })
  t.is(offers.take(token, false).kind, 'unauthorized')
  t.is(offers.take(token, true).kind, 'open')
})

// [engines.baileys-duties.8]
test('an address of a media is valid for ten minutes and cannot be guessed', (t) => {
  let now = 0
  const offers = new MediaOffers(seal, () => now)
  const token = offers.add(media)
  t.is(offers.take(`${token}x`, false).kind, 'unknown')
  now = OFFER_MS - 1
  t.is(offers.take(token, false).kind, 'open')
  now = OFFER_MS
  t.is(offers.take(token, false).kind, 'unknown')
  t.is(offers.size, 0)
})

// [engine-fleet.register.11]
test('an address is served by any engine with the same key, and by no other', (t) => {
  const reference = {
    ...media.reference,
    url: 'https://two.example:8443/v/f?ccb=1',
    mediaKey: 'a2V5',
    sha256: 'aGFzaA==',
  }
  const token = new MediaOffers(seal, () => 0).add({ ...media, reference, needsBearer: true })
  const other = new MediaOffers(createSeal(Buffer.alloc(32, 1)), () => OFFER_MS - 1)
  t.is(other.take(token, false).kind, 'unauthorized')
  const taken = other.take(token, true)
  t.deepEqual(taken.kind === 'open' && taken.media, {
    numberId: 'num_1',
    needsBearer: true,
    // Beside a path only the host counts.
    reference: { ...reference, url: 'https://two.example:8443/' },
  })
  t.is(new MediaOffers(createSeal(Buffer.alloc(32, 2)), () => 0).take(token, true).kind, 'unknown')
  const [first = '', ...rest] = token
  t.is(new MediaOffers(seal, () => 0).take([first === 'A' ? 'B' : 'A', ...rest].join(''), true).kind, 'unknown')
  for (const spelling of [`${token}=`, `${token} `, '', 'AAAA', 'x'.repeat(5_000)])
    t.is(other.take(spelling, true).kind, 'unknown')
})

test('an address of usual length holds its media; one that would be too long is kept by its engine alone', (t) => {
  const offers = new MediaOffers(seal, () => 0)
  const usual = {
    ...media.reference,
    directPath: `/v/${'f'.repeat(600)}`,
    url: `https://two.example/${'f'.repeat(900)}`,
  }
  t.true(offers.add({ ...media, reference: usual }).length < MAX_TOKEN)
  t.is(offers.size, 0)
  const long = { ...media, reference: { ...media.reference, directPath: `/v/${'f'.repeat(5_000)}` } }
  const token = offers.add(long)
  t.true(token.length < 100)
  t.is(offers.size, 1)
  t.is(new MediaOffers(seal, () => 0).take(token, true).kind, 'unknown')
  const taken = offers.take(token, true)
  t.deepEqual(taken.kind === 'open' && taken.media, long)
})

test('of too many addresses that are remembered the oldest is forgotten', (t) => {
  const offers = new MediaOffers(seal, () => 0)
  const long = { ...media, reference: { ...media.reference, directPath: 'f'.repeat(2_000) } }
  const tokens = Array.from({ length: MAX_REMEMBERED + 1 }, () => offers.add(long))
  t.is(offers.size, MAX_REMEMBERED)
  t.is(offers.take(tokens[0] ?? '', false).kind, 'unknown')
  t.is(offers.take(tokens.at(-1) ?? '', false).kind, 'open')
})

test('a media is only fetched from hosts of the network, whatever address its message names', (t) => {
  const network = {
    defaultHost: 'media.example',
    isMediaHost: (host: string) => host === 'media.example' || host === 'two.example:8443',
  }
  const address = (directPath: string | null, url: string | null): string | null =>
    addressOf({ directPath, url }, network)?.href ?? null
  t.is(address('/v/f', null), 'https://media.example/v/f')
  t.is(address('/v/f', 'https://two.example:8443/x'), 'https://two.example:8443/v/f')
  t.is(address(null, 'https://two.example:8443/x'), 'https://two.example:8443/x')
  t.is(address('/v/f', 'https://169.254.169.254/latest'), 'https://media.example/v/f')
  t.is(address(null, 'https://169.254.169.254/latest'), null)
  t.is(address(null, 'http://media.example/x'), null)
  t.is(address('@evil.example/f', null), null)
  t.is(address('.evil.example/f', null), null)
})
