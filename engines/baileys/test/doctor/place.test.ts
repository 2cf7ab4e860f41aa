import test from 'ava'
import { initAuthCreds } from 'baileys'
import { checkPlace } from '../../doctor/place.ts'
import { openStore, temporaryFolder } from '../helpers/open-store.ts'

const DATABASE = 'postgres://ann:s3cret@127.0.0.1/engines'

// [engine-fleet.store.12]
test('the check tells where the store lives, and names the command when numbers were left in the other place', async (t) => {
  const dataDir = temporaryFolder(t)
  t.like(checkPlace({ dataDir, databaseUrl: null }), { outcome: 'ok' })
  t.like(checkPlace({ dataDir, databaseUrl: DATABASE }), { outcome: 'ok' })
  const store = openStore(dataDir)
  await (await store.number('num_1')).saveSession({ sessionId: 's1', number: '491700', creds: initAuthCreds() })
  t.like(checkPlace({ dataDir, databaseUrl: DATABASE }), {
    outcome: 'warning',
    seen: `PostgreSQL; a running engine holds the SQLite of ${dataDir}`,
    todo: 'stop that engine, and run `npm run engine -- move --from sqlite --to postgres`',
  })
  await store.close()
  const left = checkPlace({ dataDir, databaseUrl: DATABASE })
  t.like(left, {
    outcome: 'warning',
    seen: `PostgreSQL; the SQLite of ${dataDir} still holds 1 linked number`,
    todo: 'run `npm run engine -- move --from sqlite --to postgres`',
  })
  t.false(JSON.stringify(left).includes('s3cret'))
})
