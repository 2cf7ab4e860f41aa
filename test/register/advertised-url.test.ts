import { hostname } from 'node:os'
import test from 'ava'
import { advertisedUrl } from '../../src/register/advertised-url.ts'

// [configuration.variables.33]
test('a socket is named as configured, else by the machine, else by loopback', (t) => {
  const at = (host: string) => ({ host, port: 3011, path: '/control' })
  t.is(advertisedUrl(null, at('0.0.0.0')), `ws://${hostname()}:3011/control`)
  t.is(advertisedUrl(null, at('127.0.0.1')), 'ws://127.0.0.1:3011/control')
  t.is(advertisedUrl(null, at('::1')), 'ws://[::1]:3011/control')
  t.is(advertisedUrl(null, { ...at('0.0.0.0'), path: '' }), `ws://${hostname()}:3011`)
  t.is(advertisedUrl('wss://media.internal:{port}/control', at('0.0.0.0')), 'wss://media.internal:3011/control')
})
