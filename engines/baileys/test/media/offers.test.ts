import test from 'ava'
import { MAX_OFFERS, OFFER_MS } from '../../media/limits.ts'
import { MediaOffers } from '../../media/offers.ts'
import { addressOf } from '../../media/received.ts'

const media = {
  reference: {
    mediaClass: 'image',
    mimeType: 'image/png',
    fileName: null,
    size: 1,
    directPath: '/f',
    url: null,
    mediaKey: null,
    sha256: null,
  },
  network: () => Promise.reject(new Error('not asked for')),
  needsBearer: false,
} as const

// [engines.baileys-duties.8]
test('an address is good for one whole fetch; one that broke may be tried again', (t) => {
  const offers = new MediaOffers(() => 0)
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
  const offers = new MediaOffers(() => 0)
  const token = offers.add({ ...media, needsBearer: true })
  t.is(offers.take(token, false).kind, 'unauthorized')
  t.is(offers.take(token, true).kind, 'open')
})

// [engines.baileys-duties.8]
test('an address of a media is valid for ten minutes and cannot be guessed', (t) => {
  let now = 0
  const offers = new MediaOffers(() => now)
  const token = offers.add(media)
  t.is(offers.take(`${token}x`, false).kind, 'unknown')
  now = OFFER_MS - 1
  t.is(offers.take(token, false).kind, 'open')
  now = OFFER_MS
  t.is(offers.take(token, false).kind, 'unknown')
  t.is(offers.size, 0)
})

test('when there are too many addresses, the oldest is forgotten', (t) => {
  const offers = new MediaOffers(() => 0)
  const tokens = Array.from({ length: MAX_OFFERS + 1 }, () => offers.add(media))
  t.is(offers.size, MAX_OFFERS)
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
