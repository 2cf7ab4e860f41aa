import test from 'ava'
import { initAuthCreds } from 'baileys'
import { checkFleet } from '../../doctor/fleet.ts'
import { openStore } from '../../store/open-store.ts'
import { KEY, STORE_PARTS, temporaryFolder } from '../helpers/open-store.ts'
import { temporaryDatabase, testWithPostgres } from '../helpers/test-database.ts'

const SESSION = { sessionId: 's1', number: '491700', creds: initAuthCreds() }

// [engine-fleet.store.12]
test('an engine on SQLite is a fleet of one, and a database that is away is told without its password', async (t) => {
  t.like(await checkFleet({ databaseUrl: null }), { outcome: 'ok' })
  const away = await checkFleet({ databaseUrl: 'postgres://ann:s3cret@127.0.0.1:9/engines' })
  t.is(away.outcome, 'failed')
  t.false(JSON.stringify(away).includes('s3cret'))
})

// [engine-fleet.store.12]
testWithPostgres(
  'the check tells how many engines hold how many linked numbers, and warns of those that none holds',
  async (t, server) => {
    const databaseUrl = await temporaryDatabase(t, server)
    t.like(await checkFleet({ databaseUrl }), { outcome: 'ok', seen: '0 engines hold 0 of 0 linked numbers' })
    const open = (engineId: string) =>
      openStore({ dataDir: temporaryFolder(t), databaseUrl, key: KEY, leaseMs: 600_000 }, { ...STORE_PARTS, engineId })
    const [one, two] = [await open('eng_1'), await open('eng_2')]
    const numbers = [await one.number('num_1'), await one.number('num_2'), await two.number('num_3')]
    for (const number of numbers) await number.saveSession(SESSION)
    t.like(await checkFleet({ databaseUrl }), { outcome: 'ok', seen: '2 engines hold 3 of 3 linked numbers' })
    await two.close()
    const left = await checkFleet({ databaseUrl })
    t.like(left, { outcome: 'warning', seen: '1 engine holds 2 of 3 linked numbers' })
    t.regex(left.todo ?? '', /see that the gateways of the other numbers run/)
    await one.close()
  },
)
