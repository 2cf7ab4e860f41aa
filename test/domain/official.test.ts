import test from 'ava'
import { callingRetryMs, isSendable } from '../../src/domain/official.ts'
import { OFFICIAL_FACTS } from '../helpers/http-memory-official.ts'

test('tries to enable calling come soon at first, then every six hours for ever', (t) => {
  t.deepEqual(
    [1, 2, 3, 4, 5, 6, 1_000].map((tries) => callingRetryMs(tries) / 60_000),
    [5, 15, 60, 180, 360, 360, 360],
  )
})

test('a number sends with a token that upstream takes, in every state but those in which upstream is silent', (t) => {
  for (const officialStatus of ['CONNECTED', 'FLAGGED', 'RESTRICTED', 'RATE_LIMITED', 'A_STATE_OF_2030', null]) {
    t.true(isSendable({ ...OFFICIAL_FACTS, officialStatus }))
    t.false(isSendable({ ...OFFICIAL_FACTS, officialStatus, isTokenValid: false }))
  }
  for (const officialStatus of ['BANNED', 'DISCONNECTED', 'DELETED', 'PENDING', 'UNVERIFIED', 'MIGRATED'])
    t.false(isSendable({ ...OFFICIAL_FACTS, officialStatus }))
})
