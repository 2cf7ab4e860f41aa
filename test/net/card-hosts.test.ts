import test from 'ava'
import { createCardHosts } from '../../src/net/card-hosts.ts'

test('an address that is not public is forbidden, unless the operator lets it through', (t) => {
  const { isForbidden } = createCardHosts(['10.1.0.0/16', 'files.internal'])
  t.deepEqual(['127.0.0.1', '[::1]', '10.0.0.1', '[::ffff:10.0.0.1]', '169.254.169.254'].filter(isForbidden).length, 5)
  t.deepEqual(['10.1.2.3', '93.184.216.34', '[2606:4700::1111]'].filter(isForbidden), [])
  t.deepEqual(['cdn.shop.io', 'localhost', 'files.internal', ''].filter(isForbidden), [], 'names are looked up later')
})

test('only what the operator named is let through without https', (t) => {
  const { isAllowed } = createCardHosts(['10.1.0.0/16', 'files.internal', '::1'])
  t.true(['10.1.2.3', 'files.internal', 'FILES.internal.', '[::1]'].every(isAllowed))
  t.deepEqual(['93.184.216.34', '10.2.0.1', 'internal', 'evil.files.internal', ''].filter(isAllowed), [])
})
