import test from 'ava'
import { LONGEST_RETRY_MS, nextStep, PAIRING_FAILURES, retryDelayMs } from '../../socket/reconnect.ts'

const PAIRED = { isPaired: true, wasQrShown: false, failures: 0 }

// [engines.baileys-duties.4]
test('restart-required opens the next socket at once and counts as no failure', (t) => {
  t.deepEqual(nextStep({ ...PAIRED, code: 515, failures: 9 }, 0.5), { kind: 'restart' })
})

for (const code of [408, 428, 429, 500, 503, null, 599]) {
  test(`a linked device whose socket ended with ${code} comes back`, (t) => {
    t.is(nextStep({ ...PAIRED, code }, 0.5).kind, 'retry')
  })
}

for (const [code, reason, isWiped] of [
  [401, 'logged_out', true],
  [411, 'logged_out', true],
  [402, 'banned', false],
  [403, 'banned', false],
  [406, 'banned', false],
  [405, 'outdated', false],
  [440, 'replaced', false],
] as const) {
  // [engines.baileys-duties.3] [engines.baileys-duties.4]
  test(`code ${code} stops as ${reason}${isWiped ? ' and forgets the device' : ''}`, (t) => {
    t.deepEqual(nextStep({ ...PAIRED, code, failures: 3 }, 0.5), { kind: 'stop', reason, isWiped })
  })
}

// [engines.baileys-duties.4]
test('when all codes to scan have expired the session stops, and this does not count as a lost connection', (t) => {
  t.deepEqual(nextStep({ code: 408, isPaired: false, wasQrShown: true, failures: 0 }, 0.5), {
    kind: 'stop',
    reason: 'qr_expired',
    isWiped: true,
  })
  t.is(nextStep({ code: 408, isPaired: false, wasQrShown: false, failures: 0 }, 0.5).kind, 'retry')
})

test('an attempt to pair that cannot reach the network stops by itself', (t) => {
  t.is(nextStep({ code: 408, isPaired: false, wasQrShown: false, failures: PAIRING_FAILURES - 1 }, 0.5).kind, 'stop')
  t.is(nextStep({ code: 500, isPaired: true, wasQrShown: false, failures: 1_000 }, 0.5).kind, 'retry')
})

// [engines.baileys-duties.4]
test('waits double from 1 s to 5 min, and each is drawn at random between zero and its limit', (t) => {
  t.deepEqual(
    [0, 1, 2, 3].map((failures) => retryDelayMs(failures, 1)),
    [1_000, 2_000, 4_000, 8_000],
  )
  t.is(retryDelayMs(1_000, 1), LONGEST_RETRY_MS)
  t.is(retryDelayMs(5, 0), 0)
  t.is(retryDelayMs(5, 0.5), 16_000)
})
