import test from 'ava'
import { bearerOf, hostsOf, ofLatest } from '../../src/gateway/operator-hosts.ts'

// [engine-fleet.register.9]
test('the bearer goes to the origins of the engines that there are at that moment, and to no other', (t) => {
  let urls = ['ws://10.0.0.1:3005/devices', 'wss://engine.example']
  const bearer = bearerOf(() => urls, 'secret')
  t.is(bearer('http://10.0.0.1:3005'), 'secret')
  t.is(bearer('https://engine.example'), 'secret')
  for (const other of ['http://10.0.0.1', 'https://10.0.0.1:3005', 'http://engine.example', 'https://a.engine.example'])
    t.is(bearer(other), null)
  urls = ['wss://engine.example']
  t.is(bearer('http://10.0.0.1:3005'), null)
  t.is(bearerOf(() => urls, null)('https://engine.example'), null)
})

// [engine-fleet.register.9]
test('the guard lets the hosts of engines through, and leaves out what it could not read', (t) => {
  t.deepEqual(hostsOf(['ws://10.0.0.1:3005/devices', 'wss://engine.example', 'ws://[fd00::1]:3005', 'ws://-.-/']), [
    '10.0.0.1',
    'engine.example',
    'fd00::1',
  ])
})

test('what follows from a list is computed anew only when that is another one', (t) => {
  let list = [1]
  let times = 0
  const sum = ofLatest(
    () => list,
    (numbers) => {
      times += 1
      return numbers.length
    },
  )
  t.deepEqual([sum(), sum(), times], [1, 1, 1])
  list = [1, 2]
  t.deepEqual([sum(), sum(), times], [2, 2, 2])
})
